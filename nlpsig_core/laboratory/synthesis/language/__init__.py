"""The invented language: its words, its grammar, treebanks in it, and the difficulty of their words."""
