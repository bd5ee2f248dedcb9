"""Study files: products, zips, presets and references become points; what is wrong is said with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.study.plan import AdaptiveLoads, Plan, read_plan

ALLOWED = ["kind", "packet_flits", "buffer_flits", "seed", "traffic", "vcs"]
PRESETS = {"booksim": {}, "long": {"packet_flits": 64, "buffer_flits": 32}}


def _read(tmp_path: Path, text: str) -> Plan:
    path = tmp_path / "study.toml"
    path.write_text(text)
    return read_plan(path, ALLOWED, PRESETS)


def test_lists_are_axes_and_points_their_product(tmp_path: Path) -> None:
    plan = _read(tmp_path, '[[sweep]]\nnetwork = ["a:1", "b:2"]\nseed = [1, 2, 3]\nload = [0.1, 0.2]')
    assert [(c.point["network"], c.point["seed"]) for c in plan.curves] == [
        (n, s) for n in ("a:1", "b:2") for s in (1, 2, 3)
    ]
    assert all(c.loads == (0.1, 0.2) for c in plan.curves)
    assert plan.name == "study"


def test_threads_belong_to_the_study_and_name_no_point(tmp_path: Path) -> None:
    sweep = '[[sweep]]\nnetwork = "a:1"\nload = 0.1'
    many = _read(tmp_path, f"[study]\nthreads = 4\n{sweep}")
    assert many.threads == 4 and many.curves == _read(tmp_path, sweep).curves
    for bad, expected in (("0", "at least 1"), ("2.0", "a whole number or None"), ("true", "a whole number or None")):
        with pytest.raises(JumpnetError, match=rf"study.toml:2: \[study\] threads .* found, {expected} expected"):
            _read(tmp_path, f"[study]\nthreads = {bad}\n{sweep}")


def test_zipped_axes_go_together(tmp_path: Path) -> None:
    text = """
    [settings]
    traffic = ["uniform", "transpose"]
    load = 0.1
    [[sweep]]
    network = ["a:1", "b:2"]
    routing = ["ra", "rb"]
    zip = [["network", "routing"]]
    """
    plan = _read(tmp_path, text)
    assert [(c.point["network"], c.point["routing"], c.point["traffic"]) for c in plan.curves] == [
        ("a:1", "ra", "uniform"),
        ("a:1", "ra", "transpose"),
        ("b:2", "rb", "uniform"),
        ("b:2", "rb", "transpose"),
    ]


def test_presets_spread_and_later_words_win(tmp_path: Path) -> None:
    text = """
    [settings]
    load = 0.1
    [presets.mine]
    buffer_flits = "$packet_flits"
    vcs = 4
    [[sweep]]
    network = "a:1"
    preset = ["booksim", "long"]
    [[sweep]]
    network = "a:1"
    preset = [["long", "mine"]]
    seed = "$vcs"
    """
    points = [c.point for c in _read(tmp_path, text).curves]
    assert points[0] == {"network": "a:1"}
    assert points[1] == {"network": "a:1", "packet_flits": 64, "buffer_flits": 32}
    assert points[2] == {"network": "a:1", "packet_flits": 64, "buffer_flits": 64, "vcs": 4, "seed": 4}


def test_adaptive_loads(tmp_path: Path) -> None:
    plan = _read(tmp_path, '[[sweep]]\nnetwork = "a:1"\nload = { adaptive = true, points = 5 }')
    assert plan.curves[0].loads == AdaptiveLoads(points=5)
    table = '[settings.load]\nadaptive = true\ngrid = [0.1, 0.3]\n[[sweep]]\nnetwork = "a:1"'
    assert _read(tmp_path, table).curves[0].loads == AdaptiveLoads(grid=(0.1, 0.3))


BAD = [
    ("[[sweep]]\nnetwrok = 'a'", "2: unknown setting of [sweep] 'netwrok'; did you mean 'network'?"),
    ("[settings]\n\nsede = 3\n[[sweep]]\nnetwork='a'", "3: unknown setting of [settings] 'sede'; did you mean 'seed'?"),
    ("[setings]\nseed = 3", "1: unknown table 'setings'; did you mean 'settings'?"),
    ("[[sweep]]\nnetwork = 'a'\nload = [0.1, 1.5]", "3: load 1.5 found, numbers from 0 to 1 expected"),
    ("[[sweep]]\nnetwork = 'a'\nload = {adaptve=1}", "3: unknown setting of load 'adaptve'; did you mean 'adaptive'?"),
    (
        "[[sweep]]\nnetwork = 'a'\nload = {grid=[0.1,2]}",
        "3: load grid [0.1, 2.0] found, loads above 0 up to 1 expected",
    ),
    ("[[sweep]]\nnetwork = 'a'\nload = {points=1}", "3: load points 1 found, 2 to 1000 expected"),
    ("[[sweep]]\nnetwork = 'a'\nload = {tolerance='x'}", "3: load tolerance 'x' found, a number expected"),
    ("[study]\ntitel = 'x'", "2: unknown setting of [study] 'titel'; did you mean 'title'?"),
    (
        "[[sweep]]\nnetwork = ['a','b']\nseed = [1,2,3]\nzip = [['network','seed']]",
        "4: axes of different lengths found in zip: network has 2, seed has 3",
    ),
    ("[[sweep]]\nnetwork = 'a'\nzip = [['network','sed']]", "3: unknown axis in zip 'sed'; expected one of network"),
    ("[[sweep]]\nnetwork = 'a'\npreset = 'logn'", "3: unknown preset 'logn'; did you mean 'long'?"),
    ("[[sweep]]\nnetwork = 'a'\nseed = '$vcs'", "3: unknown reference 'vcs'"),
    ("[[sweep]]\nnetwork = 'a'\nseed = '$vcs'\nvcs = '$seed'", "cyclic references found: seed -> vcs -> seed"),
    ("[[sweep]]\nseed = 1", "1: no network found in [[sweep]]"),
    ("[study]\nname = 'x'", "no [[sweep]] found"),
    ("[[sweep]]\nnetwork = 'a'", "1: no load found in [[sweep]], loads such as [0.1, 0.2] expected"),
    ("[[sweep]]\nnetwork = 'a'\nkind = ['yield', 'multicast']", "1: no load found in [[sweep]]"),
    ("[[sweep]]\nnetwork = 'a'\nload = []", "3: load = [] found, at least one value expected"),
    ("[[sweep]]\nnetwork = []", "2: network = [] found, at least one value expected"),
    ("[[sweep]\n", "line 1"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        _read(tmp_path, text)
    assert message in str(caught.value)
    assert "study.toml" in str(caught.value) and "\n" not in str(caught.value)


def test_kinds_that_take_no_load_need_none(tmp_path: Path) -> None:
    assert len(_read(tmp_path, "[[sweep]]\nnetwork = 'a:1'\nkind = 'yield'").curves) == 1
