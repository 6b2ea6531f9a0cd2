"""Long computations, and what is kept of them for all sessions."""
