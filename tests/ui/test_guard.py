"""The guard of the server: whom it lets through, by the requests that browsers and others send."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from base64 import b64encode
from pathlib import Path

import pytest
import streamlit as st

from tests.processes import finished
from ui.serving import policy, starting
from ui.serving.guard import Guard

TOKEN = "t0ken"
HOSTS = frozenset({"localhost", "nlpsig.example.org"})
OWN = {"host": "localhost:8501", "origin": "http://localhost:8501"}
NO_PAGE = {"host": "localhost:8501"}
KEPT = hmac.new(TOKEN.encode(), b"nlpsig-8501", "sha256").hexdigest()
COOKIE = {"cookie": f"nlpsig-8501={KEPT}"}


def ask(headers: dict[str, str], kind: str = "http", token: str = "", path: str = "/", query: str = "", **more) -> dict:
    """What the first message of the answer says, with its body; status 200 if the app behind the guard was asked."""
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(dict(message))

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {
        "type": kind, "method": "GET", "scheme": "http", "path": path, "raw_path": path.encode(), "root_path": "",
        "query_string": query.encode(), "server": ("127.0.0.1", 8501), "client": ("127.0.0.1", 50000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    } | more  # fmt: skip
    finished(Guard(app, HOSTS, token, {"x-policy": "own"})(scope, None, send))
    first, *rest = sent
    found = {name.decode(): value.decode() for name, value in first.get("headers", [])}
    body = b"".join(message.get("body", b"") for message in rest).decode()
    return {"status": first.get("status"), "type": first["type"], "headers": found, "body": body}


def refused(answer: dict) -> bool:
    return answer["type"] == "websocket.close" or answer["status"] == 403


@pytest.mark.parametrize("host", ["localhost:8501", "LOCALHOST:8501", "localhost.:8501", "127.0.0.1:8501", "[::1]:8501",
                                  "192.168.1.7:8501", "nlpsig.example.org"])  # fmt: skip
def test_the_app_answers_under_its_names_and_under_every_number(host):
    assert not refused(ask({"host": host}))
    assert not refused(ask({"host": host, "origin": f"http://{host}"}, "websocket"))


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8501", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1", "evil.example@", "a b",
        "localhost/_stcore/health?", "localhost#/_stcore/health", "x@localhost", "localhost:a",
    ],
)  # fmt: skip
def test_a_name_that_was_bound_to_this_machine_from_outside_is_refused(host):
    """A page of evil.example whose name is resolved to 127.0.0.1 afterwards sends its own name as the host.

    A host is a name and a port only: the path that is asked for is that of the request.
    """
    assert refused(ask({"host": host}, path="/pairs"))
    assert refused(ask({"host": host, "origin": f"http://{host}"}, "websocket"))
    assert refused(ask({"host": host, "origin": f"http://{host}"}, "websocket", token=TOKEN))
    assert refused(ask({}))


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:9999", "null", "http://127.0.0.1:8501"])
def test_pages_of_other_origins_are_refused(origin):
    """Another port of this machine may be another person's page."""
    asked = {"host": "localhost:8501", "origin": origin}
    assert refused(ask(asked, "websocket"))
    assert refused(ask(asked))
    assert refused(ask(asked, method="PUT"))


def test_what_sends_no_origin_may_only_read():
    """Browsers name the origin of a page that opens a socket or changes something; programs may leave it out."""
    assert refused(ask(NO_PAGE, "websocket"))
    assert refused(ask(NO_PAGE, method="PUT"))
    assert refused(ask(NO_PAGE, method="DELETE"))
    assert not refused(ask(NO_PAGE))
    assert not refused(ask(OWN, "websocket"))
    assert not refused(ask(OWN, method="PUT"))


def test_without_the_token_nothing_is_seen():
    for path in ("/", "/pairs", "/static/js/index.js", "/media/of-someone.csv", "/_stcore/host-config"):
        assert refused(ask(NO_PAGE, path=path, token=TOKEN)), path
    assert refused(ask(OWN, "websocket", token=TOKEN))
    assert refused(ask(OWN, "websocket", token=TOKEN, query=f"token={TOKEN}"))
    assert refused(ask(OWN | {"cookie": f"nlpsig-8501=wrong; nlpsig-8502={KEPT}"}, "websocket", token=TOKEN))
    assert ask(NO_PAGE, path="/_stcore/health", token=TOKEN)["status"] == 200
    # A server behind a Unix socket does not tell its port.
    assert refused(ask(NO_PAGE, token=TOKEN, server=None))
    assert ask(NO_PAGE, query=f"token={TOKEN}", token=TOKEN, server=None)["status"] == 303


