"""The version of this software."""

__version__ = "1.1.0"
