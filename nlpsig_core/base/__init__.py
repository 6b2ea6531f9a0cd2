"""What every wing stands on: errors, digests, words, the machine, the disk cache, compiled loops, many tasks at once."""
