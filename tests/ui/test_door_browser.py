"""The server with open folders, in a real Chromium and to those who are not one."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.apps import ROOT
from tests.browsing import appears
from tests.builders import TASK, write
from tests.serving import printed, serve

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser


def stream(address: str, *headers: str) -> bytes:
    """The first line of the answer to a program that wants to speak to the app."""
    host, port = address.removeprefix("http://").split(":")
    asked = ("GET /_stcore/stream HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", *headers)  # fmt: skip
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join((*asked, "", "")).encode())
        return connection.recv(4096).split(b"\r\n")[0]


def test_only_the_printed_address_lets_a_browser_in(window, tmp_path):
    """The link with its choices stays, the token goes; a reload, another page and a new tab work without it."""
    task = write(tmp_path / "task", TASK)
    with serve(tmp_path, NLPSIG_FOLDERS=str(tmp_path)) as server:
        page = window()
        entrance = printed(tmp_path, f"/scores?task={task}&b=10k").replace("127.0.0.1", "localhost")
        named = server.replace("127.0.0.1", "localhost")
        token = entrance.partition("token=")[2]
        page.goto(f"{named}/scores?task={task}&b=10k")
        page.get_by_role("heading", name="This app asks for a token").wait_for()
        page.get_by_label("Token").fill(token)
        page.get_by_role("button", name="Open").click()
        appears(page.get_by_text("Undecided"))
        assert token not in page.url

        page.context.clear_cookies()
        page.goto(entrance)
        appears(page.get_by_text("Undecided"))
        assert token not in page.url
        page.reload()
        appears(page.get_by_text("Undecided"))
        page.get_by_role("link", name="Shared task").click()
        appears(page.get_by_role("tab", name="Folder on this machine"))
        tab = page.context.new_page()
        tab.goto(f"{named}/scores?task={task}&b=10k")
        appears(tab.get_by_text("Undecided"))

        host, origin = f"Host: {named.removeprefix('http://')}", f"Origin: {named}"
        port = server.rpartition(":")[2]
        kept = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}[f"nlpsig-{port}"]
        cookie = f"Cookie: nlpsig-{port}={kept}"
        assert b"101" in stream(server, host, origin, cookie)
        assert b"403" in stream(server, host, origin)
        assert b"403" in stream(server, host, cookie)
        assert b"403" in stream(server, host, "Origin: http://evil.example", cookie)
        assert b"403" in stream(server, "Host: evil.example", "Origin: http://evil.example", cookie)
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"{server}/media/anything")


def test_one_signal_ends_the_command(tmp_path):
    """``nlpsig app`` prints the address once, and Ctrl-C leaves no traceback."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nlpsig_core", "app", "--headless", "--port", str(port), "--folders", "."]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = iter(process.stdout.readline, "")
    assert next(line for line in lines if "nlpsig: " in line).startswith(f"  nlpsig: http://localhost:{port}/?token=")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert "Traceback" not in rest
    assert "http://" not in rest
