"""Feature classes of candidates."""
