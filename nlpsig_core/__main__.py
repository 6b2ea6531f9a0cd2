"""``python -m nlpsig_core``."""

from nlpsig_core.commands.cli import run

run()
