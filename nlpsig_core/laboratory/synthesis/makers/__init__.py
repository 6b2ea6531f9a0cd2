"""One maker a kind of task: its gold, and what its systems make of it."""
