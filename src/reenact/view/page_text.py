"""Words on the browser page, safe as HTML and as Markdown."""

from __future__ import annotations

from html import escape

from reenact.view.facts import Verdict


def verdict_line(name: str, verdict: Verdict) -> str:
    """A take's verdict as HTML, red where it is a bad one; the colours are legible on light and on dark ground."""
    colour = {"good": "#2f9e63", "bad": "#e0483e"}.get(verdict.tone, "inherit")
    reason = f": {escape(verdict.reason)}" if verdict.reason else ""
    style = "margin:0.2em 0.9em;font-size:0.875em;overflow-wrap:anywhere"
    told = f"<span style='color:{colour}'><b>{escape(verdict.word.lower())}</b>{reason}</span>"
    return f"<div style='{style}'>{escape(name)}: {told}</div>"


def plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    escaped = "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|~^$" else c for c in text)
    return escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", " ")
