"""What the Learn page shows of the paired bootstrap, step by step: arrays and frames, no figures."""
