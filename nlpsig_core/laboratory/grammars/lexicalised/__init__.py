"""A head-driven lexicalised model (Collins 1997, model 1)."""
