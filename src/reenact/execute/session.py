"""Connecting to Ray: finding a cluster or starting one here, quietly, and leaving as it was."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reenact.errors import MissingExtraError, ReenactError
from reenact.execute.probe import speaks_grpc
from reenact.physics.rollout import cores
from reenact.silence import silent_stderr

AUTO = "auto"
PORT = 6379  # Ray's own, where an address names none
STORE = 100_000_000  # bytes of shared memory for a cluster started here; little travels through it
_CLIENT = "ray://"


class ClusterError(ReenactError):
    """A cluster that is not there, not fit for the work, or lost."""


@contextmanager
def session(address: str = AUTO) -> Iterator[str]:
    """Ray, connected for as long as the context lasts; gives the address, "" for a cluster that was started here.

    address: HOST:PORT of a cluster to which this machine belongs, or ray://HOST:PORT of any other. "auto" takes the
    one that RAY_ADDRESS names or that runs on this machine, and starts one here where there is none; that one is
    stopped at the end, and others are left running. A process that is connected already stays so.
    """
    ray = import_ray()
    if ray.is_initialized():
        yield address
        return
    found = _running() if address == AUTO else address
    if found and not _answers(found):
        raise ClusterError(f"no Ray cluster answers at {found}; start one there (`ray start --head`) or give another")
    folder = None if found else tempfile.mkdtemp(prefix="reenact-ray-", dir="/tmp")  # sockets need a short path
    try:
        with _muted(ray):
            _connect(ray, found, folder)
            yield found
    finally:
        ray.shutdown()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def import_ray() -> Any:
    """The package ray, kept from writing home and to the terminal."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # what it warns of by default
    try:
        import ray
    except ImportError:
        raise MissingExtraError("cluster", "running on a cluster") from None
    return ray


def _connect(ray: Any, address: str, folder: str | None) -> None:
    logging.getLogger("ray").setLevel(logging.ERROR)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address:
        options["address"] = address
    else:
        options |= {"address": "local", "num_cpus": cores(), "object_store_memory": STORE}
        options |= {"include_dashboard": False, "_temp_dir": folder}
    try:
        with silent_stderr():
            ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError, ImportError, ray.exceptions.RayError) as error:
        where = f"cannot join the Ray cluster at {address}" if address else "cannot start Ray on this machine"
        raise ClusterError(f"{where}: {_cause(error)}") from error


@contextmanager
def _muted(ray: Any) -> Iterator[None]:
    """Keep Ray from printing on stdout that a machine was lost; no option of Ray does that."""
    module, name = ray._private.worker, "print_to_stdstream"
    printing = getattr(module, name, None)
    try:
        setattr(module, name, lambda *_, **__: None)
        yield
    finally:
        if printing is not None:
            setattr(module, name, printing)


def _cause(error: BaseException) -> str:
    """Why Ray could not connect, in one line."""
    if "Authentication" in f"{error} {error.__cause__}":
        return "it asks for a token; set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH"
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def _running() -> str:
    """Address of a cluster that answers: RAY_ADDRESS, or what `ray start` noted on this machine; "" where none does."""
    note = Path(os.environ.get("RAY_TMPDIR", "/tmp")) / "ray" / "ray_current_cluster"
    noted = note.read_text().strip() if note.is_file() else ""
    candidates = (os.environ.get("RAY_ADDRESS", ""), noted)
    return next((a for a in candidates if a not in ("", AUTO, "local") and _answers(a)), "")


def _answers(address: str) -> bool:
    return speaks_grpc(*_host_and_port(address))


def _host_and_port(address: str) -> tuple[str, int]:
    place = address.removeprefix(_CLIENT)
    host, colon, port = place.rpartition(":")
    if not colon:
        host, port = place, str(10001 if address.startswith(_CLIENT) else PORT)
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ClusterError(f"'{address}' is no address of a cluster; expected auto, HOST:PORT or ray://HOST:PORT")
    return host.strip("[]"), int(port)
