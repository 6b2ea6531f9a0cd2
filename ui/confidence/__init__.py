"""The Confidence page."""
