"""The parts of the Pairs page."""
