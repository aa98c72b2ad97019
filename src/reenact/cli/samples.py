"""`reenact samples`: the clips that come with the package."""

from __future__ import annotations

from reenact.cli import terminal


def samples() -> None:
    """List the bundled clips: name, length, what each shows, source and licence.

    Example: reenact samples
    """
    from reenact.formats.samples import list_samples

    table = terminal.table("name", "seconds", "what it shows", "source", "licence", numbers=("seconds",))
    for sample in list_samples():
        table.add_row(f"[bold]{sample.name}[/]", f"{sample.seconds:.2f}", sample.shows, sample.source, sample.licence)
    terminal.show(table)
