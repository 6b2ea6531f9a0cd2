"""Text alternatives: for each figure, one sentence with the numbers that it shows."""
