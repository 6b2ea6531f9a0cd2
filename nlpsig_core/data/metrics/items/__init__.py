"""Metrics of one answer an item: labels, sets of labels, numbers, strings."""
