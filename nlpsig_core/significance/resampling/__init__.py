"""Resampling of units: one recipe for all systems, drawn block by block, and the bootstrap of all pairs."""
