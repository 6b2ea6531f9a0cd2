"""The Test size, Domains and Calibration pages."""
