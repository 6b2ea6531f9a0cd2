"""The Reranking page."""
