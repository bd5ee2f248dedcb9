"""The timed machine with its messages in the flit-level simulator: the network in the loop, closed.

Events of the machine and cycles of the network run in turn, each only as far ahead as it cannot miss what the other
does: a message that arrives at cycle t has consequences at t plus the occupancy of a memory-based processor, not
before, and its arrival is known when its last flit leaves the last router. Nodes take every message off the network at
once (queues in the clusters' memory), so that one message class is enough. Called by `cli` and the report.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.machine.timing import Costs, Timing, run_machine
from jumpnet.machine.timing_streams import Streams
from jumpnet.routing import BoundRouting, Routing, default_routing
from jumpnet.sim import _layout as at
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.outside import Outside
from jumpnet.terms import I64
from jumpnet.topology import build

__all__ = ["ClosedLoop", "Simulated", "closed_loop"]

DRAIN_CYCLES = 256


class Simulated:
    """A `timing.Carrier`: node i is terminal i of a simulated network."""

    def __init__(self, spec: str, routing: str | Routing | BoundRouting | None, config: SimConfig, nodes: int) -> None:
        net = build(spec)
        if net.endpoints < nodes:
            raise JumpnetError(f"{nodes} nodes found, at most the {net.endpoints} terminals of {spec} expected")
        self.network = Outside(net, default_routing(net) if routing is None else routing, config)
        self.least_cycles = self.network.least_cycles

    @property
    def empty(self) -> bool:
        """Whether no message is on the way."""
        return self.network.packets == 0

    def post(self, row: I64, source: I64, to: I64, sent: I64, flits: I64) -> None:
        """Take messages."""
        self.network.post(row, source, to, sent, flits)

    def advance(self, cycle: int) -> tuple[I64, I64, I64]:
        """Go on to a cycle; what has been delivered."""
        self.network.advance(cycle)
        return self.network.take()

    def drain(self) -> None:
        """Let all that is on the way arrive."""
        while not self.empty:
            self.network.advance(self.network.cycle + DRAIN_CYCLES)


@dataclass(frozen=True)
class ClosedLoop:
    """A run of a machine on a network."""

    timing: Timing
    network: str
    """Spec of the network."""
    routing: str
    direct_cycles: int
    """Cycles of the same machine when messages take their flits only and never meet."""
    hops_mean: float
    """Routers that a message passes."""
    network_latency_mean: float
    """Cycles from a message's entry into the network to its arrival."""
    channel_load_max: float
    """Flits per cycle of the busiest channel, over the whole run."""

    @property
    def network_share(self) -> float:
        """Part of the time that is there because of the network."""
        return 1.0 - self.direct_cycles / self.timing.cycles if self.timing.cycles else 0.0


def closed_loop(
    streams: Streams,
    network: str,
    *,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    protocol: str = "invalidate",
    directory: str = "page",
    clusters_of: int = 1,
    line_bytes: int = 32,
    costs: Costs | None = None,
    quantum: int | None = None,
) -> ClosedLoop:
    """Run a machine whose messages cross a simulated network.

    network: spec; routing: the family's default unless named; config: the router chip's settings (`jump1`) unless
    given. The rest as in `timing.run_machine`. Raises JumpnetError for fewer terminals than nodes and what those raise.
    Cost: some 0.2 microseconds a flit and router, a few microseconds for each step of about ten cycles.

    >>> from jumpnet.machine.timing_streams import streams_of
    >>> from jumpnet.machine.workload import workload
    >>> streams = streams_of(workload("lu:processors=4,n=16").trace())
    >>> found = closed_loop(streams, "torus:2x2")
    >>> found.timing.cycles > found.direct_cycles > 0
    True
    """
    nodes = -(-(len(streams.first) - 1) // clusters_of)
    chosen = preset("jump1") if config is None else config
    carrier = Simulated(network, routing, chosen.replace(batch_cycles=1_000_000), nodes)
    timed, direct = (
        run_machine(
            streams,
            protocol=protocol,
            directory=directory,
            clusters_of=clusters_of,
            line_bytes=line_bytes,
            costs=costs,
            carrier=by,
            quantum=quantum,
        )
        for by in (carrier, None)
    )
    carrier.drain()
    engine = carrier.network.engine
    counter, s = engine.state.counter, engine.shape
    done = max(1, int(counter[at.C_DONE_MEASURED]))
    sent = engine.state.outlet.reshape(s.routers, s.outputs, s.vcs, at.OUTLET_FIELDS)[..., at.COUNT].sum(axis=2)
    return ClosedLoop(
        timing=timed,
        network=network,
        routing=engine.routing.name,
        direct_cycles=direct.cycles,
        hops_mean=float(counter[at.C_HOPS_SUM]) / done,
        network_latency_mean=float(counter[at.C_NETWORK_SUM]) / done,
        channel_load_max=float(np.max(sent[:, : s.link_outputs], initial=0) / max(1, timed.cycles)),
    )
