"""Pages on one pair, whole tasks, many tasks, and lessons."""
