"""Which code serves a run: sizes that most grids share are constants of kinds of their own."""

from __future__ import annotations

from typing import Any

import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import run_kinds as kinds
from jumpnet.topology import build

OTHERS: list[dict[str, Any]] = [
    {"buffer_flits": 9},
    {"packet_flits": "1..4"},
    {"batch_cycles": 400},
    {"link_cycles": 9},
]
"""Settings with which a run has not all of those sizes."""


def _kind(spec: str, vcs: int, packed: bool, **settings: Any) -> type:
    """The kind of a run on a network, while its routers are kept as sets, or as rows."""
    config = config_from({"load": 0.1, "vcs": vcs, **settings})
    return Engine(build(spec), None, config, threads=1).memory.kind(packed)


@pytest.mark.skipif(DISABLED, reason="plain Python has no kinds")
@pytest.mark.parametrize("flits", [2, 5, 16, 40])
@pytest.mark.parametrize(
    ("vcs", "grid", "other"), [(2, kinds.GridPaired, kinds.Paired), (8, kinds.GridWide, kinds.Wide)], ids=["2", "8"]
)
def test_grids_of_any_packet_length(
    flits: int, vcs: int, grid: type, other: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "_begin", lambda engine: None)  # nothing runs, so nothing is compiled
    for spec in ("torus:4x4", "mesh:3x5"):
        assert _kind(spec, vcs, True, packet_flits=str(flits)) is grid
        rows = kinds.Paired if vcs == 2 else kinds.Plain
        assert _kind(spec, vcs, False, packet_flits=str(flits)) is rows, "what goes by rows is compiled for one kind"
    for settings in OTHERS:
        assert _kind("torus:4x4", vcs, True, **{"packet_flits": str(flits), **settings}) is other
