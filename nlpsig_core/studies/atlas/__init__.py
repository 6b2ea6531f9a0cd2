"""The atlas: pairs of systems of many test sets pooled, to tell how large a gain must be on one nobody has seen."""
