"""What runs on the other machines: a process that opens a setup once and then simulates parts of requests."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.evaluate import Request, Setup
from reenact.estimate.sampling.threads import Threads
from reenact.execute.trial import trial
from reenact.geometry.rotation import Array


class Worker:
    """A setup made ready on some threads."""

    def __init__(self, setup: bytes, threads: int) -> None:
        stage = unpacked(setup).open()
        self.trial = trial(stage)
        self._threads = Threads(stage, threads=threads)

    def evaluate(self, starts: Array, start_of: NDArray[np.int32], displacement: Array, steps: int) -> Array:
        """End state rows of a part's candidates, in its order."""
        return self._threads.evaluate(
            Request(starts=starts, start_of=start_of.astype(np.int64), displacement=displacement, steps=steps)
        )


def packed(setup: Setup) -> bytes:
    """A setup as JSON, which keeps every digit."""
    return msgspec.json.encode(setup)


def unpacked(setup: bytes) -> Setup:
    """The setup that was packed."""
    return msgspec.json.decode(setup, type=Setup)


def envelope() -> type[Any]:
    """The class of the remote process; it travels by value, so that a machine without reenact can say so."""

    class Envelope:
        def join(self, names: list[str], setup: bytes, needed: dict[str, str], threads: int) -> dict[str, Any]:
            """Say which versions are here; where they are those that are needed, open the setup and try it."""
            import os
            import platform
            from importlib.metadata import PackageNotFoundError, version

            found = {}
            for name in names:
                try:
                    found[name] = version(name)
                except PackageNotFoundError:
                    found[name] = "none"
            said = {"versions": found, "host": platform.node(), "process": os.getpid(), "trial": ""}
            if found == needed:
                from reenact.execute.worker import Worker

                self.worker = Worker(setup, threads)
                said["trial"] = self.worker.trial
            return said

        def evaluate(self, *part: Any) -> tuple[Any, float]:
            """See `Worker`; also the processor time it took [s]."""
            import time

            begun = time.process_time()
            return self.worker.evaluate(*part), time.process_time() - begun

        def echo(self, data: Any) -> Any:
            """What was sent, to measure the way."""
            return data

    return Envelope
