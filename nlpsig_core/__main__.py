"""``python -m nlpsig_core``."""

from nlpsig_core.output.commands.cli import run

run()
