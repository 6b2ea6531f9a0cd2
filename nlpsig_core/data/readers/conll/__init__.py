"""Parsed text in the columns of the CoNLL shared tasks: CoNLL-U and CoNLL-X."""
