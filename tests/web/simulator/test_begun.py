"""What the page makes of a network, a routing and settings is the record and the memory that `allocate` makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.explore.gallery import GALLERY
from jumpnet.explore.kernels import begun, looks, sizes
from jumpnet.explore.kernels.allocated import began
from jumpnet.explore.kernels.presets import BUBBLES, BUFFERS, LONGEST, PRESETS_SHOWN, preset_rows, routing_row
from jumpnet.explore.runs import bindings
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.memory.record import ARRAYS, CALLS, PLACE, Memory
from jumpnet.sim.memory.run_kinds import General
from jumpnet.sim.resolve.by_routing import settle_reuse
from jumpnet.terms import I64
from jumpnet.topology import build

ADDRESSES = [PLACE[name] for name in (*ARRAYS, *CALLS)]
LATE = ("stations", "standing")
"""Arrays for single flits, which the page adds where it has an entry for them."""
SMALL = [spec for listed in GALLERY.values() for spec in listed if build(spec).routers <= 300]


def given(net: Network, bound: BoundRouting, vcs: int, buffer: int) -> I64:
    """What `fit_sizes` is given, as `web/src/sim/offered.ts` has it."""
    there = net.neighbor >= 0
    links = net.latency[there] if net.latency is not None else np.ones(1, np.int64)
    row = dict(routing_row(bound))
    row |= {
        "routers": net.routers,
        "terminals": int(net.terminals.sum()),
        "sinks": int(net.sinks.sum()),
        "link_outputs": net.ports,
        "link_inputs": max(net.ports, int(net.far_port.max(initial=-1)) + 1),
        "entering": int(net.terminals.max()),
        "leaving": int(net.sinks.max()),
        "shortest": int(links.min()),
        "farthest": int(links.max()),
        "vcs": vcs,
        "buffer": buffer,
        "longest": LONGEST,
        "draws": bound.draws,
    }
    return np.array([row[name] for name in sizes.GIVEN], np.int64)


def held(memory: Memory) -> dict[str, Any]:
    """All of its arrays, by name, as they are now."""
    return {name: array.copy() for name, array in memory.state._asdict().items()}


def assert_begins_alike(net: Network, bound: BoundRouting, name: str, buffer: int) -> None:
    """One run: record, lengths of arrays and all that stands in them."""
    settings = {"packet_flits": str(LONGEST), "vcs": bound.vcs, "buffer_flits": buffer}
    if name == BUBBLES:
        name, settings["flow_control"] = "booksim", "cut_through"
    config = settle_reuse(preset(name, **settings), bound)
    memory, *_ = began(net, bound, config)
    what = f"{net.spec} {bound.name} {bound.vcs} {name} {buffer}"
    key = BUBBLES if config.flow_control == "cut_through" else name
    record = np.array(preset_rows()[key]["record"], np.int64)
    size, told = np.zeros(sizes.BLOCKS, np.int64), given(net, bound, bound.vcs, buffer)
    sizes.fit_sizes(record.ctypes.data, told.ctypes.data, size.ctypes.data)
    expected = memory._record.copy()
    record[ADDRESSES], expected[ADDRESSES] = 0, 0
    wrong = {list(PLACE)[k]: (record[k], expected[k]) for k in np.flatnonzero(record != expected)}
    assert not wrong, (what, wrong)
    for field, array in memory.state._asdict().items():
        if field not in LATE:
            assert size[sizes.B._fields.index(field)] == array.nbytes, (what, field)
    before = held(memory)
    for array in memory.state:
        array[...] = 0
    ends, sinks = (np.ascontiguousarray(each, np.int32) for each in (net.terminals, net.sinks))
    latency = None if net.latency is None else np.ascontiguousarray(net.latency, np.int32)
    at, at_latency = General(memory._record.ctypes.data), 0 if latency is None else latency.ctypes.data
    begun.begin_run(at, ends.ctypes.data, sinks.ctypes.data, at_latency, 1, LONGEST)
    view = memory.program.view
    looks.join_links(at, view.neighbor.ctypes.data, view.far_port.ctypes.data)
    looks.give_keys(at)
    for field, array in held(memory).items():
        assert np.array_equal(array, before[field]), (
            what,
            field,
            np.flatnonzero(array.ravel() != before[field].ravel()),
        )


@pytest.mark.parametrize("spec", SMALL)
def test_a_run_begins_as_it_does_natively(spec: str) -> None:
    """Every routing of the page, its fewest and most channels, presets and buffers in turn; on large ones half."""
    net = build(spec)
    turn = 0
    for counts in bindings(net):
        for bound in {counts[0].vcs: counts[0], counts[-1].vcs: counts[-1]}.values():
            if bound.routing.bubble:
                assert_begins_alike(net, bound, BUBBLES, 2 * LONGEST)
                continue
            for _ in range(2 if net.routers <= 64 else 1):
                name = PRESETS_SHOWN[turn % len(PRESETS_SHOWN)]
                assert_begins_alike(net, bound, name, (8, *BUFFERS)[turn // 2 % 5])
                turn += 1
