"""``python -m nlpsig_core``."""

import sys

from nlpsig_core.cli import main

sys.exit(main())
