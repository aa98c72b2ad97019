"""A controller read from a take or from a file of its own, as it stands: edited by hand, it is read all the same."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reenact.errors import InputError

if TYPE_CHECKING:
    from reenact.body.body import Body
    from reenact.physics.controller import Controller

FILE = "controller.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerFile:
    """A controller, where it came from, and what is to be said about that."""

    path: Path  # of the file
    kind: str
    controller: Controller
    note: str = ""

    def body(self, name: str | None = None) -> Body:
        """Who it drives: the body of that name, of the take that the file lies in, or a named one with its axes."""
        from reenact.body.load import NAMED, load_body

        if name is not None:
            return load_body(name)
        beside = self.path.parent / "body.toml"
        if beside.is_file():
            return load_body(beside)
        axes = getattr(self.controller, "axes", ())
        for known in NAMED:
            body = load_body(known)
            if tuple(axis.name for axis in body.axes) == axes:
                return body
        raise InputError("lies in no take and fits none of the named bodies; say which with --body", path=self.path)


def read_controller(path: Path) -> ControllerFile:
    """Read a take's controller or a controller file; an error names the file, and the line where it is no JSON."""
    from reenact.control.read import controller_from_json
    from reenact.formats.take import require_take

    if path.is_dir() or not path.exists():
        require_take(path)
        path = path / FILE
    description = _parsed(path)
    try:
        controller = controller_from_json(description)
    except InputError as error:
        raise InputError(error.cause, path=path) from None
    return ControllerFile(path=path, kind=str(description["kind"]), controller=controller, note=_note(path))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} (column {error.colno})", path=path, line=error.lineno) from None
    except UnicodeDecodeError as error:
        raise InputError(f"is not text in UTF-8 (byte {error.start})", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    if not isinstance(description, dict):
        raise InputError(f"holds {type(description).__name__}, expected a JSON object", path=path)
    return description


def _note(path: Path) -> str:
    """What to say of a controller that is no longer the one its take was made with."""
    try:
        head = json.loads((path.parent / "take.json").read_text(encoding="utf-8"))
        recorded = head["files"][path.name]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    same = hashlib.sha256(path.read_bytes()).hexdigest() == recorded
    return "" if same else f"{path} was edited since the take was made; the take's motion is of the one before"
