"""Packs of real shared tasks from published statistics, and what is shipped of them (``make gallery``)."""
