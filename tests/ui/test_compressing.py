"""What a browser on another machine receives: scripts and styles compressed, once for all, and all else as it is."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.processes import finished
from ui.serving import compressing, starting
from ui.serving.compressing import FILES, STATIC, Compressing
from ui.serving.guard import Guard

SCRIPT = next(name for name in FILES if name.startswith("js/index."))
STYLE = next(name for name in FILES if name.endswith(".css"))
ELSEWHERE, HERE = "192.168.1.7", "127.0.0.1"
ENCODINGS = {"accept-encoding": "gzip, deflate, br"}


def ask(path: str, headers: dict[str, str] = ENCODINGS, client: str | None = ELSEWHERE, **more) -> tuple[dict, bytes]:
    """The headers and the body of the answer; no headers if the app behind it was asked."""
    sent: list[dict] = []

    async def send(message: dict) -> None:
        sent.append(message)

    async def app(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    scope = {
        "type": "http", "method": "GET", "path": path, "client": client and (client, 50000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    } | more  # fmt: skip
    finished(Compressing(app)(scope, None, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return found, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("name", [SCRIPT, STYLE])
@pytest.mark.parametrize("before", ["", "/pairs", "/base/pairs"])
def test_a_script_or_style_is_sent_compressed_to_another_machine(name, before):
    headers, body = ask(f"{before}/static/{name}")
    content = (STATIC / name).read_bytes()
    assert gzip.decompress(body) == content
    assert len(body) < len(content) / 2
    assert headers["content-encoding"] == "gzip"
    assert headers["content-length"] == str(len(body))
    assert headers["content-type"].startswith("text/javascript" if name == SCRIPT else "text/css")
    assert "immutable" in headers["cache-control"]
    assert headers["vary"] == "accept-encoding"


@pytest.mark.parametrize(
    ("path", "headers", "more"),
    [
        ("/pairs", ENCODINGS, {}),
        (f"/static/{SCRIPT}", {}, {}),
        (f"/static/{SCRIPT}", {"accept-encoding": "br"}, {}),
        (f"/static/{SCRIPT}", ENCODINGS | {"range": "bytes=0-9"}, {}),
        (f"/static/{SCRIPT}", ENCODINGS, {"method": "HEAD"}),
        (f"/static/{SCRIPT}", ENCODINGS, {"type": "websocket"}),
        (f"/static/{SCRIPT}", ENCODINGS, {"client": HERE}),
        ("/static/../index.html", ENCODINGS, {}),
        ("/static/js/none.js", ENCODINGS, {}),
    ],
)
def test_the_app_answers_everything_else(path, headers, more):
    assert ask(path, headers, **more) == ({}, b"")


def test_a_server_in_front_of_the_app_is_not_the_browser():
    assert ask(f"/static/{SCRIPT}", ENCODINGS, HERE) == ({}, b"")
    headers, _ = ask(f"/static/{SCRIPT}", ENCODINGS | {"x-forwarded-for": ELSEWHERE}, HERE)
    assert headers["content-encoding"] == "gzip"


def test_a_file_is_compressed_once_for_all_who_ask(monkeypatch):
    compressing._compressed.cache.clear()
    calls = []
    plain = gzip.compress
    monkeypatch.setattr(gzip, "compress", lambda content, *how, **more: calls.append(1) or plain(content, *how, **more))
    with ThreadPoolExecutor(8) as hall:
        answers = list(hall.map(ask, [f"/static/{SCRIPT}"] * 8))
    assert len({body for _, body in answers}) == len(calls) == 1


def test_the_guard_sees_a_request_first(monkeypatch):
    monkeypatch.setenv("NLPSIG_FOLDERS", "")
    first, second = starting.middleware()
    assert (first.cls, second.cls) == (Guard, Compressing)
