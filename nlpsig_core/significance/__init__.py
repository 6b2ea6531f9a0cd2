"""From counts to p-values: statistics, resamples, paired tests, and comparisons of all pairs."""
