"""What every wing stands on: errors, digests, words, the machine, the cache, compiled loops, many tasks at once."""
