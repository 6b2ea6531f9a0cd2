"""Metrics of texts: translations, summaries, transcripts."""
