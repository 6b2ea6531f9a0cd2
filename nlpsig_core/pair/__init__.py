"""One pair of systems: resampled gains, units won and lost, effect sizes, every test, and what a paper says."""
