"""Exports: one self-contained page, and tables as CSV and LaTeX."""
