"""A body file with one wrong edit gives one line that names file, segment, field, value and expectation."""

import re

import pytest

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.toml import dump_body, parse_body
from reenact.errors import BodyError

SMALL = """
name = "pair"
stature = 1.0
end_effectors = ["arm_left"]
mirror = [["arm_left", "arm_right"]]

[landmarks]
tip_left = { segment = "arm_left", position = [0, 0, -0.3] }

[[segment]]
name = "trunk"
joint = "root"
part = "trunk"
offset = [0, 0, 0.5]
mass = 10.0
com = [0, 0, 0]
inertia = [1.0, 1.0, 0.5]
shape = [{ name = "trunk", kind = "box", position = [0, 0, 0], size = [0.1, 0.1, 0.5] }]

[[segment]]
name = "arm_left"
parent = "trunk"
joint = "shoulder_left"
part = "limb"
offset = [0, 0.3, 0.4]
mass = 2.0
com = [0, 0, -0.15]
inertia = [0.02, 0.02, 0.001]
[[segment.axis]]
name = "shoulder_left_flexion"
direction = [0, -1, 0]
range = [-1, 3]
torque_limit = 50
stiffness = 100
damping = 10
[[segment.shape]]
name = "arm_left"
kind = "capsule"
ends = [[0, 0, 0], [0, 0, -0.3]]
size = [0.04]

[[segment]]
name = "arm_right"
parent = "trunk"
joint = "shoulder_right"
part = "limb"
offset = [0, -0.3, 0.4]
mass = 2.0
com = [0, 0, -0.15]
inertia = [0.02, 0.02, 0.001]
[[segment.axis]]
name = "shoulder_right_flexion"
direction = [0, -1, 0]
range = [-1, 3]
torque_limit = 50
stiffness = 100
damping = 10
[[segment.shape]]
name = "arm_right"
kind = "capsule"
ends = [[0, 0, 0], [0, 0, -0.3]]
size = [0.04]
"""

ROOT_AXIS = """
axis = [{ name = "a", direction = [0, -1, 0], range = [-1, 3], torque_limit = 5, stiffness = 1, damping = 1 }]
"""

