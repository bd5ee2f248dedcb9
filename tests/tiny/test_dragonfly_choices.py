"""What UGAL-G and PAR choose on a small dragonfly, by hand, and what it gives under adversarial traffic."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.routings import IN_PORT, INTERMEDIATE, STATE, BoundRouting, bind
from jumpnet.routings.dragonfly._steps import dragonfly_port
from jumpnet.routings.dragonfly.par import DETOUR, MINIMAL, OPEN
from jumpnet.routings.dragonfly.ugal import DETOUR as UGAL_DETOUR
from jumpnet.routings.dragonfly.ugal import MINIMAL as UGAL_MINIMAL
from jumpnet.routings.view import new_head, new_out
from jumpnet.sim.simulate import simulate
from jumpnet.terms import I64
from jumpnet.topology import build

NET = build("dragonfly:2")
"""Nine groups of four routers with three local and two global links."""
PLACES, LOCAL = 4, 3


def _start(bound: BoundRouting, head: I64, draw: int, queue: I64) -> int:
    assert bound.routing.start is not None
    bound.routing.start(bound.view, head, draw, queue)
    return int(head[STATE])


def _rows(bound: BoundRouting, here: int, head: I64) -> list[tuple[int, ...]]:
    out = new_out()
    count = bound.routing.relation(bound.view, here, head, out)
    return [tuple(row) for row in out[:count].tolist()]


def _gateway(group: int) -> int:
    """The router of group 0 with the link to a group."""
    return next(r for r in range(PLACES) for p in (LOCAL, LOCAL + 1) if NET.coord[NET.neighbor[r, p], 0] == group)


def test_ugal_g_sees_the_global_link_of_another_router() -> None:
    bound = bind("dragonfly.ugal_g", NET)
    assert bound.view.queues == PLACES * NET.ports
    source = next(r for r in range(PLACES) if r != _gateway(5))
    to, gate = 5 * PLACES, _gateway(5)
    queue = np.zeros(bound.view.queues, np.int64)
    assert _start(bound, new_head(source, to), 7, queue) == UGAL_MINIMAL
    queue[source * NET.ports : source * NET.ports + LOCAL] = 9  # a crowd on local links says nothing
    assert _start(bound, new_head(source, to), 7, queue) == UGAL_MINIMAL
    queue[gate * NET.ports + dragonfly_port(bound.view, gate, 5, to)] = 9
    head = new_head(source, to)
    assert _start(bound, head, 7, queue) == UGAL_DETOUR and head[INTERMEDIATE] == 7 * PLACES
    for same in (0, 5):
        assert _start(bound, new_head(source, to), same, queue) == UGAL_MINIMAL
    detour_gate = _gateway(7)
    queue[detour_gate * NET.ports + dragonfly_port(bound.view, detour_gate, 7, to)] = 9
    assert _start(bound, new_head(source, to), 7, queue) == UGAL_MINIMAL


@pytest.mark.parametrize("name", ["dragonfly.ugal", "dragonfly.ugal_g", "dragonfly.par"])
def test_ways_with_a_link_that_is_gone_end_there(name: str) -> None:
    """Lengths of ways are compared at the source, which once followed a missing link without end."""
    with pytest.raises(JumpnetError, match="does not deliver from router"):
        path_figures(bind(name, degraded(NET, routers=[_gateway(5)])))


def _open_packets() -> list[tuple[I64, int]]:
    """Headers of packets of group 0 that stand open at the gateway of their minimal way, and that gateway."""
    bound, found = bind("dragonfly.par", NET), []
    for source in range(PLACES):
        for to in range(PLACES, NET.routers, 3):
            for draw in range(9):
                head = new_head(source, to)
                if _start(bound, head, draw, np.zeros(NET.ports, np.int64)) == OPEN:
                    (port, vc, _, _), *others = _rows(bound, source, head)
                    assert port < LOCAL and vc == 0 and not others
                    head[IN_PORT] = NET.far_port[source, port]
                    found.append((head, int(NET.neighbor[source, port])))
    return found


def test_par_turns_away_at_the_gateway_when_its_global_link_is_crowded() -> None:
    bound, crowd = bind("dragonfly.par", NET), np.zeros(NET.ports, np.int64)
    for head, gate in _open_packets():
        direct, detour = (row[0] for row in _rows(bound, gate, head))
        crowd[:] = 0
        assert _start(bound, head.copy(), gate, crowd) == MINIMAL
        crowd[direct] = 9
        assert _start(bound, head.copy(), gate, crowd) == DETOUR
        crowd[detour] = 9
        assert _start(bound, head.copy(), gate, crowd) == MINIMAL


def test_a_choice_at_the_gateway_only_takes_candidates_away() -> None:
    """So a proof by the relation, which follows both, covers what the hook leaves."""
    bound, packets = bind("dragonfly.par", NET), _open_packets()
    left = set()
    for head, gate in packets:
        both = _rows(bound, gate, head)
        assert len(both) == 2
        for busy in range(NET.ports):
            queue, after = np.zeros(NET.ports, np.int64), head.copy()
            queue[busy] = 9
            left.add(_start(bound, after, gate, queue))
            assert after[INTERMEDIATE] == head[INTERMEDIATE]
            (row,) = _rows(bound, gate, after)
            assert row in both
    assert len(packets) > 100 and left == {MINIMAL, DETOUR}


@pytest.mark.parametrize("name", ["ugal", "ugal_g", "par"])
def test_adversarial_traffic_takes_detours_and_uniform_hardly_any(name: str) -> None:
    """One global link a group would carry 1/8 of what the group sends; a packet in an empty network stays minimal."""
    words = {"packet_flits": "1", "buffer_flits": 32, "warmup_cycles": 500, "measure_cycles": 1000, "drain": False}
    vcs = 4 * bind(f"dragonfly.{name}", NET).needed
    bad = simulate("dragonfly:2", f"dragonfly.{name}", traffic="bad_dragonfly", load=0.25, vcs=vcs, **words)
    assert not bad.saturated and bad.accepted_load > 0.24
    plain, least = (
        simulate("dragonfly:2", f"dragonfly.{one}", load=0.01, vcs=vcs, **words).hops_mean for one in (name, "minimal")
    )
    assert 0.98 * least < plain < 1.1 * least < bad.hops_mean
