"""Analyses beyond the main job: size of the test set, power, domains, calibration."""
