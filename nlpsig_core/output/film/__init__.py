"""The film about the paired bootstrap: its scenes in words, its numbers, and the script that draws them."""
