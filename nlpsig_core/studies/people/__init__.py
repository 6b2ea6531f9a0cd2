"""People's judgements beside metrics: every pair of systems by both, and what a gain in the metric is worth."""
