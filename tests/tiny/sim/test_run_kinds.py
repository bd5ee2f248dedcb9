"""Which code serves a run: sizes that most grids share are constants of kinds of their own."""

from __future__ import annotations

from typing import Any

import pytest

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import run_kinds as kinds
from jumpnet.sim.memory.record import DERIVED, Memory
from jumpnet.topology import build

OTHERS: list[dict[str, Any]] = [
    {"buffer_flits": 9},
    {"packet_flits": "1..4"},
    {"batch_cycles": 400},
    {"link_cycles": 9},
    {"vc_reuse": "empty"},
]
"""Settings with which a run has not all of those sizes."""
DELAYS = (
    {"terminal_link_cycles": 2},
    {"credit_delay_cycles": 1},
    {"routing_delay_cycles": 2},
    {"vc_allocation_delay_cycles": 2},
    {"switch_allocation_delay_cycles": 2},
    {"st_final_delay_cycles": 2},
)
"""Likewise; with that of switch allocation, routers with eight channels a port are not kept as sets at all."""
FEW_HAVE: list[dict[str, Any]] = [
    {"priority": "age"},
    {"injection_ports": 2},
    {"reply_flits": 2},
    {"subnets": 2},
    {"arbiter": "matrix"},
    {"vc_needs_credit": True},
    {"events": True},
    {"source_queue_packets": 4},
]
"""Settings of which the code of common runs knows nothing."""
BUFFER = 8
"""Flits of a buffer where nothing is said; under cut-through a packet must fit."""


def _memory(spec: str, vcs: int, **settings: Any) -> Memory:
    """What a run on a network has."""
    config = config_from({"load": 0.1, "vcs": vcs, **settings})
    return Engine(build(spec), None, config, threads=1).memory


def _kind(spec: str, vcs: int, packed: bool, **settings: Any) -> type:
    """The kind of a run on a network, while its routers are kept as sets, or as rows."""
    return _memory(spec, vcs, **settings).kind(packed)


@pytest.mark.skipif(DISABLED, reason="plain Python has no kinds")
@pytest.mark.parametrize(("vcs", "flits"), [(2, 1), (8, 1), (2, 5), (8, 5)])
def test_one_size_that_differs_is_another_kind(vcs: int, flits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of most sizes no setting alters one alone, so here each is altered by itself, wherever the record has it from."""
    monkeypatch.setattr(Engine, "_begin", lambda engine: None)
    memory = _memory("torus:4x4", vcs, packet_flits=str(flits))
    grid = memory.kind(True)
    for name, size in {name: getattr(memory, name) for name in DERIVED}.items():  # they stay as they are
        monkeypatch.setitem(DERIVED, name, lambda *_, value=size: value)
    groups = {"shape": memory.shape, "share": memory.share, "packing": memory.packing}
    for name, size in kinds.GRID_SIZES[grid].items():
        group = next((group for group, sizes in groups.items() if name in sizes._fields), None)
        with monkeypatch.context() as altered:
            if group is None:
                altered.setitem(DERIVED, name, lambda *_, value=size + 1: value)
            else:
                altered.setattr(memory, group, groups[group]._replace(**{name: size + 1}))
            memory.replace_arrays(memory.state)
            assert memory.kind(True) not in kinds.GRID_SIZES, name
        memory.replace_arrays(memory.state)
        assert memory.kind(True) is grid


@pytest.mark.skipif(DISABLED, reason="plain Python has no kinds")
@pytest.mark.parametrize("flits", [2, 5, 16, 40])
@pytest.mark.parametrize(
    ("vcs", "grid", "other"), [(2, kinds.GridPaired, kinds.Sets), (8, kinds.GridWide, kinds.SetsWide)], ids=["2", "8"]
)
def test_grids_of_any_packet_length(
    flits: int, vcs: int, grid: type, other: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engine, "_begin", lambda engine: None)  # nothing runs, so nothing is compiled
    for spec in ("torus:4x4", "mesh:3x5"):
        assert _kind(spec, vcs, True, packet_flits=str(flits)) is grid
        assert _kind(spec, vcs, False, packet_flits=str(flits)) is kinds.Plain, "rows are of one kind"
    for settings in OTHERS:
        assert _kind("torus:4x4", vcs, True, **{"packet_flits": str(flits), **settings}) is other
    for delay in DELAYS:
        assert _kind("torus:4x4", vcs, True, packet_flits=str(flits), **delay) not in kinds.GRID_SIZES, delay
    if flits <= BUFFER:
        assert _kind("torus:4x4", vcs, True, packet_flits=str(flits), flow_control="cut_through") is other
    assert _kind("cmesh:4x4,c=2", vcs, True, packet_flits=str(flits)) is other, "two terminals a router"


@pytest.mark.skipif(DISABLED, reason="plain Python has no kinds")
def test_what_few_runs_have_is_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "_begin", lambda engine: None)
    assert _kind("torus:4x4", 2, False, speculation=True) is kinds.Common
    memory = _memory("torus:4x4", 2, input_speedup=2, allocator="islip")
    assert memory.kind(False) is kinds.Common
    for name, value in kinds.COMMON.items():
        with monkeypatch.context() as altered:
            altered.setattr(memory, name, value + 1)
            altered.setattr(memory, "common", memory._has(kinds.COMMON))
            assert memory.kind(False) is kinds.General, name
    for settings in FEW_HAVE:
        assert _kind("torus:4x4", 2, False, speculation=True, **settings) is kinds.General, settings
