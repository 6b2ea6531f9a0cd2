"""One pair of systems: resampled gains, units won and lost, effect sizes, every test, and text for a paper."""
