"""Results to take away: one self-contained page, and tables as CSV and LaTeX."""
