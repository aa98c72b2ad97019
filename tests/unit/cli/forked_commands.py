"""Runs commands, each in a process of its own, without the second that Python needs to import the engine each time.

A server imports what commands import, and nothing of it has been used when it forks: a child goes on as
`python -m reenact ARGUMENTS` would, in the folder and the environment that are asked for.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import traceback
from pathlib import Path

SECONDS = 300  # that a command may take
IMPORTED = ("numba", "rich.progress", "scipy.optimize", "scipy.spatial.transform", "tyro", "reenact.motion.fit",
            "reenact.physics.audit", "reenact.control.make_take", "reenact.view.report")  # fmt: skip


class Commands:
    """A server of commands; close it when done."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        pipe = subprocess.PIPE
        self._server = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, text=True)

    def run(self, arguments: list[str], cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        """Run `reenact ARGUMENTS` to its end."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        files = [self._folder / name for name in ("stdout", "stderr")]
        asked = {"arguments": arguments, "cwd": str(cwd), "environment": environment, "files": [*map(str, files)]}
        print(json.dumps(asked), file=self._server.stdin, flush=True)
        code = int(self._server.stdout.readline())
        said, error = (file.read_text() for file in files)
        return subprocess.CompletedProcess(["reenact", *arguments], code, said, error)

    def close(self) -> None:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.close()
        self._server.stdout.close()
        self._server.kill()  # nothing is under way
        self._server.wait()


def serve() -> None:
    for name in IMPORTED:
        __import__(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(answer(json.loads(line)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def answer(asked: dict[str, object]) -> int:
    """Be `python -m reenact ARGUMENTS`; its exit code."""
    signal.alarm(SECONDS)
    os.chdir(str(asked["cwd"]))
    os.environ.clear()
    os.environ.update(asked["environment"])
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, file in enumerate(asked["files"], 1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv[1:] = asked["arguments"]
    try:
        runpy.run_module("reenact", run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    serve()
