"""Whether a gRPC server answers at an address, within seconds; Ray's own attempt takes minutes and is loud."""

from __future__ import annotations

import socket

PATIENCE = 3.0  # [s]
# HTTP/2, RFC 9113: a frame is its length (3 bytes), type, flags, stream (4), then so many bytes.
_FRAME = 9
_DATA, _HEADERS, _SETTINGS = 0, 1, 4
_END_STREAM, _END_HEADERS = 1, 4
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_STATUS_200 = 0x88  # as HPACK writes it, RFC 7541


def speaks_grpc(host: str, port: int) -> bool:
    """Ask for a health check; any gRPC server says status 200, even where it refuses the call."""
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as line:
            line.sendall(_question(host))
            return _status_is_200(line)
    except OSError:
        return False


def _question(host: str) -> bytes:
    # HPACK: 0x83 is ":method POST", 0x86 ":scheme http"; then names by number or in full, each with its value.
    headers = b"\x83\x86\x04" + _text("/grpc.health.v1.Health/Check") + b"\x01" + _text(host[:100])
    headers += b"\x0f\x10" + _text("application/grpc") + b"\x00" + _text("te") + _text("trailers")
    no_message = bytes(5)
    return (
        _PREFACE
        + _frame(_SETTINGS, 0, 0, b"")
        + _frame(_HEADERS, _END_HEADERS, 1, headers)
        + _frame(_DATA, _END_STREAM, 1, no_message)
    )


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode("ascii", "replace")


def _frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    return len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content


def _status_is_200(line: socket.socket) -> bool:
    """Read up to the first headers; a server that speaks something else ends it."""
    for _ in range(10):
        head = _read(line, _FRAME)
        length = int.from_bytes(head[:3], "big")
        if len(head) < _FRAME or head[3] > 9 or length > 1 << 14:
            return False
        content = _read(line, length)
        if head[3] == _HEADERS:
            return _STATUS_200 in content[:4]
    return False


def _read(line: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size and (more := line.recv(size - len(got))):
        got += more
    return got
