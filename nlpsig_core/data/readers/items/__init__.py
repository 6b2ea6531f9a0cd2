"""Tasks with one answer an item: labels, sets of labels, numbers and strings."""
