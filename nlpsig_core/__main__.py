"""``python -m nlpsig_core``."""

from nlpsig_core.cli import run

run()
