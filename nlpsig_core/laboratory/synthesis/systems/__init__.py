"""Systems of known quality: who takes part, and what each of them gets wrong."""
