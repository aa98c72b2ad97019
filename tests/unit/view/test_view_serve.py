from __future__ import annotations

import socket
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError, MissingExtraError
from reenact.view.serve import free_port, serve


def test_a_taken_port_gives_the_next() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert taken < free_port("127.0.0.1", taken) < taken + 20


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 8080), ("192.0.2.1", 8080), ("127.0.0.1", 70000)])
def test_an_address_that_cannot_be_served_is_named(host: str, port: int) -> None:
    with pytest.raises(InputError, match=r"host|serve at|port"):
        free_port(host, port)


def test_no_take_is_an_error() -> None:
    with pytest.raises(InputError, match="no take given"):
        serve([])


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, take_folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingExtraError, match=r"reenact\[view\]"):
        serve([take_folder])


def test_it_serves_loopback_and_stops(take_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("viser")
    until, address = threading.Event(), []

    def ready(url: str) -> None:
        address.append(url)
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=5):
            pass
        until.set()

    serve([take_folder], port=0, ready=ready, until=until)
    assert address[0].startswith("http://127.0.0.1:")
    assert capsys.readouterr().out == "", "the library does not print"


def test_the_cursor_is_an_upright_line() -> None:
    pytest.importorskip("viser")
    from reenact.view.plot_panel import with_cursor

    x = np.array([0.0, 1.0, 2.0])
    moved, line, cursor = with_cursor(x, [10 * x], (-1.0, 30.0), 1.5)
    assert moved.tolist() == [0, 1, 1.5, 1.5, 2]
    assert line.tolist() == [0, 10, 15, 15, 20]
    assert cursor[2:4].tolist() == [-1, 30]
    assert np.isnan(np.delete(cursor, [2, 3])).all()


def test_text_is_shown_as_it_is_written() -> None:
    pytest.importorskip("viser")
    from reenact.view.page_text import plain

    assert plain("<b>*x*|</b>") == r"&lt;b&gt;\*x\*\|&lt;/b&gt;"
