"""Terminals with room for few packets: kernels and the plain-Python routers record the same events."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twin.sim.test_outside import CONFIG, NET, NETWORKS, PACKETS, ROUTING
from tests.twin.sim.test_same_events import PHASES

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.sim.config import SimConfig
from jumpnet.sim.outside import Outside
from jumpnet.sim.reference.router import Router
from jumpnet.sim.reference.simulation import Simulation

CYCLES = 200


class Full(Simulation):
    """Simulation whose terminals have places: an output virtual channel is no packet's while there is none for one."""

    def __init__(self, net: Network, routing: BoundRouting, config: SimConfig, room: int) -> None:
        super().__init__(net, routing, config)
        self.vacant, self.kept = {}, {}
        for terminal in self.terminals:
            for c in range(config.classes):
                own = terminal.sinks[c * self.class_vcs : (c + 1) * self.class_vcs]
                self.vacant[terminal.number, c] = max(0, room - self.class_vcs)
                self.kept[terminal.number, c] = own[room:]
                for router, o in own[room:]:
                    router.out_vcs[o].holder = terminal
        for router in self.routers:
            router.traverse = self._keeping(router, router.traverse)

    def _keeping(self, router: Router, traverse: Any) -> Any:
        def leave(b: int, o: int, t: int) -> None:
            flit = router.lanes[b].flits[0]
            traverse(b, o, t)
            if flit.is_tail and o >= self.net.ports * self.vcs:
                place = flit.packet.destination, flit.packet.kind // 2
                if self.vacant[place]:
                    self.vacant[place] -= 1
                else:
                    self.kept[place].append((router, o))
                    router.out_vcs[o].holder = self.terminals[place[0]]

        return leave

    def free(self, place: tuple[int, int]) -> None:
        if not self.kept[place]:
            self.vacant[place] += 1
            return
        router, o = min(self.kept[place], key=lambda kept: kept[1])
        self.kept[place].remove((router, o))
        router.out_vcs[o].holder = None


@settings(max_examples=8, phases=PHASES)
@given(PACKETS, st.lists(st.integers(0, 5), min_size=40, max_size=40), st.integers(1, 3), st.sampled_from([1, 3]))
def test_full_terminals_equal_the_reference(packets, drawn, room, classes) -> None:
    # Most packets go to two terminals, each of which keeps what comes for up to 25 cycles.
    packets = sorted((created, source, 5 + to % 2 if to > 3 else to, flits) for created, source, to, flits in packets)
    config = NETWORKS if classes == 3 else CONFIG
    network, slow = Outside(NET, ROUTING, config), Full(NET, bind(ROUTING, NET, 2), config, room)
    network.limit(room)
    of = [draw % classes for draw in drawn]
    columns = [np.array(c) for c in zip(*packets, strict=True)]
    for number, (created, source, to, flits) in enumerate(packets):
        terminal = slow.terminals[source]
        terminal.sources[of[number]].queue.append(terminal.packet(to, flits, created, 2 * of[number], number))
    created, source, to, flits = columns
    network.post(np.arange(len(packets)), source, to, created, flits, np.array(of)[: len(packets)])
    leaves: dict[int, list[tuple[int, int]]] = {}
    for cycle in range(CYCLES):
        places = np.zeros((NET.endpoints, classes), np.int64)
        for place in leaves.pop(cycle, []):
            places[place] += 1
            slow.free(place)
        network.free(places)
        network.go_to(cycle + 1)
        slow.run(1)
        for number, _, arrived in zip(*(c.tolist() for c in network.take()), strict=True):
            leaves.setdefault(arrived + 5 * drawn[number], []).append((packets[number][2], of[number]))
    whole = np.bincount(of[: len(packets)], minlength=classes)
    assert network.packets > 0 or network.entered.sum(axis=0).tolist() == whole.tolist()
    fast = [row.tolist() for row in network.engine.events()]
    fast = [row for row in fast if row[0] < CYCLES]  # an arrival is recorded when the flit wins the switch
    assert fast == [list(row) for row in sorted(slow.events)]


def test_rooms_are_for_terminals_with_one_port() -> None:
    with pytest.raises(JumpnetError, match="ejection_ports 2 found, 1 expected where terminals have room for few"):
        Outside(NET, ROUTING, CONFIG.replace(ejection_ports=2)).limit(1)
