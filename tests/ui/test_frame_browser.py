"""The app in a frame of another site, in a real Chromium."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest

from nlpsig_core.output.commands.serving import EMBEDDED
from tests.browsing import drop
from tests.builders import TASK, zipped
from tests.serving import serve

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

# To a browser, numbers and names are different sites: the app is localhost, the page around it 127.0.0.1.
SETTINGS = f"sys.argv += {[f'--{name}={value}' for name, value in EMBEDDED.items()]}"


class Around(http.server.BaseHTTPRequestHandler):
    """Answers with a page that has the address asked for in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(f'<iframe src="{self.path[1:]}" width="1200" height="700"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """The host of a site whose pages have the address after the slash in a frame."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Around) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_site_that_is_named_shows_the_app_and_its_visitors_upload_files(window, site, tmp_path):
    with serve(tmp_path, SETTINGS, NLPSIG_EMBED=site) as server:
        page = window()
        page.goto(f"http://{site}/{server.replace('127.0.0.1', 'localhost')}")
        framed = page.frames[1]
        drop(framed, "mine.zip", zipped(TASK))
        framed.get_by_role("heading", name="mine (uploaded)").wait_for()


def test_other_sites_show_nothing(window, site, server):
    page = window()
    with page.expect_console_message(lambda message: "frame-ancestors 'self'" in message.text):
        page.goto(f"http://{site}/{server.replace('127.0.0.1', 'localhost')}")
    page.frames[1].wait_for_url("chrome-error:**")
