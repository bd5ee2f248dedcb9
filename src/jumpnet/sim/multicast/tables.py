"""The memory of a multicast run at cycle 0: lanes and outlets joined as the links join them, endpoints, empty tables.

`allocate` makes it for a network and settings; messages and trees are added later (`engine`). Rows as in `_layout`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet._random import stream_key
from jumpnet.network import Network
from jumpnet.sim import _layout as unicast
from jumpnet.sim.config import SimConfig
from jumpnet.sim.multicast import _layout as at
from jumpnet.sim.multicast.messages import Acknowledge
from jumpnet.sim.state import ALLOCATORS, SELECTIONS
from jumpnet.terms import I64, NO_ROUTER

__all__ = ["allocate"]

WORD = 32


def _sizes(net: Network, vcs: int, most_ways: int, c: SimConfig, ack: Acknowledge) -> dict[str, int]:
    links = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
    spread = max(1, int(net.sinks.max(initial=0)))
    inputs = links + int(net.terminals.max(initial=0)) * c.injection_ports + 1
    outputs = net.ports + spread * c.ejection_ports + 1
    lanes, outlets = inputs * vcs, outputs * vcs
    return {
        "routers": net.routers,
        "vcs": vcs,
        "lanes": lanes,
        "outlets": outlets,
        "link_inputs": links,
        "link_outputs": net.ports,
        "inputs": inputs,
        "outputs": outputs,
        "buffer": c.buffer_flits,
        "most_ways": most_ways,
        "terminals": net.endpoints,
        "endpoints": net.endpoints + net.routers,
        "spread": spread,
        "ejection_ports": c.ejection_ports,
        "rd": c.routing_delay_cycles,
        "va": c.vc_allocation_delay_cycles,
        "sa": c.switch_allocation_delay_cycles,
        "terminal_link": c.terminal_link_cycles,
        "credit": c.credit_delay_cycles,
        "reuse_empty": int(c.vc_reuse == "empty"),
        "cut_through": int(c.flow_control == "cut_through"),
        "entry_vcs": min(c.entry_vcs or vcs, vcs),
        "allocator": ALLOCATORS[c.allocator],
        "iterations": c.allocator_iterations,
        "selection": SELECTIONS[c.selection],
        "speculation": 0,
        "ranked": int(c.allocator == "age"),
        "ack_flits": ack.flits,
        "ack_delay": ack.delay_cycles,
        "entries": ack.combining_entries,
        "part": lanes * most_ways + outlets,
        "turn_row": 2 * inputs + outputs,
        "lane_words": -(-lanes // WORD),
        "active_words": -(-net.routers // WORD),
        "place_fields": at.REPLY + spread,
        "event_rows": 0,
        **dict.fromkeys(("relation", "start", "routing_view", "has_start", "start_draws"), 0),
    }


def _wires(net: Network, c: SimConfig, s: dict[str, int]) -> tuple[I64, I64]:
    """Lane and outlet rows with where each outlet leads and how long flits and credits take."""
    vcs, lanes, outlets = s["vcs"], s["lanes"], s["outlets"]
    lane = np.zeros((net.routers, lanes, at.LANE_FIELDS), np.int64)
    outlet = np.zeros((net.routers, outlets, at.OUTLET_FIELDS), np.int64)
    sa, x = c.switch_allocation_delay_cycles, c.st_delay_cycles
    lane[:, s["link_inputs"] * vcs :, at.CREDIT] = sa + c.terminal_link_cycles + c.credit_delay_cycles
    outlet[:, : net.ports * vcs, at.HELD] = 2
    sinks = outlets - net.ports * vcs
    outlet[:, net.ports * vcs :, at.TO] = net.routers * lanes + np.arange(net.routers * sinks).reshape(-1, sinks)
    outlet[:, net.ports * vcs :, at.DELAY] = sa + x + c.terminal_link_cycles
    r, p = np.nonzero(net.neighbor != NO_ROUTER)
    far, port = net.neighbor[r, p].astype(np.int64), net.far_port[r, p].astype(np.int64)
    latency = np.full(r.size, c.link_cycles) if net.latency is None else net.latency[r, p]
    for v in range(vcs):
        lane[far, port * vcs + v, at.CREDIT] = sa + latency + c.credit_delay_cycles
        columns: dict[int, Any] = {
            at.HELD: 0,
            at.DELAY: sa + x + latency,
            at.TO_ROUTER: far,
            at.TO_LANE: port * vcs + v,
            at.TO: far * lanes + port * vcs + v,
        }
        for field, value in columns.items():
            outlet[r, p * vcs + v, field] = value
    return lane, outlet


def _endpoints(net: Network, c: SimConfig, s: dict[str, int]) -> I64:
    """Terminals in their order, then the combining units."""
    rows = np.zeros((s["endpoints"], at.ENDPOINT_FIELDS), np.int64)
    rows[:, [at.FIRST, at.PENDING]] = -1
    rows[:, at.WAKE] = at.NEVER
    terminals, units = rows[: net.endpoints], rows[net.endpoints :]
    index = np.arange(net.endpoints) - np.searchsorted(net.terminal_router, net.terminal_router)
    terminals[:, at.E_ROUTER], units[:, at.E_ROUTER] = net.terminal_router, np.arange(net.routers)
    terminals[:, at.E_PORT] = s["link_inputs"] + index * c.injection_ports
    units[:, at.E_PORT] = s["inputs"] - 1
    terminals[:, at.E_PORTS], units[:, at.E_PORTS] = c.injection_ports, 1
    rows[:, at.E_INJECTOR] = np.cumsum(rows[:, at.E_PORTS]) - rows[:, at.E_PORTS]
    return rows


def _sinks(net: Network, spread: int) -> tuple[I64, I64]:
    """(T,) number of each terminal among the sinks of its router; (R, spread) the terminals, -1 where there is none."""
    number = np.arange(net.endpoints) - np.searchsorted(net.sink_router, net.sink_router)
    table = np.full((net.routers, spread), -1, np.int64)
    table[net.sink_router, number] = np.arange(net.endpoints)
    return number, table


def allocate(
    net: Network, vcs: int, most_ways: int, config: SimConfig, ack: Acknowledge, event_rows: int
) -> dict[str, Any]:
    """Sizes and arrays by name, for `_memory.Memory`; without messages."""
    s = _sizes(net, vcs, most_ways, config, ack)
    lane, outlet = _wires(net, config, s)
    lanes = net.routers * s["lanes"]
    slots = lanes + net.routers * (s["outlets"] - net.ports * vcs)
    endpoint = _endpoints(net, config, s)
    injector = np.zeros((int(endpoint[:, at.E_PORTS].sum()), at.INJECTOR_FIELDS), np.int64)
    injector[:, [at.I_CODE, at.I_LAST_VC]] = -1
    sink_of, sink = _sinks(net, s["spread"])
    sizes = {
        "way": lanes * most_ways * at.WAY_FIELDS,
        "slot": slots * s["buffer"],
        "head": lanes * s["buffer"],
        "entry": lanes,
        "turn": net.routers * s["turn_row"],
        "work": at.WORK_FIELDS * s["part"],
        "occupied": net.routers * s["lane_words"],
        "active": s["active_words"],
        "used": net.routers,
        "event": unicast.EVENT_FIELDS * event_rows,
        "counter": at.COUNTERS,
        "query": 128 * 4,
        "waiting": net.ports,
    }
    return {
        **s,
        "event_rows": event_rows,
        **{name: np.zeros(size, np.int64) for name, size in sizes.items()},
        "lane": lane,
        "outlet": outlet,
        "endpoint": endpoint,
        "injector": injector,
        "sink": sink,
        "sink_of": sink_of,
        "sink_router": net.sink_router,
        "packet_key": np.array([stream_key(config.seed, 2 * i + 1) for i in range(net.endpoints)], np.int64),
        "port_of": np.arange(max(s["lanes"], s["outlets"])) // vcs,
    }
