"""Logs of evaluations of language models."""
