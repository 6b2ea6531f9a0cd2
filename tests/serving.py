"""The app on a free port of this machine, for browsers."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.apps import MAIN, ROOT

# Seconds until the app must have started, on a busy machine.
STARTED = 120
APP = "import sys\nfrom streamlit.web import cli\n{before}\ncli.main(sys.argv[1:])\n"


@contextmanager
def serve(folder: Path, before: str = "", port: int = 0, **environment: str) -> Iterator[str]:
    """The address of the app, served with its cache in a folder; ``before`` is Python that runs before the app.

    Without a ``port`` it is a free one. With NLPSIG_FOLDERS, browsers have to come by the address that is ``printed``
    first.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = port or free.getsockname()[1]
    kept = {
        "NLPSIG_CACHE": str(folder),
        "HOME": str(folder),
        "NLPSIG_FOLDERS": "",
        "NLPSIG_TOKEN": "",
        "NLPSIG_WORKSPACE": "",
        "NLPSIG_TASK": MAIN,
    }
    command = [sys.executable, "-c", APP.format(before=before), "run", "serve.py", "--server.address=127.0.0.1"]
    command += [f"--server.port={port}"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | kept | environment, stdout=log, stderr=log)
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(STARTED)


def printed(folder: Path, link: str = "/") -> str:
    """The address that the server printed, with its token, for a page and its choices."""
    log = (folder / "log").read_text(encoding="utf-8")
    ((address, token),) = re.findall(r"nlpsig: (http://\S+?)/\?token=(\S+)", log)
    return f"{address.replace('localhost', '127.0.0.1')}{link}{'&' if '?' in link else '?'}token={token}"


def wait_for(address: str) -> None:
    """Wait until a server answers; TimeoutError if it does not start."""
    latest = time.monotonic() + STARTED
    while time.monotonic() < latest:
        try:
            urllib.request.urlopen(address, timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the app did not start")