def test_the_token_in_the_address_becomes_a_cookie_and_leaves_the_address():
    answer = ask(NO_PAGE, path="/pairs", query=f"task=a%26b&token={TOKEN}&with=x&with=y", token=TOKEN)
    assert (answer["status"], answer["headers"]["location"]) == (303, "/pairs?task=a%26b&with=x&with=y")
    cookie = answer["headers"]["set-cookie"]
    assert cookie.startswith(f"nlpsig-8501={KEPT};")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert not refused(ask(OWN | COOKIE, "websocket", token=TOKEN))
    assert not refused(ask(NO_PAGE | COOKIE, path="/pairs", token=TOKEN))


def test_an_old_token_in_a_bookmark_does_not_close_the_door():
    answer = ask(NO_PAGE | COOKIE, query="token=of-last-week&b=10k", token=TOKEN)
    assert (answer["status"], answer["headers"]["location"]) == (303, "/?b=10k")
    wrong = ask(NO_PAGE, query="token=of-last-week", token=TOKEN)
    assert refused(wrong)
    assert "This is not its token." in wrong["body"]
    assert "This is not its token." not in ask(NO_PAGE, token=TOKEN)["body"]
    assert refused(ask(NO_PAGE, query="token=%F0%9F%94%91", token=TOKEN))


@pytest.mark.parametrize("path", ["//evil.example/", "/\\evil.example", "///evil.example", "/ä b"])
def test_the_address_without_the_token_is_on_this_server(path):
    location = ask(NO_PAGE, path=path, query=f"token={TOKEN}", token=TOKEN)["headers"]["location"]
    assert re.match(r"/[^/\\]", location)
    assert location.isascii()


def test_the_door_keeps_the_choices_of_the_link_as_text():
    answer = ask(NO_PAGE, query="b=10k&task=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E", token=TOKEN)
    assert '<input type="hidden" name="b" value="10k">' in answer["body"]
    assert "<script" not in answer["body"]
    assert "&lt;script&gt;" in answer["body"]
    assert TOKEN not in answer["body"]


def test_every_answer_has_the_policy():
    for answer in (ask(NO_PAGE), ask({"host": "evil.example"}), ask(NO_PAGE, token=TOKEN)):
        assert answer["headers"]["x-policy"] == "own"


def test_only_sites_that_are_named_may_show_the_app_in_a_frame(monkeypatch):
    monkeypatch.setenv("NLPSIG_EMBED", "")
    own = policy.headers()
    assert own["content-security-policy"].endswith("; frame-ancestors 'self'")
    assert own["x-frame-options"] == "SAMEORIGIN"
    monkeypatch.setenv("NLPSIG_EMBED", "huggingface.co  example.org")
    framed = policy.headers()
    assert framed["content-security-policy"].endswith("; frame-ancestors 'self' huggingface.co example.org")
    assert "x-frame-options" not in framed


def test_the_policy_lets_streamlits_own_script_run_and_no_other():
    assert policy.hashes("<script>one()</script><script src=a.js></script>") == [
        f"'sha256-{b64encode(hashlib.sha256(b'one()').digest()).decode()}'"
    ]
    (own,) = policy.hashes(policy.PAGE.read_text(encoding="utf-8"))
    scripts = policy.headers()["content-security-policy"].split("; ")[1]
    assert own in scripts
    assert "'unsafe-inline'" not in scripts


def test_a_browser_shows_the_token_to_no_other_port():
    """Cookies go to all servers of the machine: what is kept opens this port alone, and the token is no cookie."""
    answer = ask(NO_PAGE, query=f"token={TOKEN}", token=TOKEN)
    assert TOKEN not in answer["headers"]["set-cookie"]
    assert refused(ask(OWN | {"cookie": f"nlpsig-8501={TOKEN}"}, token=TOKEN))
    elsewhere = {"host": "localhost:8502", "cookie": f"nlpsig-8502={KEPT}"}
    assert refused(ask(elsewhere, token=TOKEN, server=("127.0.0.1", 8502)))


