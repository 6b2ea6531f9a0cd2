"""What people see: figures, the film, pages of results, the command line."""
