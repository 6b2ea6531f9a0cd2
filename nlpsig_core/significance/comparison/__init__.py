"""All pairs of a selection: what is analysed, tables of pairs, ranking, thresholds, and what counts as significant."""
