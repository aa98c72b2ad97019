"""Clusters that are not there: one line within seconds, and nothing written."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reenact.cli.main import main
from reenact.execute.probe import speaks_grpc


def capture(folder: Path, *arguments: str) -> int:
    work = ["capture", "walk", "--method", "sampling", "--to", "0.4", "--samples", "16"]
    with pytest.raises(SystemExit) as ended:
        main([*work, "-o", str(folder / "take"), *arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(
    params=[b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", bytes.fromhex("000000040000000000000001010400000001 8d")]
)
def stranger(request: pytest.FixtureRequest) -> Iterator[int]:
    """The port of a server that is not Ray's: it hangs up, speaks HTTP 1.1, or says 404 in HTTP/2."""

    def serve() -> None:
        while True:
            try:
                line, _ = listener.accept()
            except OSError:
                return
            with line:
                line.recv(1000)
                line.sendall(request.param)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_other_servers_are_told_apart(stranger: int) -> None:
    assert not speaks_grpc("127.0.0.1", stranger)


def test_a_gRPC_server_is_recognised() -> None:
    answer = bytes.fromhex("000000040000000000 0000000401 00000000 000001010400000001 88")
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            line, _ = listener.accept()
            with line:
                line.recv(1000)
                line.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        assert speaks_grpc("127.0.0.1", listener.getsockname()[1])
        thread.join()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:9", "no Ray cluster answers at 127.0.0.1:9"),
        ("ray://127.0.0.1:9", "no Ray cluster answers at ray://127.0.0.1:9"),
        ("host:port", "expected auto, HOST:PORT or ray://HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there_is_one_line(
    address: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray", reason="the extra 'cluster' is not installed")
    begun = time.monotonic()
    assert capture(tmp_path, "--cluster", address) == 2
    assert time.monotonic() - begun < 20.0
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_without_ray_the_line_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert capture(tmp_path, "--cluster", "auto") == 2
    said = capsys.readouterr().err
    assert "pip install 'reenact[cluster]'" in said
    assert said.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_threads_are_for_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert capture(tmp_path, "--cluster", "auto", "--threads", "2") == 2
    assert "--threads" in capsys.readouterr().err
