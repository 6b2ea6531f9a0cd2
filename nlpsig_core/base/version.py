"""The version of this software."""

__version__ = "1.0.0"