@pytest.fixture
def options(monkeypatch):
    """Streamlit's settings, to be changed by the test."""
    found = {"server.address": "127.0.0.1", "server.port": 8501, "server.baseUrlPath": "", "server.sslCertFile": ""}
    monkeypatch.setattr(st, "get_option", found.get)
    for name in ("NLPSIG_TOKEN", "NLPSIG_FOLDERS", "NLPSIG_HOSTS"):
        monkeypatch.setenv(name, "")
    return found


def test_a_token_is_asked_for_where_folders_are_open(options, monkeypatch):
    assert starting.token() == ""
    assert starting.address() == "http://localhost:8501/"
    monkeypatch.setenv("NLPSIG_FOLDERS", "/data")
    drawn = starting.token()
    assert len(drawn) == 32
    assert os.environ["NLPSIG_TOKEN"] == drawn == starting.token()
    assert starting.address() == f"http://localhost:8501/?token={drawn}"
    monkeypatch.setenv("NLPSIG_TOKEN", "")
    assert starting.token() != drawn
    monkeypatch.setenv("NLPSIG_TOKEN", "my-own")
    monkeypatch.setenv("NLPSIG_FOLDERS", "")
    assert starting.token() == "my-own"
    monkeypatch.setenv("NLPSIG_TOKEN", "a&b#c d+e")
    assert starting.address().endswith("?token=a%26b%23c%20d%2Be")


def test_only_a_guard_that_asks_for_a_token_says_so(options, monkeypatch, asks_for_token):
    """That opens the folders: neither a token in the environment nor a guard without one does."""
    asks_for_token.clear()
    starting.guard()
    monkeypatch.setenv("NLPSIG_TOKEN", TOKEN)
    assert starting.token() == TOKEN
    assert not asks_for_token.is_set()
    assert starting.guard().kwargs["token"] == TOKEN
    assert asks_for_token.is_set()


def test_the_names_of_the_app(options, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "Lab-PC")
    assert starting.hosts() == {"localhost"}
    options["server.address"] = "0.0.0.0"
    monkeypatch.setenv("NLPSIG_HOSTS", "nlpsig.example.org, www.example.org.")
    assert starting.hosts() == {"localhost", "lab-pc", "0.0.0.0", "nlpsig.example.org", "www.example.org"}
    assert starting.address() == "http://localhost:8501/"
    options["server.address"] = "2001:db8::7"
    assert starting.address() == "http://[2001:db8::7]:8501/"


def test_the_token_is_in_no_command_that_opens_a_browser(options, monkeypatch, capsys):
    """Everyone on the machine can read the arguments of a command; the page that leads to the app is the owner's."""
    opened: list[tuple[str, str, int]] = []
    switched: list[float] = []

    def browser(address: str) -> None:
        page = Path(address.removeprefix("file://"))
        seen = (page.read_text(encoding="utf-8"), page.parent.stat().st_mode & 0o777) if page.is_file() else ("", 0)
        opened.append((address, *seen))

    monkeypatch.setattr("webbrowser.open", browser)
    monkeypatch.setenv("NLPSIG_FOLDERS", f"/data{os.pathsep}/more")
    monkeypatch.setenv("NLPSIG_TOKEN", TOKEN)
    monkeypatch.setattr("sys.setswitchinterval", switched.append)
    monkeypatch.setattr(starting, "use_few_arenas", lambda: None)

    async def start() -> None:
        async with starting.announced(None):
            pass

    finished(start())
    monkeypatch.setenv("NLPSIG_FOLDERS", "")
    monkeypatch.setenv("NLPSIG_TOKEN", "")
    finished(start())
    (address, content, mode), (plain, _, _) = opened
    assert TOKEN not in address
    assert f"url=http://localhost:8501/?token={TOKEN}" in content
    assert mode == 0o700
    assert plain == "http://localhost:8501/"
    printed = capsys.readouterr().out
    assert f"nlpsig: http://localhost:8501/?token={TOKEN}\n" in printed
    assert "below /data and /more" in printed
    assert switched == [starting.SWITCH] * 2  # or pages wait 5 ms for each other, hundreds of times