EDITS = {
    "unknown parent": (
        'parent = "trunk"',
        'parent = "trnk"',
        "segment 'arm_left': parent is 'trnk', expected a segment; there are: trunk, arm_left, arm_right",
    ),
    "cycle": (
        'joint = "root"',
        'parent = "arm_left"\njoint = "root"',
        "segments without a parent: none, expected exactly one root",
    ),
    "two roots": (
        'parent = "trunk"\njoint = "shoulder_left"',
        'joint = "shoulder_left"',
        "segments without a parent: 2 (trunk, arm_left), expected exactly one root",
    ),
    "loop apart": (
        'parent = "trunk"\njoint = "shoulder_left"',
        'parent = "arm_left"\njoint = "shoulder_left"',
        "segment 'arm_left': parents form a cycle (arm_left -> arm_left)",
    ),
    "negative mass": ("mass = 10.0", "mass = -10.0", "segment 'trunk': mass is -10, expected more than 0"),
    "tiny mass": ("mass = 10.0", "mass = 1e-20", "segment 'trunk': mass is 1e-20, expected 1e-06 or more"),
    "taken name": (
        'name = "arm_left"\nparent',
        'name = "world"\nparent',
        "segment name 'world' is taken by the simulation",
    ),
    "mass of text": ("mass = 10.0", 'mass = "ten"', "segment 'trunk': mass is 'ten', expected float, got str"),
    "mass NaN": ("mass = 10.0", "mass = nan", "segment 'trunk': mass is nan, expected more than 0"),
    "offset NaN": (
        "offset = [0, 0.3, 0.4]",
        "offset = [0, nan, 0.4]",
        "segment 'arm_left': offset is [0, nan, 0.4], expected finite numbers",
    ),
    "offset short": (
        "offset = [0, 0.3, 0.4]",
        "offset = [0, 0.3]",
        "segment 'arm_left': offset has 2 numbers, expected 3",
    ),
    "no triangle": (
        "inertia = [1.0, 1.0, 0.5]",
        "inertia = [1.0, 3.0, 0.5]",
        "segment 'trunk': inertia is [1, 3, 0.5], expected no moment above the sum of the other two (3 > 1.5)",
    ),
    "inertia zero": (
        "inertia = [1.0, 1.0, 0.5]",
        "inertia = [1.0, 1.0, 0]",
        "segment 'trunk': inertia is [1, 1, 0], expected three moments of 1e-12 kg·m² or more",
    ),
    "range reversed": (
        "range = [-1, 3]",
        "range = [3, -1]",
        "axis 'shoulder_left_flexion': range is [3, -1] rad, expected the lower bound first",
    ),
    "range off rest": (
        "range = [-1, 3]",
        "range = [1, 3]",
        "axis 'shoulder_left_flexion': range is [1, 3] rad, expected the rest angle 0 inside",
    ),
    "range short": (
        "range = [-1, 3]",
        "range = [-1]",
        "axis 'shoulder_left_flexion': range is [-1], expected array of length 2, got 1",
    ),
    "axis of no length": (
        "direction = [0, -1, 0]",
        "direction = [0, 0, 0]",
        "axis 'shoulder_left_flexion': direction is [0, 0, 0] of length 0, expected length 1",
    ),
    "weak axis": (
        "torque_limit = 50",
        "torque_limit = 0",
        "axis 'shoulder_left_flexion': torque_limit is 0, expected more than 0",
    ),
    "soft axis": (
        "stiffness = 100",
        "stiffness = -1",
        "axis 'shoulder_left_flexion': stiffness is -1, expected 0 or more",
    ),
    "unknown key": (
        "com = [0, 0, 0]",
        "com = [0, 0, 0]\ncolour = 3",
        "segment 'trunk': unknown field 'colour', expected one of: name, joint, part, ",
    ),
    "unknown key at top": (
        "stature = 1.0",
        "statur = 1.0",
        "body 'pair': unknown field 'statur', expected one of: name, stature, ",
    ),
    "unknown key of axis": (
        "damping = 10",
        "dampin = 10",
        "axis 'shoulder_left_flexion': unknown field 'dampin', expected one of: name, direction, ",
    ),
    "unknown key of landmark": (
        "position = [0, 0, -0.3] }",
        "position = [0, 0, -0.3], size = 1 }",
        "unknown field 'size', expected one of: segment, position",
    ),
    "missing key": ("com = [0, 0, 0]\n", "", "segment 'trunk': field 'com' is missing"),
    "missing name": ('name = "arm_left"\n', "", "segment number 2: field 'name' is missing"),
    "missing stature": ("stature = 1.0", "", "body 'pair': field 'stature' is missing"),
    "name twice": ('name = "arm_right"\nparent', 'name = "arm_left"\nparent', "segment name 'arm_left' stands twice"),
    "axis twice": ("shoulder_right_flexion", "shoulder_left_flexion", "axis name 'shoulder_left_flexion' stands twice"),
    "shape twice": ('name = "arm_right"\nkind', 'name = "arm_left"\nkind', "shape name 'arm_left' stands twice"),
    "joint twice": ('joint = "shoulder_right"', 'joint = "shoulder_left"', "joint name 'shoulder_left' stands twice"),
    "part": (
        'part = "limb"',
        'part = "wing"',
        "segment 'arm_left': part is 'wing', expected one of: foot, hand, knee, trunk, head, limb",
    ),
    "kind": (
        'kind = "box"',
        'kind = "cube"',
        "shape 'trunk': kind is 'cube', expected one of: sphere, capsule, box, ellipsoid",
    ),
    "size": ("size = [0.1, 0.1, 0.5]", "size = [0.1, 0.1]", "shape 'trunk': size has 2 numbers, expected 3"),
    "flat": (
        "size = [0.1, 0.1, 0.5]",
        "size = [0.1, 0, 0.5]",
        "shape 'trunk': size is [0.1, 0, 0.5], expected 3 positive lengths",
    ),
    "no place": ("position = [0, 0, 0], size", "size", "shape 'trunk': position is missing, expected three numbers"),
    "one end": (
        "ends = [[0, 0, 0], [0, 0, -0.3]]",
        "ends = [[0, 0, 0]]",
        "shape 'arm_left': ends are [[0.0, 0.0, 0.0]] and size [0.04], expected two points and one radius",
    ),
    "mirror": (
        '["arm_left", "arm_right"]',
        '["arm_left", "arm_rigt"]',
        "mirror pair (arm_left, arm_rigt) is 'arm_rigt', expected a segment; there are: trunk, ",
    ),
    "mirror twice": (
        '[["arm_left", "arm_right"]]',
        '[["arm_left", "arm_left"]]',
        "mirror names segment 'arm_left' twice",
    ),
    "mirrored middle": (
        'joint = "root"',
        'joint = "root"\nmirrored = true',
        "segment 'trunk': mirrored is true, expected a name that ends in '_left'",
    ),
    "landmark": (
        'segment = "arm_left", position',
        'segment = "arm", position',
        "landmark 'tip_left': segment is 'arm', expected a segment; there are: ",
    ),
    "end effector": (
        'end_effectors = ["arm_left"]',
        'end_effectors = ["hand"]',
        "end_effectors is 'hand', expected a segment; there are: ",
    ),
    "stature": ("stature = 1.0", "stature = 1.2", "stature is 1.2 m, expected 1 m, from sole to vertex at rest"),
    "axis at root": (
        "com = [0, 0, 0]",
        "com = [0, 0, 0]" + ROOT_AXIS,
        "segment 'trunk': axes are 1, expected none at the root",
    ),
    "not TOML": ("mass = 10.0", "mass = = 10.0", "pair.toml:15: is not TOML: Invalid value"),
}


