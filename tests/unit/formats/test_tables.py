"""MOT, STO and CSV tables in and out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fuzz_seeds import table

from reenact.errors import InputError
from reenact.formats.csv_table import format_csv, read_csv, write_csv
from reenact.formats.mot import format_mot, read_mot, write_mot

FORMATS = [(read_mot, write_mot, format_mot, "a.mot"), (read_csv, write_csv, format_csv, "a.csv")]


@pytest.mark.parametrize(("read", "write", "form", "name"), FORMATS)
def test_numbers_round_trip_exactly(tmp_path, read, write, form, name):
    values = table().values.copy()
    values[0] = [np.pi, 1e-17, -123456.789e10]
    values[3, 1] = np.nan
    wild = replace(table(), name="a", values=values)
    write(tmp_path / name, wild)
    back = read(tmp_path / name)
    np.testing.assert_array_equal(back.values, values)
    np.testing.assert_array_equal(back.time, wild.time)
    assert back.columns == wild.columns
    assert form(back) == (tmp_path / name).read_text()


def test_degrees_and_names_with_commas(tmp_path):
    write_mot(tmp_path / "a.mot", table())
    assert read_mot(tmp_path / "a.mot").in_degrees
    odd = replace(table(), columns=('say "knee"', "force, left", "x"))
    write_csv(tmp_path / "a.csv", odd)
    assert read_csv(tmp_path / "a.csv").columns == odd.columns


def test_old_simm_header(written):
    text = "name run\ndatacolumns 3\ndatarows 99\nrange 0 1\nendheader\ntime a b\n0 1 2\n0.5 3 4\n"
    back = read_mot(written("a.mot", text))
    assert back.columns == ("a", "b")
    assert back.notes == ("the header says 99 rows, the file has 2",)
    assert not back.in_degrees


def test_odd_times_are_noted(written):
    text = "endheader\ntime a\n0 1\n0.1 2\n0.05 3\n"
    assert read_mot(written("a.mot", text)).notes == ("time does not increase at row 3",)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.mot", "a\nb\n", "no line 'endheader'"),
        ("a.mot", "endheader\n", "before the column names"),
        ("a.mot", "endheader\nframe a\n0 1\n", ":2: the first column is 'frame', expected 'time'"),
        ("a.mot", "endheader\ntime a\n", "no rows"),
        ("a.mot", "endheader\ntime a\n0 1 2\n", ":3: row 1 has 3 numbers, expected 2"),
        ("a.mot", "endheader\ntime a\n0 inf\n", "row 1, column 2: got inf"),
        ("a.mot", "endheader\ntime a\nnan 1\n", ":3: row 1, column 1: got nan"),
        ("a.csv", "a,b\n1,2\n", ":1: the first column is 'a'"),
        ("a.csv", "time,b\n1,x\n", ":2: row 1, column 2: got 'x'"),
        ("a.csv", "time,b\n,2\n", ":2: row 1, column 1: got nan"),
        ("a.csv", "time,b\n", "no rows"),
        ("a.csv", "\n\n", "blank"),
    ],
)
def test_broken(written, name, text, words):
    with pytest.raises(InputError) as caught:
        (read_mot if name.endswith("mot") else read_csv)(written(name, text))
    assert words in str(caught.value)
    assert name in str(caught.value)
