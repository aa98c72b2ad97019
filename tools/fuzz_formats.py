"""Damage small valid files at random and read them: each must be read, or refused with one line.

    python tools/fuzz_formats.py --files 10000 --seed 1 --write docs/notes/fuzzing.md

A file counts as a crash if anything but an `InputError` of one line that names the file comes out, a warning included,
if reading takes longer than ten seconds, or if the process dies. Accepted clips are also inspected and written.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from fuzz_injuries import mutate
from fuzz_seeds import seeds

from reenact.errors import InputError
from reenact.formats.bvh_write import format_bvh
from reenact.formats.csv_table import format_csv
from reenact.formats.glb import format_glb
from reenact.formats.mot import format_mot
from reenact.formats.read import read_clip
from reenact.formats.trc import format_trc
from reenact.motion.calibration import drop_calibration_frames
from reenact.motion.clip import MarkerClip, SkeletonClip, Table
from reenact.motion.inspect import inspect_clip

SECONDS_LIMIT = 10
MEMORY_LIMIT = 4 * 2**30  # bytes of address space
BATCH = 1000


@dataclass
class Tally:
    files: int = 0
    accepted: int = 0
    rejected: int = 0
    crashes: list[str] = field(default_factory=list)
    slowest: float = 0.0  # s
    memory: float = 0.0  # MB, greatest growth of the reading process


def damaged(name: str, index: int, seed: int) -> dict[str, bytes]:
    """The files of one try: the same for the same name, index and seed."""
    rng = np.random.default_rng([seed, index, *name.encode()])
    choices = seeds()[name]
    files = dict(choices[int(rng.integers(len(choices)))])
    which = list(files)[int(rng.integers(len(files)))]
    files[which] = mutate(files[which], rng)
    return files


def try_file(folder: Path, name: str, index: int, seed: int) -> tuple[str, float]:
    """ "accepted", "rejected" or a description of what went wrong; and the seconds it took."""
    files = damaged(name, index, seed)
    for suffix, data in files.items():
        (folder / f"fuzz{suffix}").write_bytes(data)
    path = folder / f"fuzz{next(iter(files))}"
    start = time.perf_counter()
    signal.alarm(SECONDS_LIMIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exercise(read_clip(path))
        outcome = "accepted"
    except InputError as error:
        text = str(error)
        outcome = "rejected" if "\n" not in text and "fuzz." in text else f"{name} {index}: bad message {text!r}"
    except BaseException as error:  # whatever comes out is what this tool looks for
        where = traceback.extract_tb(error.__traceback__)[-1]
        outcome = f"{name} {index}: {type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
    finally:
        signal.alarm(0)
    return outcome, time.perf_counter() - start


def exercise(clip: SkeletonClip | MarkerClip | Table) -> None:
    """What is accepted must also stand being looked through and written."""
    inspect_clip(clip)
    if isinstance(clip, SkeletonClip):
        format_glb(drop_calibration_frames(clip))
        format_bvh(clip)
    elif isinstance(clip, MarkerClip):
        format_trc(clip, "fuzz.trc")
    else:
        format_mot(clip)
        format_csv(clip)


def run_batch(name: str, first: int, last: int, seed: int, pipe: Connection) -> None:
    """In a process of its own, which may die; reports after each file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    signal.signal(signal.SIGALRM, _too_slow)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as scratch:
        for index in range(first, last):
            outcome, seconds = try_file(Path(scratch), name, index, seed)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            pipe.send((index, outcome, seconds, grown))
    pipe.close()


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"longer than {SECONDS_LIMIT} s")


def fuzz(name: str, files: int, seed: int) -> Tally:
    """Damage and read `files` files of one format."""
    tally = Tally()
    context = get_context("spawn")
    first = 0
    while first < files:
        last = min(first + BATCH, files)
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=run_batch, args=(name, first, last, seed, sender))
        process.start()
        sender.close()
        done = first
        try:
            while True:
                index, outcome, seconds, grown = receiver.recv()
                done = index + 1
                tally.files += 1
                tally.slowest, tally.memory = max(tally.slowest, seconds), max(tally.memory, grown)
                tally.accepted += outcome == "accepted"
                tally.rejected += outcome == "rejected"
                if outcome not in ("accepted", "rejected"):
                    tally.crashes.append(outcome)
        except EOFError:
            process.join()
        if done < last:
            tally.files += 1
            tally.crashes.append(f"{name} {done}: the process died with code {process.exitcode}")
            done += 1
        first = done
    return tally


def table(tallies: dict[str, Tally]) -> str:
    rows = [
        "| format | files | read | refused with one line | crashes | slowest [s] | greatest memory [MB] |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    rows += [
        f"| {name} | {t.files} | {t.accepted} | {t.rejected} | {len(t.crashes)} | {t.slowest:.2f} | {t.memory:.0f} |"
        for name, t in tallies.items()
    ]
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10_000, help="damaged files per format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="*", default=list(seeds()), help="only these")
    parser.add_argument("--write", type=Path, help="Markdown file for the record")
    options = parser.parse_args()
    tallies = {}
    for name in options.formats:
        tallies[name] = fuzz(name, options.files, options.seed)
        for crash in tallies[name].crashes[:20]:
            print("CRASH", crash, file=sys.stderr)
        print(table({name: tallies[name]}).splitlines()[-1], flush=True)
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_text(
            RECORD.format(seed=options.seed, files=options.files, table=table(tallies), machine=machine())
        )
    sys.exit(any(tally.crashes for tally in tallies.values()))


def machine() -> str:
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()}"


RECORD = """# Fuzzing the readers

    python tools/fuzz_formats.py --files {files} --seed {seed} --write docs/notes/fuzzing.md

Small valid files (`tools/fuzz_seeds.py`) are damaged at random: bytes flipped, cut off, lines deleted, doubled and
swapped, numbers replaced by nan, inf, 1e308, -1 and huge counts, tokens deleted, blocks repeated up to a hundred times,
odd bytes inserted. Each file is read by `read_clip`; what is accepted is looked through by `inspect_clip` and written.
A crash is anything but a result or one `InputError` of one line that names the file; warnings, more than ten seconds,
more than 4 GB of address space and a dead process count as crashes. Memory is the growth of the reading process over
1000 files. The same damage, fewer files, runs with the tests.

{table}

Measured on {machine}.
"""

if __name__ == "__main__":
    main()
