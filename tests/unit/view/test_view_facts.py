from __future__ import annotations

import pytest

from reenact.view.facts import label_and_unit, sections_of, value_text, verdict_of


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("joint_error_cm", ("Joint error", "cm")),
        ("contact_slide_median_mm_s", ("Contact slide median", "mm/s")),
        ("torque_max_Nm", ("Torque max", "N·m")),
        ("status", ("Status", "")),
        ("s", ("S", "")),
        ("wall_seconds", ("Wall time", "s")),
    ],
)
def test_units_are_read_from_names(key: str, expected: tuple[str, str]) -> None:
    assert label_and_unit(key) == expected


def test_values_are_short() -> None:
    assert value_text(2.4711111) == "2.471"
    assert value_text(True) == "yes"
    assert value_text(None) == "–"
    assert value_text([1, 2.5]) == "1, 2.5"
    assert value_text("ab" * 32) == "abababababab…"
    assert value_text(float("nan")) == "nan"


def test_everything_told_is_shown_under_a_title() -> None:
    facts = {
        "format": "reenact-take",
        "metrics": {"joint_error_cm": 2.5, "audit": {"honest": True}},
        "method": "track",
        "seed": 3,
        "input": {"name": "walk.bvh"},
        "pushes": [{"body": "thorax", "newtons": 120, "from": "rear", "start": 0.5, "every": None}],
        "versions": {},
        "own": {"word": "kept"},
    }
    titles = {section.title: {row.label: row.value for row in section.rows} for section in sections_of(facts)}
    assert list(titles) == ["Metrics", "How it was made", "Input", "Pushes", "Own"]
    assert titles["Metrics"] == {"Joint error": "2.5 cm", "Audit: Honest": "yes"}
    assert titles["How it was made"] == {"Method": "track", "Seed": "3"}
    assert titles["Pushes"] == {"1.": "body thorax, force 120 N, from rear, start 0.5 s"}


def test_the_verdict_says_why() -> None:
    verdict = verdict_of({"status": "fell", "reason": "the pelvis sank"})
    assert (verdict.word, verdict.reason) == ("Fell", "the pelvis sank")
    assert verdict_of({}).word == "Unknown"


@pytest.mark.parametrize(
    ("facts", "tone", "word"),
    [
        ({"status": "ok"}, "good", "Did not fall"),  # all that is known of a take that nobody judged
        ({"status": "fell"}, "bad", "Fell"),
        ({"status": "diverged"}, "bad", "Diverged"),
        ({"status": "stopped"}, "unsure", "Stopped"),
        ({"status": "ok", "metrics": {"success": True}}, "good", "Done"),
        ({"status": "ok", "metrics": {"success": False}}, "bad", "Not done"),
        ({"status": "stopped", "metrics": {"success": False}}, "bad", "Not done"),
        ({"status": "fell", "metrics": {"success": True}}, "bad", "Not done"),  # who says both is not believed
        ({"status": "ok", "metrics": {"success": "yes"}}, "good", "Did not fall"),
        ({"status": "ok", "metrics": None}, "good", "Did not fall"),
    ],
)
def test_a_judged_take_is_done_or_not_done(facts: dict[str, object], tone: str, word: str) -> None:
    verdict = verdict_of(facts)
    assert (verdict.tone, verdict.word) == (tone, word)
