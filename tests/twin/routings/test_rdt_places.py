"""On an RDT without missing links hops are worked out from a router's number: they are those its tables tell."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.fault.degraded import degraded
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings._rdt.vectors import OWN_PORTS
from jumpnet.routings.view import (
    DESTINATION,
    NEXT_STATE,
    PORT,
    STATE,
    View,
    call,
    call_start,
    make_view,
    new_head,
    new_out,
)
from jumpnet.topology import build

CASES = [
    ("rdt:4", "rdt.deadlock_free"), ("rdt:8", "rdt.deadlock_free"), ("rdt:32", "rdt.deadlock_free"),
    ("rdt:16", "rdt.floating"), ("rdt:16", "rdt.duato"), ("rdt:16", "rdt.turn_model"), ("rdt:16", "rdt.partitioned"),
    ("prdt:16,2", "prdt.vector"),
]  # fmt: skip


def _by_tables(bound: BoundRouting) -> tuple[View, list[object]]:
    """The view of a routing that takes no link for granted."""
    own = bound.view.own.copy()
    own[OWN_PORTS] = 0
    v = bound.view
    return make_view(v.neighbor, v.far_port, v.link_class, v.coord, v.params, own, v.table, v.vcs)


def _rows(bound: BoundRouting, view: View, here: int, head: np.ndarray) -> list[list[int]]:
    out = new_out()
    return out[: call(bound.pointer, view, here, head, out)].tolist()


@pytest.mark.parametrize(("spec", "routing"), CASES)
def test_hops_from_the_number_are_hops_from_the_tables(spec: str, routing: str) -> None:
    net = build(spec)
    bound = bind(routing, net)
    assert bound.view.own[OWN_PORTS] != 0
    tables, _alive = _by_tables(bound)
    draw, queue, hops = np.random.default_rng(5), np.zeros(64, np.int64), 0
    for source, destination in draw.integers(0, net.routers, (60, 2)).tolist():
        head, same = new_head(source, destination), new_head(source, destination)
        call_start(bound.start_pointer, bound.view, head, 0, queue)
        call_start(bound.start_pointer, tables, same, 0, queue)
        assert head.tolist() == same.tolist()
        here = source
        while here != destination:
            rows = _rows(bound, bound.view, here, head)
            assert rows and rows == _rows(bound, tables, here, head)
            head[STATE] = rows[0][NEXT_STATE]
            here = int(net.neighbor[here, rows[0][PORT]])
            hops += 1
        assert head[DESTINATION] == here and not _rows(bound, bound.view, here, head)
    assert hops > 60


def test_missing_links_are_seen() -> None:
    net = build("rdt:16")
    cut = degraded(net, links=[(5, 2)])
    assert bind("rdt.fault_tolerant", net).view.own[OWN_PORTS] != 0
    assert bind("rdt.fault_tolerant", cut).view.own[OWN_PORTS] == 0
