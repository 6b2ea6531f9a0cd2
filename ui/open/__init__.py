"""Opening a task, and correcting the recognised roles of its files."""
