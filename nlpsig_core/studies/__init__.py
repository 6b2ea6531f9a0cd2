"""What builds on comparisons: one pair in detail, analyses of a task, the atlas of many, lessons."""
