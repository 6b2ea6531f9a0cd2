"""What breaks a server is tried on purpose: load, many tasks, faults and damaged files (``make soak``)."""
