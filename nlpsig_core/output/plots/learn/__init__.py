"""Figures of the Learn page, in large print."""
