"""The scripts and styles of the app, compressed once for all browsers on other machines; Streamlit compresses none."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from threading import Condition

from cachetools import cached
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.serving.policy import LOOPBACK, PAGE

TYPES = {".js": "text/javascript", ".css": "text/css"}
# Their names change with what they contain.
HEADERS = {
    "cache-control": "public, immutable, max-age=31536000",
    "content-encoding": "gzip",
    "vary": "accept-encoding",
}
STATIC = PAGE.with_name("static")
FILES = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.suffix in TYPES}


@dataclass(frozen=True)
class Compressing:
    """Answers requests for scripts and styles, where that takes less time than to send them as they are."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if (file := _asked_for(scope)) is None:
            await self.app(scope, receive, send)
        else:
            content = await run_in_threadpool(_compressed, file)
            await Response(content, headers=HEADERS, media_type=TYPES[file.suffix])(scope, receive, send)


def _asked_for(scope: Scope) -> Path | None:
    """Return the script or style that a browser on another machine asks for; None for all else."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return None
    request = HTTPConnection(scope)
    whole = "gzip" in request.headers.get("accept-encoding", "") and "range" not in request.headers
    return FILES.get(scope["path"].rpartition("/static/")[2]) if whole and _is_elsewhere(request) else None


def _is_elsewhere(request: HTTPConnection) -> bool:
    """Return whether an answer goes through a network; a server in front of the app says for whom it asks."""
    near = request.client and request.client.host in LOOPBACK
    return not near or "x-forwarded-for" in request.headers


# All browsers of a lecture hall ask at once: a file is compressed for the first.
@cached({}, condition=Condition())
def _compressed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), 6, mtime=0)
