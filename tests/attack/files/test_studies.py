"""Study files with too many points, and with values that TOML knows and no setting takes: one line each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.attack.command_line.command import refused

from jumpnet.errors import JumpnetError
from jumpnet.study import plan as plans
from jumpnet.study.plan import MAX_POINTS, Plan, read_plan
from jumpnet.study.point import resolve
from jumpnet.study.results import open_plan

KEYS = (
    "network",
    "routing",
    "load",
    "preset",
    "seed",
    "vcs",
    "traffic",
    "injection",
    "internal_speedup",
    "zip",
    "kind",
)
STRANGE = (
    "nan", "inf", "-inf", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "1e400", "9" * 20, "9" * 5000, "-0.0",
    "{a = 1}", "{adaptive = nan}", "{grid = [inf]}", "[[1]]", "[]", '"$x"', '"$load"', "[{a = 1}]", '""', "true",
    '[["a"], ["b"]]', '[[["network"]]]', '"[/bold]"', '"\\u0000"', '"\\u001b[2J"', "[" * 3000 + "]" * 3000,
)  # fmt: skip


def study(folder: Path, *lines: str) -> Path:
    path = folder / "s.toml"
    path.write_text("\n".join(["settings = { load = 0.1 }", "[study]", 'name = "s"', "[[sweep]]", *lines]) + "\n")
    return path


def planned(path: Path) -> Plan:
    plan = open_plan(path)
    for curve in plan.curves[:3]:
        resolve(dict(curve.point), 0.1)
    return plan


def test_too_many_points_are_refused_before_they_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axes = ("buffer_flits", "vcs", "packet_flits", "seed", "warmup_cycles", "link_cycles", "measure_cycles", "mix")
    values = str(list(range(1, 101)))
    path = study(tmp_path, 'network = "torus:4x4"', *(f"{key} = {values}" for key in axes))
    with pytest.raises(JumpnetError, match=f"{100**8} points found, at most {MAX_POINTS} expected"):
        read_plan(path, axes, {})
    two = study(tmp_path, 'network = "torus:4x4"', "seed = [1, 2]", "load = [0.1, 0.2]", "[[sweep]]", 'network = "m"')
    assert len(read_plan(two, ["seed"], {}).curves) == 3
    monkeypatch.setattr(plans, "MAX_POINTS", 5)
    assert len(read_plan(two, ["seed"], {}).curves) == 3
    monkeypatch.setattr(plans, "MAX_POINTS", 4)
    with pytest.raises(JumpnetError, match="5 points found, at most 4 expected"):
        read_plan(two, ["seed"], {})


@pytest.mark.parametrize("value", STRANGE, ids=lambda v: v[:20])
@pytest.mark.parametrize("key", KEYS)
def test_a_strange_value_is_one_line(tmp_path: Path, key: str, value: str) -> None:
    lines = {"network": '"torus:4x4"', key: value}
    try:
        planned(study(tmp_path, *(f"{name} = {text}" for name, text in lines.items())))
    except JumpnetError as error:
        assert "\n" not in str(error)


def test_dates_and_numbers_that_are_none_are_named(tmp_path: Path) -> None:
    for value in ("nan", "inf", "1979-05-27", "9" * 20):
        path = study(tmp_path, 'network = "torus:4x4"', f"seed = [1, {value}]")
        with pytest.raises(JumpnetError, match=r"s\.toml:6: seed = "):
            planned(path)
    assert "seed = nan found, a finite number expected" in refused(
        "sweep", str(study(tmp_path, 'network = "torus:4x4"', "seed = nan")), folder=tmp_path
    )


@pytest.mark.parametrize("seed", range(150))
def test_spoiled_bytes(tmp_path: Path, seed: int) -> None:
    """A study with some bytes changed, left out or put in is a study or one line."""
    draw = random.Random(seed)
    path = study(
        tmp_path, 'network = ["torus:4x4", "mesh:4x4"]', 'routing = ["torus.dateline", "mesh.dimension_order"]',
        'zip = [["network", "routing"]]', "load = { adaptive = true, points = 3 }",
        "vcs = [2, 4]", 'reply_flits = "$vcs"',
    )  # fmt: skip
    data = bytearray(path.read_bytes())
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(data))
        data[at : at + draw.randrange(3)] = draw.choice([b"", b"\0", b"\xff", b"[", b"9", b"nan", b'"', b"\n", b"$"])
    path.write_bytes(data)
    try:
        planned(path)
    except JumpnetError as error:
        assert "\n" not in str(error)
