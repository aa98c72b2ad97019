"""Serves the page of `reenact calibrate` with the standard library alone, to browsers on this machine."""

from __future__ import annotations

import io
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from reenact.errors import InputError, MissingExtraError, ReenactError
from reenact.formats.video import Video
from reenact.formats.video_frame import frame_at
from reenact.observe.calibrate import WHOLE, Calibrated, Span, calibrate
from reenact.observe.clicks import MOST_BYTES, ClickedVideo, parse_clicks
from reenact.view.calibrate_page import answer, calibrate_html
from reenact.view.serve import LOOPBACK, PORT, free_port

KEPT: Final = 8  # frames as pictures
QUALITY: Final = 92  # of them
Save = Callable[[Calibrated], list[str]]  # writes files and says which


class CalibrationServer(ThreadingHTTPServer):
    """One video being calibrated."""

    daemon_threads = True

    def __init__(self, port: int, video: Video, span: Span, page: str, save: Save) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.video, self.span, self.page, self.save = video, span, page, save
        self._work = threading.Lock()
        self._pictures: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._last: tuple[ClickedVideo, Calibrated] | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """How browsers on this machine may name this server: others are led here by foreign pages."""
        return tuple(f"{name}:{self.server_address[1]}" for name in (LOOPBACK, "localhost"))

    def picture(self, time: float) -> tuple[float, bytes]:
        """The time [s] of the frame nearest to a time, and the frame as JPEG."""
        key = f"{time:.6f}"
        with self._work:
            if key not in self._pictures:
                frame = frame_at(self.video, time)
                self._pictures[key] = frame.time, _jpeg(frame.image)
                while len(self._pictures) > KEPT:
                    self._pictures.popitem(last=False)
            return self._pictures[key]

    def solved(self, message: bytes, *, keep: bool) -> dict[str, Any]:
        """What the page shows of its own clicks; with `keep` also written to files."""
        clicked = parse_clicks(message)
        with self._work:
            if self._last is None or self._last[0] != clicked:
                self._last = clicked, calibrate(clicked, self.video, span=self.span)
            found = self._last[1]
            return {**answer(found), "saved": self.save(found) if keep else []}


@contextmanager
def calibration_page(
    video: Video,
    start: ClickedVideo,
    times: tuple[float, ...],
    output: str,
    save: Save,
    port: int = PORT,
    span: Span = WHOLE,
) -> Iterator[str]:
    """The address of a running page; clicks in frames outside of `span` [s] are refused."""
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise MissingExtraError("video", "the page for clicking") from None
    page = calibrate_html(video, start, times, output)
    server = CalibrationServer(free_port(LOOPBACK, port) if port else 0, video, span, page, save)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: CalibrationServer
    protocol_version = "HTTP/1.1"
    timeout = 60.0

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if not self._trusted():
            return
        if address.path == "/":
            self._send(self.server.page.encode(), "text/html; charset=utf-8")
        elif address.path == "/frame":
            self._guarded(lambda: self._frame(address.query))
        else:
            self._fail(HTTPStatus.NOT_FOUND, f"there is no {address.path}")

    def do_POST(self) -> None:
        address = urlsplit(self.path)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            self.close_connection = True
            self._fail(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"messages have at most {MOST_BYTES} bytes")
            return
        message = self.rfile.read(int(length))
        if not self._trusted():
            return
        if self.headers.get_content_type() != "application/json" or address.path not in ("/solve", "/save"):
            self._fail(HTTPStatus.NOT_FOUND, f"JSON to /solve or /save is expected, not {address.path}")
            return
        self._guarded(lambda: self._json(self.server.solved(message, keep=address.path == "/save")))

    def _trusted(self) -> bool:
        """Whether the request comes from our own page and not through a foreign one's."""
        origin = self.headers.get("Origin")
        own = origin is None or origin in {f"http://{host}" for host in self.server.hosts}
        if self.headers.get("Host") in self.server.hosts and own:
            return True
        self._fail(HTTPStatus.FORBIDDEN, "this page is for browsers on this machine")
        return False

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except ReenactError as error:
            self._fail(HTTPStatus.BAD_REQUEST, " ".join(str(error).split()))
        except OSError as error:
            if isinstance(error, ConnectionError):
                raise
            self._fail(HTTPStatus.BAD_REQUEST, f"{error.filename}: {error.strerror}")

    def _frame(self, query: str) -> None:
        asked = parse_qs(query).get("time", [""])[0]
        try:
            time = float(asked)
        except ValueError:
            raise InputError(f"time is '{asked}', expected seconds") from None
        found, picture = self.server.picture(time)
        self._send(picture, "image/jpeg", {"X-Frame-Time": repr(found)})

    def _json(self, content: dict[str, Any], status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(content, allow_nan=False).encode(), "application/json", status=status)

    def _fail(self, status: HTTPStatus, cause: str) -> None:
        self._json({"error": cause}, status)

    def _send(
        self, content: bytes, kind: str, headers: dict[str, str] | None = None, status: HTTPStatus = HTTPStatus.OK
    ) -> None:
        self.send_response(status)
        fixed = {"Content-Type": kind, "Content-Length": str(len(content)), "Cache-Control": "no-store"}
        for name, value in {**fixed, "X-Content-Type-Options": "nosniff", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not news."""


def _jpeg(image: Any) -> bytes:
    from PIL import Image

    packed = io.BytesIO()
    Image.fromarray(image).save(packed, "JPEG", quality=QUALITY, subsampling=0)
    return packed.getvalue()
