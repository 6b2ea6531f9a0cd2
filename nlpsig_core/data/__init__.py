"""From files to tasks and counts: readers, shared tasks, metrics, and drawings of units."""
