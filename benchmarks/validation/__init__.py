"""Simulations that measure what nlpsig promises, in worlds whose truth is known: ``python -m benchmarks.validate``."""
