"""Exports: the page of a task, in one file or for a site, and tables as CSV and LaTeX."""
