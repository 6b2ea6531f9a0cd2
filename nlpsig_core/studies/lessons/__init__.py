"""The content of the Learn page, the paired bootstrap step by step: arrays and frames, no figures."""
