"""Table IV of the RDT paper: the simulator's parameters, measured on packets in our simulator where they can be.

Source: yang2001rdt section IV.B. A lone packet shows the clocks of each stage by its events; the two traffic patterns
are enumerated.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed, golden_table, table_cell
from jumpnet.report.yang2001rdt._curves import NETWORKS
from jumpnet.sim.config.sim_config import preset
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList
from jumpnet.traffic import bind as pattern

TITLE = "Table IV: simulation parameters"
ORDER = 71

KEY = "yang2001rdt"
RING = "torus:8"
HOPS = 3
FLITS = 16
START = 5
HOT_SPOTS = 128
"""Destinations of the hot spot traffic, the paper's."""


class Stages(NamedTuple):
    """Clocks that a lone packet shows."""

    hop: int
    """From a head's way through one switch to its way through the next."""
    ahead: int
    """From a switch to the terminal behind it: through the crossbar and over the link, which is like the others."""
    apart_switch: int
    """Between a flit and the next one, at a switch."""
    apart_link: int
    """The same where they arrive."""
    buffered: int
    """Cycle at which the head is in the first router's input buffer."""
    tail: int
    """Cycle at which the tail has arrived."""
    network_latency: float
    """What the simulator calls network latency, clocks."""


def _lone() -> PacketList:
    return PacketList(*(np.array([value]) for value in (START, 0, HOPS, FLITS)))


def stages(**settings: Any) -> Stages:
    """Send one packet over a ring and read its events; `settings` replace some of the preset's."""
    engine = Engine(build(RING), "torus.dateline", preset("yang2001", events=True, **settings), _lone())
    engine.advance(200)
    events = engine.events()
    switch = events[events[:, 1] == at.EVENT_SWITCH]
    head = switch[switch[:, 5] == 0][:, 0]
    first = switch[switch[:, 6] == 0][:, 0]
    arrived = events[events[:, 1] == at.EVENT_ARRIVE][:, 0]
    hop, ahead = int(head[1] - head[0]), int(arrived[0] - head[-1])
    settings |= {"warmup_cycles": 0, "measure_cycles": 200}
    latency = simulate(RING, "torus.dateline", name="yang2001", trace=_lone(), **settings)
    return Stages(
        hop,
        ahead,
        int(np.diff(first).max()),
        int(np.diff(arrived).max()),
        int(head[0]) - (hop - ahead),
        int(arrived[-1]),
        latency.network_latency_mean_cycles,
    )


def _flits_of_a_packet() -> int:
    """Flits of each packet that the preset makes; all must agree."""
    engine = Engine(build(RING), "torus.dateline", preset("yang2001", load=0.1, events=True))
    engine.advance(600)
    events = engine.events()
    sent = events[events[:, 1] == at.EVENT_ENTER]
    count = Counter(map(tuple, sent[:, 2:4].tolist()))
    # Any clock well before the last does: those that have begun by then are through at the end.
    started = {tuple(row[2:4]) for row in sent.tolist() if row[0] < 400}
    (flits,) = {count[name] for name in started}
    return flits


def _between_packets() -> int:
    """Fewest clocks between two packets of a source that has always one to send."""
    settings = preset("yang2001", load=1.0, packet_flits="1", events=True)
    engine = Engine(build(RING), "torus.dateline", settings)
    engine.advance(200)
    events = engine.events()
    sent = events[(events[:, 1] == at.EVENT_ENTER) & (events[:, 2] == 0)][:, 0]
    return int(np.diff(np.sort(sent)).min())


def _passes(trace: PacketList, **settings: Any) -> dict[tuple[int, int], int]:
    """Clock at which each (flit, router) of the packet from terminal 0 passes the router's switch."""
    engine = Engine(build(RING), "torus.dateline", preset("yang2001", events=True, **settings), trace)
    engine.advance(800)
    events = engine.events()
    mine = events[(events[:, 1] == at.EVENT_SWITCH) & (events[:, 2] == 0)]
    return {(int(flit), int(router)): int(clock) for clock, flit, router in mine[:, [0, 5, 6]]}


