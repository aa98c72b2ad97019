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
    from reenact.formats.take import Take
    from reenact.physics.controller import Controller

FILE = "controller.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerFile:
    """A controller, where it came from, and what is to be said about that."""

    path: Path  # of the file
    kind: str
    description: dict[str, Any]
    controller: Controller
    note: str = ""

    @property
    def edited(self) -> bool:
        """Whether it is no longer the one that the take it lies in was made with."""
        return bool(self.note)

    def for_body(self, body: Body) -> dict[str, Any]:
        """The description, a state machine's names in the order of the body's; one for another body is refused."""
        from reenact.control.machine.machine import Machine

        if not isinstance(self.controller, Machine):
            return self.description
        machine = self.controller.ordered(body)
        try:
            machine.check_limbs(body)
        except InputError as error:
            raise InputError(error.cause, path=self.path) from None
        if machine is self.controller:
            return self.description
        return {**self.description, "states": machine.to_json()["states"]}

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

    if path.is_dir() or (not path.exists() and path.suffix != ".json"):
        require_take(path)
        path = path / FILE
    description = _parsed(path)
    try:
        controller = controller_from_json(description)
    except InputError as error:
        raise InputError(error.cause, path=path) from None
    return ControllerFile(
        path=path, kind=str(description["kind"]), description=description, controller=controller, note=edited_note(path)
    )


def read_to_run(take: Path, controller: Path | None = None) -> tuple[Take, ControllerFile]:
    """A take with its controller as it stands, edited or not, or with one from another file; checked for its body.

    All else of the take must be as it was written.
    """
    from reenact.body.load import load_body
    from reenact.body.toml import parse_body
    from reenact.control.recipe import open_recipe
    from reenact.formats.take import read_take, require_take
    from reenact.world.toml import parse_world

    require_take(take)
    file = read_controller(take if controller is None else controller)
    if controller is None and not file.edited:
        return read_take(take), file
    found = read_take(take, controller=file.for_body(load_body(take / "body.toml")))
    try:
        open_recipe(found.controller, parse_body(found.body_toml), parse_world(found.world_toml))
    except InputError as error:
        raise InputError(error.cause, path=file.path) from None
    return found, file


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


def edited_note(path: Path) -> str:
    """What to say of a controller that is no longer the one its take was made with."""
    try:
        head = json.loads((path.parent / "take.json").read_text(encoding="utf-8"))
        recorded = head["files"][path.name]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    same = hashlib.sha256(path.read_bytes()).hexdigest() == recorded
    return "" if same else f"{path} was edited since the take was made; the take's motion is of the one before"
