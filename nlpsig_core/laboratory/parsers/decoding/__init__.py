"""Trees from scores of arcs: the best one, the k best, and the probability of each arc. No parser is known here."""
