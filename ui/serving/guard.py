"""Who may speak to the server: pages of the app itself, and where a token is asked for, only those who have it."""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Asked by whoever watches the server, who has no token.
HEALTH = "/_stcore/health"
# What a browser sends as the host: a name or a number, and a port.
HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(:\d+)?")
# Methods that change nothing: a browser sends them to the own site without the header Origin.
READING = {"GET", "HEAD"}
# What a browser without the token sees: a form, which keeps the choices of the link.
DOOR = Path(__file__).with_name("door.html").read_text(encoding="utf-8")
WRONG = '<p role="alert"><strong>This is not its token.</strong> Every start of the app may have another one.</p>'


@dataclass(frozen=True)
class Guard:
    """Refuses requests from elsewhere before the app sees them.

    ``hosts`` are the names by which the app is reached; an address in numbers is always accepted, since no other site
    can have it for a name. ``token`` is "" where none is asked for. Every answer has the ``headers``.
    """

    app: ASGIApp
    hosts: frozenset[str] = frozenset()
    token: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif (answer := self._answer(HTTPConnection(scope))) is None:
            await self.app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer(scope, receive, self._with_headers(send))

    def _answer(self, request: HTTPConnection) -> Response | None:
        """Return the answer in place of the app's; None if the app answers."""
        if reason := self._foreign(request):
            return PlainTextResponse(f"{reason}\n", 403)
        if not self.token or request.scope["path"] == HEALTH:
            return None
        given = request.query_params.get("token") if _is_reading(request) else None
        if given is not None and (self._is_token(given) or self._has_token(request)):
            return self._let_in(request)
        return None if self._has_token(request) else _door(request)

    def _foreign(self, request: HTTPConnection) -> str:
        """Return why a request does not come from a page of this app; "" if it does."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if not self._is_own(host):
            return "The app is not served under this name: start it with --host NAME, or list it in NLPSIG_HOSTS."
        if origin is None:
            return "" if _is_reading(request) else "Only the app's own pages may speak to it: no Origin was sent."
        return "" if origin in (f"http://{host}", f"https://{host}") else "Only the app's own pages may speak to it."

    def _is_own(self, host: str) -> bool:
        """Return whether the app is served under this name or number."""
        named = HOST.fullmatch(host)
        name = named["name"].lower().strip("[]") if named else ""
        return name.rstrip(".") in self.hosts or _is_number(name)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _has_token(self, request: HTTPConnection) -> bool:
        kept = request.cookies.get(_cookie(request), "")
        return hmac.compare_digest(kept.encode("utf-8", "replace"), self._kept(request).encode())

    def _kept(self, request: HTTPConnection) -> str:
        """Return what the browser keeps in place of the token, for this port only; it sends it to all ports."""
        return hmac.new(self.token.encode(), _cookie(request).encode(), "sha256").hexdigest()

    def _let_in(self, request: HTTPConnection) -> Response:
        """Return the page under its address without the token, which the browser keeps."""
        path = "/" + quote(request.scope["path"].lstrip("/\\"))
        answer = RedirectResponse(f"{path}?{query}" if (query := urlencode(_choices(request))) else path, 303)
        secure = request.scope["scheme"] == "https"
        answer.set_cookie(_cookie(request), self._kept(request), httponly=True, samesite="lax", secure=secure)
        return answer

    def _with_headers(self, send: Send) -> Send:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        return sent


def _is_reading(request: HTTPConnection) -> bool:
    return request.scope["type"] == "http" and request.scope["method"] in READING


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(request: HTTPConnection) -> str:
    """Return the name of the cookie: browsers send the same cookies to all ports of a machine."""
    _, port = request.scope.get("server") or ("", "")
    return f"nlpsig-{port}"


def _choices(request: HTTPConnection) -> list[tuple[str, str]]:
    """Return what the link says besides the token."""
    return [(name, text) for name, text in request.query_params.multi_items() if name != "token"]


def _door(request: HTTPConnection) -> Response:
    kept = (f'<input type="hidden" name="{escape(name)}" value="{escape(text)}">' for name, text in _choices(request))
    page = DOOR.replace("{wrong}", WRONG if "token" in request.query_params else "").replace("{kept}", "".join(kept))
    return HTMLResponse(page, 403, {"cache-control": "no-store"})
