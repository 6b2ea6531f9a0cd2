"""Sufficient statistics of all systems in all units: counted once, kept on disk, then arrays only."""
