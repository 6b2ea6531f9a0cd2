"""What nlpsig promises, measured in simulated worlds of which the truth is known; ``python -m benchmarks.validate``."""
