"""A visitor of the app: a session as a browser has it, over Streamlit's own websocket."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from http.cookiejar import CookieJar
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener
from uuid import uuid4

import websockets
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

# Seconds after which an answer has failed.
LATEST = 240.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of an action: seconds until the page was complete, the bytes of it, errors on it, and when it began."""

    seconds: float
    size: int
    errors: tuple[str, ...] = ()
    began: float = 0.0


@dataclass(kw_only=True)
class Visitor:
    """One session: ``act`` opens pages and changes widgets by their keys, ``upload`` opens a task of one's own.

    ``seen`` is what the server sent for the last page.
    """

    address: str
    page: str = ""
    widgets: dict[str, str] = field(default_factory=dict)
    session: str = ""
    seen: bytearray = field(default_factory=bytearray)

    async def __aenter__(self) -> Visitor:
        """Connect."""
        address = self.address.replace("http", "ws", 1) + "/_stcore/stream"
        self.socket = await websockets.connect(
            address, subprotocols=["streamlit"], origin=self.address, max_size=None, compression=None
        )  # type: ignore[arg-type]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave, as one who closes the tab."""
        await self.socket.close()

    async def act(self, page: str | None = None, **changes: Any) -> Answer:
        """Open a page, or change widgets of this one; wait until it is complete."""
        self.page = self.page if page is None else page
        message = BackMsg()
        message.rerun_script.page_name = self.page
        if missing := changes.keys() - self.widgets.keys():
            return Answer(seconds=0.0, size=0, errors=(f"{self.page or 'the first page'} has no {', '.join(missing)}",))
        for key, value in changes.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.widgets[key]
            _set(state, value)
        start = time.perf_counter()
        try:
            async with asyncio.timeout(LATEST):
                await self.socket.send(message.SerializeToString())
                size, errors = await self._listen()
        except (TimeoutError, websockets.ConnectionClosed) as error:
            size, errors = 0, [f"{type(error).__name__} on {self.page or 'the first page'}"]
        return Answer(seconds=time.perf_counter() - start, size=size, errors=tuple(errors), began=start)

    async def _listen(self) -> tuple[int, list[str]]:
        """Wait for a whole page; return its size in bytes and its errors."""
        errors, self.seen = [], bytearray()
        while True:
            data = await self.socket.recv()
            self.seen += data
            of_server = ForwardMsg.FromString(data)  # type: ignore[arg-type]
            kind = of_server.WhichOneof("type")
            if kind == "new_session":
                self.session = of_server.new_session.initialize.session_id
            elif kind == "delta" and of_server.delta.WhichOneof("type") == "new_element":
                element = of_server.delta.new_element
                drawn = getattr(element, element.WhichOneof("type"))
                if widget := getattr(drawn, "id", ""):
                    self.widgets[widget.rsplit("-", 1)[-1]] = widget
                if message := _error(element.WhichOneof("type") or "", drawn):
                    errors.append(f"{self.page or 'the first page'}: {message}")
            elif kind == "script_finished":
                return len(self.seen), errors

    async def upload(self, name: str, content: bytes) -> Answer:
        """Open a zip of one's own on the first page."""
        message = BackMsg()
        message.file_urls_request.request_id = uuid4().hex
        message.file_urls_request.session_id = self.session
        message.file_urls_request.file_names.append(name)
        try:
            async with asyncio.timeout(LATEST):
                await self.socket.send(message.SerializeToString())
                urls = await self._place_for_file()
                await asyncio.to_thread(_put, self.address, urls.upload_url, name, content)
        except (OSError, TimeoutError, websockets.ConnectionClosed) as error:
            return Answer(seconds=LATEST, size=0, errors=(f"{type(error).__name__} on the upload of {name}",))
        answer = await self.act(upload=(urls, name, len(content)))
        is_open = Path(name).stem.encode() in self.seen
        return answer if is_open else replace(answer, errors=(*answer.errors, f"{name} is not open"))

    async def _place_for_file(self) -> Any:
        """Wait for the addresses to which a file is sent."""
        while True:
            answer = ForwardMsg.FromString(await self.socket.recv())  # type: ignore[arg-type]
            if answer.WhichOneof("type") == "file_urls_response":
                (urls,) = answer.file_urls_response.file_urls
                return urls


def _error(kind: str, drawn: Any) -> str:
    """Return what an element says is wrong; else ""."""
    if kind == "exception":
        return str(drawn.message)
    return str(drawn.body) if kind == "alert" and drawn.format == Alert.ERROR else ""


def _set(state: Any, value: Any) -> None:
    """Set the state of a widget, by the type of the value."""
    if isinstance(value, bool):
        state.bool_value = value
    elif isinstance(value, str):
        state.string_value = value
    elif isinstance(value, tuple):
        urls, name, size = value
        info = state.file_uploader_state_value.uploaded_file_info.add(name=name, size=size, file_id=urls.file_id)
        info.file_urls.CopyFrom(urls)
    else:
        state.double_value = float(value)


def _put(address: str, path: str, name: str, content: bytes) -> None:
    """Send a file as a browser does, with the token that the server gives against forged requests."""
    cookies = CookieJar()
    opener = build_opener(HTTPCookieProcessor(cookies))
    opener.open(f"{address}/_stcore/health").close()
    token = next((cookie.value for cookie in cookies if cookie.name == "_streamlit_xsrf"), "") or ""
    mark = uuid4().hex
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = f"{head}Content-Type: application/zip\r\n\r\n".encode() + content + f"\r\n--{mark}--\r\n".encode()
    kind = f"multipart/form-data; boundary={mark}"
    headers = {"Content-Type": kind, "X-Xsrftoken": token, "Origin": address}
    opener.open(Request(address + path, body, headers, method="PUT")).close()
