"""Measures of agreement: how well the scores of a metric agree with those of people."""
