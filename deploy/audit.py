"""``make audit``: known vulnerabilities of the locked requirements; the exit code tells whether they were looked up.

0: none is known. 1: some are known, and listed. 3: the database did not answer for every package, so nothing is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LOCK = Path(__file__).with_name("requirements.lock")
CLEAN, FOUND, UNKNOWN = 0, 1, 3
OPTIONS = ("--disable-pip", "--require-hashes", "--format=json", "--progress-spinner=off")


def audit(command: Sequence[str], lock: Path = LOCK) -> int:
    """Run pip-audit, given by its command, and print one line for each finding."""
    done = subprocess.run([*command, *OPTIONS, "-r", str(lock)], capture_output=True, text=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (done.stderr.strip().splitlines() or ["pip-audit printed nothing"])[-1]
        print(f"The database of vulnerabilities cannot be reached: {reason}", file=sys.stderr)
        return UNKNOWN
    found = [(package, fault) for package in packages for fault in package.get("vulns", ())]
    for package, fault in found:
        mended = ", ".join(fault.get("fix_versions", ())) or "no version yet"
        print(f"{package['name']} {package.get('version', '')}: {fault['id']}, mended in {mended}")
    silent = [package["name"] for package in packages if "skip_reason" in package]
    if silent:
        of = f"{len(silent)} of {len(packages)} packages"
        print(f"The database of vulnerabilities did not answer for {of}: {', '.join(silent[:3])}, ...", file=sys.stderr)
    elif not found:
        print(f"No vulnerability is known of {len(packages)} packages.")
    return FOUND if found else UNKNOWN if silent else CLEAN


if __name__ == "__main__":
    sys.exit(audit(sys.argv[1:] or ["pip-audit"]))
