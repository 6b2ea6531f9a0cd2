"""The Pairs page."""
