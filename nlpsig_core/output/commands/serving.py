"""The command that serves the app in the browser."""

from __future__ import annotations

import argparse
import os
import re
import runpy
import sys
from pathlib import Path

from nlpsig_core.base import cache
from nlpsig_core.base.errors import ChoiceError
from nlpsig_core.base.extras import require
from nlpsig_core.base.runtime import private_folder
from nlpsig_core.data.task import limits
from nlpsig_core.data.task.folders import resolved
from nlpsig_core.data.task.loading import files_at
from nlpsig_core.data.task.samples import installed_names

# Beside the package in a checkout, inside it once installed.
PACKAGE = Path(__file__).resolve().parents[2]
INSTALLED = PACKAGE / "app" / "serve.py"
APP = INSTALLED if INSTALLED.exists() else PACKAGE.parent / "serve.py"
LOOPBACK, PORT, LAST_PORT = "127.0.0.1", 8501, 65_535
# A host as the policy of a page names it, with or without a port, or all hosts below it.
SITE = re.compile(r"(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:\d+)?")
# For a server that anyone may reach, in megabytes where it is a size: uploads are held in memory.
PUBLIC = {
    "server.maxUploadSize": "100",
    "server.maxMessageSize": "50",
    "server.maxWidgetStateSize": "5",
    "server.enableXsrfProtection": "true",
    "server.enableCORS": "true",
    "server.enableStaticServing": "false",
    "server.enableAgentApi": "false",
    "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "none",
}
# Browsers keep no cookie for a page in another site's frame, so uploads would fail the check of one. The guard refuses
# what pages of other origins send, whatever cookies come with it.
EMBEDDED = {"server.enableXsrfProtection": "false"}


def app_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``app``."""
    add = parser.add_argument
    task = "task that is open at first: the name of a sample or a path (default: $NLPSIG_TASK, else a real task)"
    add("task", nargs="?", metavar="TASK", help=task)
    # A host tells by variables where it expects the app.
    port = _first_set("STREAMLIT_SERVER_PORT", "PORT") or PORT
    add("--port", type=int, default=port, help=f"(default: $STREAMLIT_SERVER_PORT or $PORT, else {PORT})")
    where = f"address to listen on (default: $STREAMLIT_SERVER_ADDRESS, else {LOOPBACK}, this machine only)"
    add("--address", default=_first_set("STREAMLIT_SERVER_ADDRESS") or LOOPBACK, help=where)
    host = "names by which browsers reach the app (default: $NLPSIG_HOSTS); numbers and localhost are always accepted"
    add("--host", nargs="+", metavar="NAME", help=host)
    embed = "sites that may show the app in a frame, such as huggingface.co (default: $NLPSIG_EMBED)"
    add("--embed", nargs="+", metavar="SITE", help=embed)
    add("--headless", action="store_true", help="do not open a browser")
    folders = (
        "let the app open tasks in folders below these, for browsers that come by the printed address with its token "
        "(default: those listed in $NLPSIG_FOLDERS, else none)"
    )
    add("--folders", nargs="+", type=Path, metavar="DIR", help=folders)
    workspace = "keep uploads and edits in DIR, for every visitor (default: $NLPSIG_WORKSPACE, else until a reload)"
    add("--workspace", type=Path, metavar="DIR", help=workspace)
    public = "for a server that anyone may reach: no folders, no workspace, lower limits, nothing said about errors"
    add("--public", action="store_true", help=public)


def app(options: argparse.Namespace) -> None:
    """Serve the app in the browser until interrupted, with a task open."""
    require("app", "The app")
    if options.public and (options.folders or options.workspace):
        raise ChoiceError("A public server opens no folders and keeps no uploads: leave out --folders and --workspace")
    if not 0 <= options.port <= LAST_PORT:
        raise ChoiceError(f"--port is {options.port}; give a number from 0 (any free one) to {LAST_PORT}")
    if missing := [str(folder) for folder in options.folders or () if not folder.is_dir()]:
        raise ChoiceError(f"--folders: {', '.join(missing)} is no folder")
    for setting in (limits.memory, cache.size):
        setting()  # ChoiceError here, not on the first page
    if options.public:
        os.environ |= {"NLPSIG_FOLDERS": "", "NLPSIG_WORKSPACE": ""}
    if options.folders:
        os.environ["NLPSIG_FOLDERS"] = os.pathsep.join(str(folder.resolve()) for folder in options.folders)
    if options.task:
        _open_first(options.task, options.public)
    if os.path.expanduser("~") == "~":  # Streamlit does not start without a home
        os.environ["HOME"] = str(private_folder())
    if options.workspace:
        os.environ["NLPSIG_WORKSPACE"] = str(options.workspace.resolve())
    if options.host:
        os.environ["NLPSIG_HOSTS"] = " ".join(options.host)
    if options.embed:
        os.environ["NLPSIG_EMBED"] = " ".join(options.embed)
    sys.argv = ["streamlit", "run", str(APP), *_settings(options)]
    # In this process, so that one signal stops the app; as a module, so that the core does not import Streamlit.
    runpy.run_module("streamlit", run_name="__main__")


def _open_first(task: str, public: bool) -> None:
    """Let the app open a task at first; ChoiceError if there is no such task, or a path that it may not open."""
    samples, path = installed_names(), resolved(task)
    if task not in samples:
        if public:
            raise ChoiceError("A public server opens no folders: name a sample")
        files_at(task)  # TaskError if there is none, or a file that holds no task
        if os.pathsep in str(path):
            raise ChoiceError(f"{task} cannot be opened: its path has a {os.pathsep!r}, which parts folders")
        folders = list(filter(None, os.environ.get("NLPSIG_FOLDERS", "").split(os.pathsep)))
        if not any(path.is_relative_to(resolved(folder)) for folder in folders):
            os.environ["NLPSIG_FOLDERS"] = os.pathsep.join([*folders, str(path)])
        task = str(path)
    os.environ["NLPSIG_TASK"] = task


def _settings(options: argparse.Namespace) -> list[str]:
    """Return the options as Streamlit's settings, which override those of ``.streamlit/config.toml``."""
    # On Linux, a browser can be opened only where a display is named.
    has_display = not sys.platform.startswith("linux") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ))
    headless = options.headless or options.public or not has_display
    settings = {
        "server.port": str(options.port),
        "server.address": options.address,
        "server.headless": str(headless).lower(),
        "server.showEmailPrompt": "false",
        # The app prints its address itself, with its token.
        "logger.hideWelcomeMessage": "true",
    }
    settings |= (PUBLIC if options.public else {}) | (EMBEDDED if _framing() else {})
    return [f"--{name}={value}" for name, value in settings.items()]


def _first_set(*names: str) -> str:
    """Return the first of these variables of the environment that is set, "" if none is."""
    return next(filter(None, map(os.environ.get, names)), "")


def _framing() -> list[str]:
    """Return the sites of $NLPSIG_EMBED; ChoiceError for a text that is no site."""
    sites = os.environ.get("NLPSIG_EMBED", "").split()
    for site in sites:
        if not SITE.fullmatch(site):
            raise ChoiceError(f"{site!r} is no site: give --embed or NLPSIG_EMBED names such as huggingface.co")
    return sites
