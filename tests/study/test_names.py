"""Names of points: those of a whole curve equal those of its points, and what is known is not resolved again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jumpnet.study.names
from jumpnet.registry import users
from jumpnet.study.names import Names, point_hash
from jumpnet.study.point import evaluate, resolve
from jumpnet.study.store import Store

POINTS: list[dict[str, Any]] = [
    {"network": "torus:4x4", "seed": 3},
    {"network": "mesh:4x4", "routing": "mesh.dimension_order", "traffic": "hotspot:nodes=3-5"},
    {"kind": "yield", "network": "torus:8x8", "wafers": 10},
]
KEYS = st.text('load":-10.', max_size=12)


class _Kept:
    """A store of meanings in memory."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str], str] = {}

    def meaning(self, settings: str, sources: str) -> str | None:
        return self.found.get((settings, sources))

    def keep_meanings(self, found: Any, sources: str) -> None:
        self.found |= {(settings, sources): config for settings, config in found.items()}


@pytest.mark.parametrize("point", POINTS)
def test_a_curve_gives_its_points_the_names_they_have_alone(point: dict[str, Any]) -> None:
    name = Names(_Kept(), resolve, "m").of(point)
    for load in (0.0, 0.1, 1 / 3, 1e-6, 1.0):
        assert name(load) == point_hash(resolve(point, load), "m")


def test_the_same_point_for_any_number_of_threads() -> None:
    config = resolve({"network": "torus:8x8", "warmup_cycles": 100, "measure_cycles": 400}, 0.2)
    assert evaluate(config, threads=2)["result"] == evaluate(config, threads=1)["result"]


@given(st.dictionaries(KEYS, KEYS | st.floats(-1, 1)), st.floats(0, 1))
def test_whatever_a_configuration_holds_the_load_is_put_in_its_place(point: dict[str, Any], load: float) -> None:
    def together(point: dict[str, Any], load: float) -> dict[str, Any]:
        return {**point, "load": load}

    assert Names(_Kept(), together, "m").of(point)(load) == point_hash(together(point, load), "m")


def test_meanings_are_kept_in_the_store_until_a_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def counted(point: dict[str, Any], load: float) -> dict[str, Any]:
        asked.append(point)
        return resolve(point, load)

    def named() -> list[str]:
        with Store(tmp_path / "s") as store:
            names = Names(store, counted, "m")
            found = [names.of(point)(0.25) for point in POINTS]
            names.save()
        return found

    monkeypatch.setattr(users, "extended", False)
    want = named()
    assert len(asked) == 3
    assert named() == want and len(asked) == 3
    with monkeypatch.context() as patch:  # a user's own routing may mean anything
        patch.setattr(users, "extended", True)
        assert named() == want and len(asked) == 6
    monkeypatch.setattr(jumpnet.study.names, "sources_key", lambda: "edited")
    assert named() == want and len(asked) == 9
    assert named() == want and len(asked) == 9
    in_a_file = {"network": "file:example.anynet", "routing": "up_down"}
    with Store(tmp_path / "s") as store:
        for _ in range(2):
            names = Names(store, counted, "m")
            names.of(in_a_file)
            names.save()
    assert len(asked) == 11
