"""Names that differ, where a file uses one twice."""

from __future__ import annotations

from collections.abc import Sequence


def make_distinct(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The names with "_2", "_3" … on repetitions, and the indices of those that changed."""
    taken, used = set(names), set[str]()
    last: dict[str, int] = {}
    result, changed = [], []
    for index, name in enumerate(names):
        new = name
        while new in used:
            last[name] = last.get(name, 1) + 1
            candidate = f"{name}_{last[name]}"
            if candidate not in taken:
                new = candidate
        if new != name:
            taken.add(new)
            changed.append(index)
        used.add(new)
        result.append(new)
    return tuple(result), tuple(changed)


def rename_notes(names: Sequence[str], what: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Distinct names, and a note where any changed."""
    distinct, changed = make_distinct(names)
    if not changed:
        return distinct, ()
    first = f"'{names[changed[0]]}' to '{distinct[changed[0]]}'"
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return distinct, (f"{what} names that occur again were changed: {first}{more}",)
