"""Reranking of n-best lists: features of their parses, estimators of weights, and experiments with feature classes."""
