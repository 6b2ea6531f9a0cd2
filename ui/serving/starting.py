"""What the server is started with: its guard, its token, and the address that it prints."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import streamlit as st
from starlette.middleware import Middleware

from ui.serving import policy
from ui.serving.compressing import Compressing
from ui.serving.guard import Guard
from ui.serving.policy import LOOPBACK
from ui.work.heap import use_few_arenas

EVERYWHERE = {"0.0.0.0", "::"}
# Takes a browser to the address with its token: other people of the machine can read the arguments of a command.
TO_THE_APP = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">'
# Seconds after which a thread hands the interpreter's lock on. The answer of a page gives it up hundreds of times, and
# would wait for Python's usual 5 ms each time while another one computes.
SWITCH = 0.0005

# Set when the app of this process is served behind a guard that asks for a token, which no environment can claim.
asks_for_token = threading.Event()


def middleware() -> list[Middleware]:
    """Return what sees every request before the app does: the guard, then what compresses scripts and styles."""
    return [guard(), Middleware(Compressing)]


def guard() -> Middleware:
    """Return the guard of the app; where folders are listed, it asks for a token."""
    if own := token():
        asks_for_token.set()
    return Middleware(Guard, hosts=hosts(), token=own, headers=policy.headers())


def hosts() -> frozenset[str]:
    """Return the names by which the app is reached: this machine's, and those listed in $NLPSIG_HOSTS."""
    listed = os.environ.get("NLPSIG_HOSTS", "").replace(",", " ").split()
    own = [] if _address() in LOOPBACK else [socket.gethostname(), _address()]
    return frozenset(name.lower().rstrip(".") for name in ("localhost", *own, *listed))


def token() -> str:
    """Return the token that the guard asks for: $NLPSIG_TOKEN, else a new one where folders are listed, else none."""
    if os.environ.get("NLPSIG_FOLDERS") and not os.environ.get("NLPSIG_TOKEN"):
        os.environ["NLPSIG_TOKEN"] = secrets.token_urlsafe(24)
    return os.environ.get("NLPSIG_TOKEN", "")


@asynccontextmanager
async def announced(_: object) -> AsyncIterator[None]:
    """Print the address of the app, and open it in a browser where there is one, while the app is served."""
    sys.setswitchinterval(SWITCH)
    use_few_arenas()
    import_module("ui.frame.frame")  # before anyone waits for a page: nearly all that pages import
    print(f"\n  nlpsig: {address()}\n", flush=True)
    if listed := os.environ.get("NLPSIG_FOLDERS", ""):
        below = " and ".join(filter(None, listed.split(os.pathsep)))
        print(f"  It opens tasks below {below}, but only to a browser with this address.\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="nlpsig-") as folder:
        if not st.get_option("server.headless"):
            webbrowser.open(_opened(Path(folder)))
        yield


def address() -> str:
    """Return the address of the app, with its token."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host = "localhost" if _address() in LOOPBACK | EVERYWHERE else _address()
    base = st.get_option("server.baseUrlPath").strip("/")
    place = f"{scheme}://{f'[{host}]' if ':' in host else host}:{st.get_option('server.port')}/{base}"
    return f"{place}?token={quote(own, safe='')}" if (own := token()) else place


def _opened(folder: Path) -> str:
    """Return what the browser is told to open: with a token a page of the owner's alone, which leads to the app."""
    if not token():
        return address()
    page = folder / "open.html"
    page.write_text(TO_THE_APP.format(address=escape(address())), encoding="utf-8")
    return page.as_uri()


def _address() -> str:
    """Return the address that the server listens on."""
    return st.get_option("server.address") or "0.0.0.0"
