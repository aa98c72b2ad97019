"""Wrong options of `reenact bench`: one line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from run_command import run


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bench", "sampling", "--motion", "moonwalk"), "no line 'moonwalk'"),
        (("bench", "sampling", "--seeds", "0"), "--seeds is 0"),
        (("bench", "sampling", "--markdown", "mine.md"), "mine.md: the page has no place for tables"),
        (("bench", "loop", "--seeds", "3"), "bench loop has no such options"),
        (("bench", "states", "--motion", "moonwalk"), "no line 'moonwalk'"),
        (("bench", "states", "--seeds", "0"), "--seeds is 0"),
        (("bench", "states", "--part", "robot"), "bench states has no part 'robot'"),
        (("bench", "sampling", "--part", "push"), "bench sampling has no part 'push'"),
        (("bench", "states", "--quick", "--part", "push"), "the quick version has the part figure6 only"),
        (("bench", "states", "--markdown", "mine.md"), "mine.md: the page has no place for tables"),
        (("bench", "states", "--walker", "nowhere"), "nowhere: no such take"),
        (("bench", "states", "--videos", "."), "bench states has no option --videos"),
        (("bench", "video", "--motion", "moonwalk"), "no line 'moonwalk'"),
        (("bench", "video", "--part", "push"), "bench video has no part 'push'"),
        (("bench", "video", "--quick", "--part", "real"), "the quick version has the part figure7 only"),
        (("bench", "video", "--videos", "nowhere"), "nowhere: is no folder of videos"),
        (("bench", "video", "--walker", "mine"), "bench video has no option --walker"),
    ],
)
def test_mistakes_are_one_line(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_text("# Mine\n")
    assert run(*arguments) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
