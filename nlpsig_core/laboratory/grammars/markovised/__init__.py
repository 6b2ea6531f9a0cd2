"""A markovised grammar estimated from a treebank, and the most probable trees of a sentence under it."""
