"""Discriminative reranking of n-best lists."""
