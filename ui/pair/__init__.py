"""The Pair page."""
