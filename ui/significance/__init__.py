"""Pages on all systems and all pairs."""
