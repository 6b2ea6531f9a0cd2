"""Logs of evaluations -> the questions of each task, and the answers of each model."""
