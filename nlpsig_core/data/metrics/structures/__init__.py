"""Metrics of structures: dependencies, trees, tags, alignments."""
