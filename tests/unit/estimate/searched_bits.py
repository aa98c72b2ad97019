"""Run as a program: a short search, whose matrices are large enough to be shared out among threads, as a hash."""

from __future__ import annotations

import hashlib
import json

from bending_motion import bending

from reenact.estimate.processor import processor
from reenact.estimate.sampling.sampler import search
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.so_far import found
from reenact.estimate.sampling.task import task_of
from reenact.estimate.sampling.threads import Threads
from reenact.geometry.one_thread import libraries
from reenact.world.world import World

SETTINGS = Settings(samples=600, save=20, visits=2, horizon=2, seed=4)


def main() -> None:
    """Print what was found, the threads of linear algebra after it, and what the processor computes."""
    task = task_of(bending(0.2), World(), SETTINGS)
    now = list(search(task, SETTINGS, Threads(task.stage, threads=1)))[-1].search
    known = [tried.end for step in now.known for tried in step.tried]
    total = hashlib.sha256(b"".join(array.tobytes() for array in (*known, found(now).state)))
    threads = max(library.num_threads for library in libraries())
    print(json.dumps({"bits": total.hexdigest(), "threads": threads, "processor": processor()}))


if __name__ == "__main__":
    main()
