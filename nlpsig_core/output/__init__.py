"""What people see: figures, the report, the command line."""
