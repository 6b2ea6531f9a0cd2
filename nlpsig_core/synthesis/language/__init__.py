"""The invented language: its words and grammar, treebanks in it, and what makes them hard."""
