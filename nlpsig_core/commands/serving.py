"""The command that serves the app in the browser."""

from __future__ import annotations

import argparse
import importlib.util
import os
import runpy
import sys
from pathlib import Path

from nlpsig_core.errors import ChoiceError
from nlpsig_core.runtime import private_folder

# Beside the package in a checkout, inside it once installed.
PACKAGE = Path(__file__).resolve().parents[1]
INSTALLED = PACKAGE / "app" / "app.py"
APP = INSTALLED if INSTALLED.exists() else PACKAGE.parent / "app.py"
LOOPBACK, PORT = "127.0.0.1", 8501


def app_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``app``."""
    parser.add_argument("--port", type=int, default=PORT, help=f"({PORT})")
    parser.add_argument("--address", default=LOOPBACK, help=f"address to listen on ({LOOPBACK}, this machine only)")
    parser.add_argument("--headless", action="store_true", help="do not open a browser")
    folders = "let the app open tasks in folders below DIR (default: $NLPSIG_FOLDERS, else none)"
    parser.add_argument("--folders", type=Path, metavar="DIR", help=folders)
    workspace = "keep uploads and edits in DIR, for every visitor (default: $NLPSIG_WORKSPACE, else until a reload)"
    parser.add_argument("--workspace", type=Path, metavar="DIR", help=workspace)


def app(options: argparse.Namespace) -> None:
    """Serve the app in the browser until interrupted, with a sample task open."""
    if importlib.util.find_spec("streamlit") is None:
        raise ChoiceError("The app needs Streamlit, the extra 'app' of nlpsig: pip install streamlit")
    if options.folders:
        os.environ["NLPSIG_FOLDERS"] = str(options.folders.resolve())
    if os.path.expanduser("~") == "~":  # Streamlit does not start without a home
        os.environ["HOME"] = str(private_folder())
    if options.workspace:
        os.environ["NLPSIG_WORKSPACE"] = str(options.workspace.resolve())
    sys.argv = ["streamlit", "run", str(APP), *_settings(options)]
    # In this process, so that one signal stops the app; as a module, so that the core does not import Streamlit.
    runpy.run_module("streamlit", run_name="__main__")


def _settings(options: argparse.Namespace) -> list[str]:
    """The options as Streamlit's settings, which override those of ``.streamlit/config.toml``."""
    headless = options.headless or not _has_display()
    return [
        f"--server.port={options.port}",
        f"--server.address={options.address}",
        f"--server.headless={str(headless).lower()}",
        "--server.showEmailPrompt=false",
    ]


def _has_display() -> bool:
    """Whether a browser can be opened: on Linux, only where a display is named."""
    return not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