def switching(**settings: Any) -> str:
    """How packets pass routers, by a lone packet and by one that others block at the second router of its way.

    `store and forward` when a lone head leaves a router only after its tail has come there; `virtual cut-through` when
    the blocked packet gathers in one router; `wormhole` when it stays spread over several. `settings` replace the
    preset's.

    >>> switching(flow_control="cut_through", buffer_flits=16)
    'virtual cut-through'
    """
    last = FLITS - 1
    alone = _passes(_lone(), **settings)
    if alone[0, 1] > alone[last, 0]:
        return "store and forward"
    packets = [(4, 1, HOPS, FLITS), (5, 2, HOPS, FLITS), (6, 1, HOPS + 1, FLITS), (20, 0, HOPS, FLITS)]
    blocked = _passes(PacketList(*(np.array(column) for column in zip(*packets, strict=True))), **settings)
    return "wormhole" if blocked[last, 0] > blocked[0, 1] else "virtual cut-through"


def _parameters(golden: Golden, found: Stages) -> Table:
    config = preset("yang2001")
    sizes = {build(who.spec).routers for who in NETWORKS}
    values: dict[str, int | str] = {
        "network size nodes": sizes.pop() if len(sizes) == 1 else "not all alike",
        "packet length flits, short": _flits_of_a_packet(),
        "packet length flits, long": 128,
        "routing method": switching(),
        "packet generation time clocks": _between_packets(),
        "routing and crossbar setup time clocks": found.hop - found.ahead,
        "flit transfer time clocks, input buffer to output buffer": found.apart_switch,
        "flit transfer time clocks, physical link": found.apart_link,
        "simulation time clocks": (config.warmup_cycles or 0) + (config.measure_cycles or 0),
        "ignored clocks": config.warmup_cycles or 0,
        "virtual channels": config.least_vcs,
    }
    computed = (
        "packet generation time clocks",
        "flit transfer time clocks, input buffer to output buffer",
        "flit transfer time clocks, physical link",
    )
    details = {
        "network size nodes": "the sizes of the networks were typed in",
        "routing method": "a setting, as a packet that is blocked on its way shows",
        "simulation time clocks": "a setting of the preset",
        "ignored clocks": "a setting of the preset",
        "packet length flits, long": "a setting of Figure 10's runs",
        "packet length flits, short": f"a setting, as the packets sent on {RING} in 600 clocks show",
        "packet generation time clocks": "fewest clocks between packets of one flit from a source under full load",
        "routing and crossbar setup time clocks": (
            f"a setting: a lone head takes {found.hop} clocks a hop, of which {found.ahead} are crossbar and link"
        ),
        "flit transfer time clocks, input buffer to output buffer": "clocks between the flits of a lone packet there",
        "flit transfer time clocks, physical link": "clocks between the flits of a lone packet where they arrive",
        "virtual channels": "of the preset, the least number; what each network has stands below",
    }
    return golden_table(
        golden,
        "table_4",
        {row: {"value": value} for row, value in values.items()},
        key=KEY,
        stated=[(row, "value") for row in values if row not in computed],
        details={(row, "value"): why for row, why in details.items()},
    )


def _channels(golden: Golden) -> Table:
    """Virtual channels of each network as the simulator has them."""
    rows: Rows = []
    config = preset("yang2001")
    for who in NETWORKS:
        engine = Engine(build(who.spec), who.routing, config)
        needed = engine.routing.needed
        has = engine.shape.vcs
        told = table_cell(golden, "table_4", "virtual channels", "value", has, stated=needed <= config.least_vcs)
        cells = [told, Cell(None, needed, claim="table_4")]
        rows.append((who.label, list(cells)))
    note = "A network has what its routing needs for freedom from deadlock, and at least the two of Table IV."
    return Table("Virtual channels of each network", f"{KEY}, Table IV", ("has", "its routing needs"), rows, note)


