"""The atlas: pairs of systems from many test sets, which predict how large a gain must be on a new test set."""
