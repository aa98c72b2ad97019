"""A world as data: the ground and what stands on it, what the body carries, what flies at it and what pushes it.

Worlds are laid out around the origin, where the body starts, facing +x.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Protocol, TypeVar

from reenact.errors import WorldError
from reenact.world.attachments import Attachment, Carried, Load, Ski
from reenact.world.build import fixed_solids, height_over
from reenact.world.parts import (
    Beam,
    Box,
    Bumps,
    Ground,
    HeightField,
    Mat,
    Part,
    Pebbles,
    Platform,
    Ramp,
    Stairs,
    Trampoline,
)
from reenact.world.pushes import Push
from reenact.world.solids import Solid
from reenact.world.things import Rest, Rolled, Thing, Thrown, rest_of
from reenact.world.values import BadValueError

PARTS: Final[dict[str, type[Part]]] = {
    "stairs": Stairs,
    "ramp": Ramp,
    "beam": Beam,
    "platform": Platform,
    "box": Box,
    "mat": Mat,
    "bumps": Bumps,
    "heightfield": HeightField,
    "pebbles": Pebbles,
    "trampoline": Trampoline,
}
ATTACHMENTS: Final[dict[str, type[Attachment]]] = {"load": Load, "ski": Ski, "carried": Carried}
THINGS: Final[dict[str, type[Thing]]] = {"thrown": Thrown, "rolled": Rolled}
PUSHES: Final[dict[str, type[Push]]] = {"push": Push}
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")


class Named(Protocol):
    """Any entry of a world."""

    @property
    def name(self) -> str:
        """Unique in its world."""
        ...


T = TypeVar("T", bound=Named)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Where a body moves. Entries are kept by kind, in the order of the tables above; those without a name get one."""

    name: str = "flat"
    about: str = ""  # one line for people
    ground: Ground = field(default_factory=Ground)
    parts: tuple[Part, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    things: tuple[Thing, ...] = ()
    pushes: tuple[Push, ...] = ()
    source: str = field(default="", compare=False)  # the file it came from, for messages

    def __post_init__(self) -> None:
        """Put entries in order, name them, and refuse what does not hold together."""
        check_name("name", self.name)
        if not (self.about.isprintable() or not self.about):
            raise BadValueError("about", self.about, "one line of printable text")
        for group, kinds in (("parts", PARTS), ("attachments", ATTACHMENTS), ("things", THINGS), ("pushes", PUSHES)):
            object.__setattr__(self, group, _in_order(getattr(self, group), kinds))
        entries: list[Named] = [*self.parts, *self.attachments, *self.things, *self.pushes]
        seen = {"ground": "the ground"}
        for entry in entries:
            check_name("name", entry.name)
            kind = kind_of(entry)
            if entry.name in seen:
                raise WorldError(f"[[{kind}]] name = '{entry.name}' is taken by {seen[entry.name]}; names must differ")
            seen[entry.name] = f"a [[{kind}]]"
        rests(self)

    @property
    def least_friction(self) -> float:
        """Of the ground and of all that stands on it, is worn or comes flying."""
        parts = [part.friction for part in self.parts]
        worn = [attachment.friction for attachment in self.attachments]
        told = [friction for friction in (*parts, *worn) if friction is not None]
        return min([self.ground.friction, *told, *(thing.friction for thing in self.things)])

    def where(self, entry: Named) -> str:
        """'file: [[kind]] "name"' for messages."""
        place = f"{self.source}: " if self.source else ""
        return f'{place}[[{kind_of(entry)}]] "{entry.name}"'


@lru_cache(maxsize=64)
def solids_of(world: World) -> tuple[Solid, ...]:
    """Everything of the world that cannot move, but for the ground plane and the tees of thrown things."""
    return fixed_solids(world.ground, world.parts)


def rests(world: World) -> dict[str, Rest]:
    """Where each thrown or rolled thing waits, by name."""
    if not world.things:
        return {}
    found = {}
    for thing in world.things:
        try:
            found[thing.name] = rest_of(
                thing, world.ground, lambda x, y: float(height_over(world.ground, solids_of(world), x, y))
            )
        except BadValueError as error:
            raise WorldError(f'[[{kind_of(thing)}]] "{thing.name}": {error.cause}') from None
    return found


def kind_of(entry: object) -> str:
    """The table in which an entry stands in a file, e.g. "stairs"."""
    for kinds in (PARTS, ATTACHMENTS, THINGS, PUSHES):
        for kind, cls in kinds.items():
            if type(entry) is cls:
                return kind
    raise TypeError(f"no world holds a {type(entry).__name__}")


def check_name(key: str, name: str) -> None:
    """Refuse names that a model file could not carry."""
    if not NAME.fullmatch(name):
        raise BadValueError(key, name, "a letter, then letters, digits, '_', '.' or '-', at most 64 in all")


def _in_order(entries: Sequence[T], kinds: dict[str, type]) -> tuple[T, ...]:
    order = list(kinds)
    ordered = sorted(entries, key=lambda entry: order.index(kind_of(entry)))
    counts: dict[str, int] = {}
    named = []
    for entry in ordered:
        kind = kind_of(entry)
        counts[kind] = counts.get(kind, 0) + 1
        named.append(entry if entry.name else replace(entry, name=f"{kind}_{counts[kind]}"))  # type: ignore[type-var]
    return tuple(named)
