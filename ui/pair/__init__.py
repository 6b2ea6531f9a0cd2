"""The parts of the Pair page."""
