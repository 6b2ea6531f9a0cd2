"""The steps of the Learn page."""
