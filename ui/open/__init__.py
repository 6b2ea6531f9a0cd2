"""How a task is opened, and what its files were taken for."""
