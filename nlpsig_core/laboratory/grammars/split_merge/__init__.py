"""A grammar whose symbols are split by EM (Petrov, Barrett, Thibaux and Klein 2006)."""