def _uniform(spec: str) -> str:
    """How often uniform traffic chooses each other node of a network."""
    net = build(spec)
    uniform = pattern("uniform", net)
    counts = [Counter(uniform(source, draw) for draw in range(uniform.draws)) for source in range(net.endpoints)]
    alike = all(len(c) == net.endpoints - 1 and source not in c and len(set(c.values())) == 1 for source, c in
                enumerate(counts))  # fmt: skip
    return "equally often" if alike else "not equally often"


def _throughput(golden: Golden) -> Cell:
    """What the simulator calls accepted load, on a run with one packet."""
    clocks = 200
    found = simulate(
        RING, "torus.dateline", name="yang2001", trace=_lone(), warmup_cycles=0, measure_cycles=clocks
    ).accepted_load
    nodes = build(RING).endpoints
    same = abs(found - FLITS / nodes / clocks) < 1e-12
    why = f"one packet of {FLITS} flits, {nodes} nodes, {clocks} clocks: {found:g}"
    return claimed(
        golden, "throughput_measure", "flits per node and clock" if same else f"{found:g} for one packet", detail=why
    )


def _saturated() -> Cell:
    """What our simulator does with a saturated network, on a ring that is offered more than it can take."""
    before, clocks = 100, 400
    found = simulate(RING, "torus.dateline", name="yang2001", load=1.0, warmup_cycles=before, measure_cycles=clocks)
    word = "goes on to the end" if found.cycles == before + clocks else "aborted"
    marked = "marked as saturated" if found.saturated else "not marked"
    why = f"a ring offered 1 flit per node and clock, {clocks} clocks: {marked}"
    return Cell(None, word, claim="saturation_abort", detail=why)


def _traffic(golden: Golden, found: Stages) -> Table:
    net = build(NETWORKS[0].spec)
    hot = pattern(f"hotspot:count={HOT_SPOTS}", net)
    nodes = len({hot(source, draw) for source in (0, net.endpoints - 1) for draw in range(hot.draws)})
    more = found.network_latency - (found.tail - found.buffered)
    latency = "t1 - t0" + (f" + {more:g}" if more else "")
    told = f"simulator {found.network_latency:g} clocks, t0 = {found.buffered}, t1 = {found.tail}"
    claims = golden["claims"]
    rows: Rows = [
        (
            claims["uniform_traffic"]["text"],
            [claimed(golden, "uniform_traffic", _uniform("rdt:16"), detail="every draw of every source of rdt:16")],
        ),
        (
            claims["hot_spot_nodes"]["text"],
            [claimed(golden, "hot_spot_nodes", nodes, stated=True,
                     detail="a parameter of the traffic, as all draws of two sources show")],
        ),
        (
            "packet header length flits, of our simulator (Table IV: 2)",
            [Cell(None, 1, claim="table_4", detail="the flit by which a router routes; it is part of the length")],
        ),
        # How the paper measured is no result: what ours does is listed beside it, not compared.
        (claims["latency_measure"]["text"], [Cell(None, latency, claim="latency_measure", detail=told)]),
        (claims["throughput_measure"]["text"], [_throughput(golden)]),
        (claims["saturation_abort"]["text"], [_saturated()]),
    ]  # fmt: skip
    return Table("Traffic and measure", f"{KEY}, section IV.B", ("found",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Each parameter, the channels of each network, the two patterns and the measure of latency."""
    progress(0, 2)
    found = stages()
    tables = (_parameters(golden, found), _channels(golden), _traffic(golden, found))
    return Section(TITLE, TEXT, tables)


TEXT = """The preset `yang2001` of the simulator is our reading of Table IV. Lengths of packets and runs, the routing
time, sizes of networks and numbers of hot spots are settings, which agree because they were typed in. What the
simulator does by itself is measured on packets: the clocks between flits and between packets, and what it calls
latency and throughput. The size of the buffers is not in the table; 8 flits for each virtual channel are
ours."""
