"""Paired bootstrap for all pairs of systems of a shared task (Berg-Kirkpatrick et al., 2012)."""

__version__ = "0.1.0"
