"""Scores of segments by people and by metrics."""