def test_the_unedited_file_is_a_body():
    body = parse_body(SMALL, "pair.toml")
    assert body.segment_names == ("trunk", "arm_left", "arm_right")


@pytest.mark.parametrize("edit", EDITS)
def test_a_wrong_edit_is_named_in_one_line(edit):
    old, new, words = EDITS[edit]
    assert old in SMALL
    with pytest.raises(BodyError) as caught:
        parse_body(SMALL.replace(old, new, 1), "pair.toml")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("pair.toml:")
    assert words in message


# The mistake is in how segments hang together, or stands on a line beside the one that the message speaks of.
NO_LINE = {"cycle", "two roots", "missing key", "missing name", "missing stature"}
BESIDE = {"loop apart", "no place", "one end", "axis at root", "mirrored middle"}


@pytest.mark.parametrize("edit", sorted(EDITS.keys() - NO_LINE - BESIDE))
def test_a_wrong_edit_is_found_on_its_line(edit):
    old, new, _ = EDITS[edit]
    text = SMALL.replace(old, new, 1)
    pairs = zip(SMALL.splitlines(), text.splitlines(), strict=False)
    edited = next(i for i, (before, after) in enumerate(pairs, start=1) if before != after)
    with pytest.raises(BodyError) as caught:
        parse_body(text, "pair.toml")
    assert caught.value.line == edited


def test_mirrored_segments_are_the_written_out_ones():
    halves = re.split(r"(?=\[\[segment\]\])", SMALL)
    short = (
        "".join(halves[:3])
        .replace('mirror = [["arm_left", "arm_right"]]\n', "")
        .replace('"arm_left"\nparent', '"arm_left"\nmirrored = true\nparent')
    )
    body, written = parse_body(short), parse_body(SMALL)
    assert body.landmarks.keys() == {"tip_left", "tip_right"}
    assert dump_body(body).split("[[segment]]", 1)[1] == dump_body(written).split("[[segment]]", 1)[1]
    assert body.mirror == written.mirror


def test_segments_may_stand_in_any_order():
    head, trunk, left, right = re.split(r"(?=\[\[segment\]\])", SMALL)
    body = parse_body(head + right + left + trunk)
    assert body.segment_names == ("trunk", "arm_right", "arm_left")


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
def test_named_bodies_survive_the_file(name):
    body = load_body(name)
    text = dump_body(body)
    assert dump_body(parse_body(text)) == text


def test_a_file_loads_by_its_path(tmp_path):
    path = tmp_path / "me.toml"
    path.write_text(dump_body(adult("female")), encoding="utf-8")
    assert load_body(path).mass == adult("female").mass
    assert load_body(str(path)).segment_names == adult().segment_names


def test_odd_names_survive_the_file():
    text = SMALL.replace('"pair"', '"pair \\"of\\" äöü"').replace("tip_left =", '"tip, left" =')
    body = parse_body(text)
    again = parse_body(dump_body(body))
    assert again.name == 'pair "of" äöü'
    assert again.landmarks.keys() == {"tip, left"}
