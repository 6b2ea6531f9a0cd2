"""Benchmarks of speed, simulations of validity, and mutation testing."""
