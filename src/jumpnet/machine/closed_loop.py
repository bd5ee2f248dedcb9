"""The timed machine with its messages in the flit-level simulator: the network in the loop, closed.

Events of the machine and cycles of the network run in turn (`timed.cosimulation`), each only as far ahead as it cannot
miss what the other does: a message that arrives at cycle t has consequences at t plus the occupancy of a memory-based
processor (a copy of a multicast: plus what its router takes to send it on), not before, and its arrival is known when
its last flit leaves the last router. Nodes take every message off the network at once (queues in the clusters'
memory), so that one virtual network is enough; with more (`design.networks`) each has virtual channels and queues at
the sources of its own.

A multicast is a tree of packets (`timed.trees`): a router takes a copy whole and injects it again for each branch, by
the routing of all packets, with combining buffers without limit. Or it branches inside the routers, flit by flit, as in
the router chip (`_branching`): that is faster by the length of the packet and an injection for each place where it
branches, takes the channels of the chip's rules, and may stop while a branch is blocked; combining buffers have a
limit, and acknowledges go back over the links of the tree the other way. Called by `cli` and the report.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.routes.trees import require_single_ways
from jumpnet.api.public import public
from jumpnet.coherence.encoding import encoding, encodings, tables_for
from jumpnet.coherence.without_effect import refuse_unused
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import BRANCHES, Design
from jumpnet.machine.timed.entries import Entries, entries_of
from jumpnet.machine.timed.machine import Timing, run_machine
from jumpnet.machine.timed.streams import Streams
from jumpnet.machine.timed.together import check_together
from jumpnet.machine.timed.trees import BinomialTrees, BitMapTrees, Trees
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, Routing
from jumpnet.settings.typed import refuse_unknown
from jumpnet.sim.config.parameters import MOST_MORE
from jumpnet.sim.config.sim_config import SimConfig, preset
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, OUT_VC_ROW
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.multicast.trees import Trees as PlannedTrees
from jumpnet.sim.outside import Outside
from jumpnet.topology import build

__all__ = ["Chosen", "ClosedLoop", "chosen_machine", "closed_loop", "on_network", "trees_of"]


@dataclass(frozen=True)
class ClosedLoop:
    """A run of a machine on a network."""

    timing: Timing
    network: str
    """Spec of the network."""
    routing: str
    direct_cycles: int
    """Cycles of the same machine when messages take their flits only and never meet. They may be more than those with
    the network: references to a line meet in another order then, and pages move (`migrates`) at other times."""
    hops_mean: float
    """Routers that a packet passes."""
    network_latency_mean: float
    """Cycles from a packet's entry into the network to its arrival."""
    queueing_mean: float
    """Cycles of a packet's latency beyond those it takes alone: waiting to enter, and for others in the network."""
    channel_load_max: float
    """Flits per cycle of the busiest channel, over the whole run."""
    link_flits: int
    """Flits sent over links between routers, acknowledges included."""
    fallbacks: int
    """Branchings in routers whose acknowledges a node's processor counted because no combining buffer was free."""

    @property
    def network_share(self) -> float:
        """Part of the time that is there because of the network; below 0 where `direct_cycles` are more."""
        return 1.0 - self.direct_cycles / self.timing.cycles if self.timing.cycles else 0.0


def trees_of(network: str, encoding_name: str) -> Trees:
    """Trees of the multicasts of a directory encoding: those of its bit-map scheme, or binomial ones of a full map.

    Of schemes with + between, such as `SM+LPRA+LARP`: packet by packet that with the fewest receivers.

    Raises JumpnetError for encodings that are neither, and for bit-maps on a network that is no RDT.

    >>> trees_of("torus:4x4", "full_map").tree(0, (1, 2)).parent
    [-1, 0, 0]
    """
    if "+" in encoding_name:
        return BitMapTrees(network, encoding_name)
    used = encoding(encoding_name)
    if used.scheme:
        return BitMapTrees(network, used.scheme)
    if used.name != "full_map":
        raise JumpnetError(f"multicast with encoding {used.name} found, a bit-map scheme or full_map expected")
    return BinomialTrees(build(network).routers)


def _check_list(protocol: str, encoding_name: str) -> None:
    """Raise JumpnetError for the tables of lists from copy to copy with entries that are none."""
    lists = {name: used.invalidates for name, used in encodings().items() if used.chained}
    if protocol in lists.values() and encoding_name not in lists:
        found = f"encoding {encoding_name}" if encoding_name else "multicast"
        wanted = f"encoding {' or '.join(lists)} expected: it tells one copy after another"
        raise JumpnetError(f"protocol {protocol} with {found} found, {wanted}")


def _with_networks(config: SimConfig, made: Design) -> SimConfig:
    """The settings with a class of packets, and channels of its own, for each virtual network of a design."""
    if len(made.groups) > 1 + MOST_MORE:
        raise JumpnetError(f"{len(made.groups)} virtual networks found, at most {1 + MOST_MORE} expected")
    if len(made.groups) == 1:
        return config
    config.refuse(("more_classes",), "where messages go by virtual networks")
    others = [{"load": 0.0}] * (len(made.groups) - 1)
    return config.replace(more_classes=others, class_channels="own")


def _branching(
    net: Network,
    routing: str | Routing | BoundRouting | None,
    config: SimConfig,
    encoding_name: str,
    *,
    nodes: int,
    entries: int,
    ack_flits: int,
) -> OutsideMulticasts:
    """A network whose routers branch: on an RDT with a bit-map scheme all packets go by the rules of the router chip,
    which are proved free of deadlock together (`jumpnet prove --multicast chip`); with a full map on any network
    multicasts follow the paths of the routing that takes the other packets, which must give one from each of the nodes
    to each other one.

    encoding_name: whose multicasts. entries: combining buffers of a router. Raises JumpnetError.
    """
    maps = encoding_name if "+" in encoding_name else encoding(encoding_name).scheme
    if maps and routing is not None:
        raise JumpnetError(f"a routing with multicasts of {encoding_name} found, the router chip's own expected: none")
    name = routing if isinstance(routing, str) else routing.name if routing is not None else ""
    trees = PlannedTrees(net, "chip" if maps else "paths", name, config.vcs, maps, "", config.least_vcs)
    try:
        if trees.routing is None:
            trees.number(0, range(1, net.endpoints))
        else:
            require_single_ways(trees.routing, np.unique(net.terminal_router[:nodes]))
    except JumpnetError as error:
        why = str(error).removesuffix(" (tree_routing names another one)")
        raise JumpnetError(f"branches 'routers' with encoding {encoding_name} on {net.spec}: {why}") from None
    return OutsideMulticasts(net, trees, config, entries=entries, ack_flits=ack_flits)


def _outside(
    net: Network,
    routing: str | Routing | BoundRouting | None,
    config: SimConfig,
    made: Design,
    encoding_name: str,
    combining_entries: int | None,
    nodes: int,
) -> Outside | OutsideMulticasts:
    """The network that messages cross, whose routers branch where the design says so. Raises JumpnetError."""
    if made.branches == BRANCHES[0]:
        return Outside(net, routing, config)
    entries, ack_flits = 4 if combining_entries is None else combining_entries, made.costs.flits(0)
    return _branching(net, routing, config, encoding_name, nodes=nodes, entries=entries, ack_flits=ack_flits)


def _measured(
    network: str, outside: Outside | OutsideMulticasts, config: SimConfig, timed: Timing, direct_cycles: int
) -> ClosedLoop:
    """What a run that is over took, and what its messages met in the network."""
    engine = outside.engine
    counter, s = engine.state.counter, engine.shape
    done = max(1, int(counter[COUNTER.done_measured]))
    sent = engine.state.out_vc.reshape(s.routers, s.outputs, s.vcs, at.OUT_VC_FIELDS)[..., OUT_VC_ROW.sent].sum(axis=2)
    hops = float(counter[COUNTER.hops_sum]) / done
    # Latency alone is linear in routers and flits: that of the means is the mean of those.
    alone = config.zero_load_cycles(0, 0) + hops * (config.zero_load_cycles(1, 0) - config.zero_load_cycles(0, 0))
    return ClosedLoop(
        timing=timed,
        network=network,
        routing=outside.trees.name if isinstance(outside, OutsideMulticasts) else engine.routing.name,
        direct_cycles=direct_cycles,
        hops_mean=hops,
        network_latency_mean=float(counter[COUNTER.network_sum]) / done,
        queueing_mean=max(0.0, timed.message_latency_mean - alone - timed.flits / done),
        channel_load_max=float(np.max(sent[:, : s.link_outputs], initial=0) / max(1, timed.cycles)),
        link_flits=int(sent[:, : s.link_outputs].sum()),
        fallbacks=outside.fallbacks if isinstance(outside, OutsideMulticasts) else 0,
    )


class Chosen(NamedTuple):
    """A machine as `closed_loop` runs it."""

    design: Design
    trees: Trees | None
    """Of its multicasts."""
    entries: Entries | None
    """Whom the entries name, without multicasts."""


def chosen_machine(
    network: str,
    *,
    processors: int | None = None,
    multicast: str = "",
    encoding_name: str = "full_map",
    combining_entries: int | None = None,
    **design: Any,
) -> Chosen:
    """The machine that these settings of `closed_loop` stand for, whatever its trace.

    processors: of the machine; None where they are not known. Raises JumpnetError for settings that are none, do not go
    together, or would change nothing.

    >>> chosen_machine("torus:2x2", acknowledges="counted").design.parts
    frozenset({'counted'})
    """
    refuse_unknown(Design, design)
    if not multicast:
        design["protocol"] = tables_for(design.get("protocol", Design.protocol), encoding(encoding_name))
    made = Design(**design)
    _check_list(made.protocol, "" if multicast else encoding_name)
    combines = made.branches != BRANCHES[0] and made.acknowledges == "combined"
    given, where = combining_entries is not None, "branches 'routers' and acknowledges 'combined'"
    refuse_unused((given, f"{combining_entries} combining entries", combines, where))
    if multicast and encoding_name not in ("full_map", multicast):
        raise JumpnetError(f"encoding {encoding_name} found with multicasts of {multicast}, one of them expected")
    trees, entries = (trees_of(network, multicast), None) if multicast else (None, entries_of(network, encoding_name))
    made = replace(made, relayed=trees is not None and made.branches == BRANCHES[0])
    nodes = None if processors is None else -(-processors // made.clusters_of)
    check_together(made, trees, entries, nodes)
    return Chosen(made, trees, entries)


def on_network(
    network: str,
    processors: int,
    *,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    combining_entries: int | None = None,
    **settings: Any,
) -> tuple[Chosen, Outside | OutsideMulticasts]:
    """A machine of so many processors and the network that its messages cross, before either runs.

    settings: as of `chosen_machine`. Raises JumpnetError as `closed_loop`, for all that does not follow from the trace.
    """
    machine = chosen_machine(network, processors=processors, combining_entries=combining_entries, **settings)
    chosen = preset("jump1") if config is None else config
    chosen.refuse(("internal_speedup",), "where latency without waiting is told")
    if machine.design.endpoint_room:
        chosen.refuse(("ejection_ports", "injection_ports"), "where terminals have room for few packets")
    chosen = _with_networks(chosen.replace(batch_cycles=1_000_000), machine.design)
    net, nodes = build(network), -(-processors // machine.design.clusters_of)
    if net.endpoints < nodes:
        raise JumpnetError(f"{nodes} nodes found, at most the {net.endpoints} terminals of {network} expected")
    multicast = settings.get("multicast", "")
    outside = _outside(net, routing, chosen, machine.design, multicast, combining_entries, nodes)
    outside.check_lengths(machine.design.lengths)
    return machine, outside


@public
def closed_loop(
    streams: Streams,
    network: str,
    *,
    routing: str | Routing | BoundRouting | None = None,
    config: SimConfig | None = None,
    multicast: str = "",
    encoding_name: str = "full_map",
    quantum: int | None = None,
    combining_entries: int | None = None,
    **design: Any,
) -> ClosedLoop:
    """Run a machine whose messages cross a simulated network.

    network: spec; routing: the family's default unless named; config: the router chip's settings (`jump1`) unless
    given. multicast: the encoding by whose trees messages to many nodes go (`trees_of`); empty means one after another,
    to those whom the entries of `encoding_name` name (`timed.entries`). combining_entries: combining buffers of a
    router, where multicasts branch in the routers, 4 unless given. design: fields of `timed.design.Design`. Raises
    JumpnetError for fewer terminals than nodes and what those raise. Cost: some 0.2 microseconds a flit and router, 0.1
    a cycle.

    >>> from jumpnet.machine.timed.streams import streams_of
    >>> from jumpnet.machine.workload import workload
    >>> streams = streams_of(workload("lu:processors=4,n=16").trace())
    >>> found = closed_loop(streams, "torus:2x2")
    >>> found.timing.cycles > found.direct_cycles > 0
    True
    """
    how = {"multicast": multicast, "encoding_name": encoding_name, "combining_entries": combining_entries, **design}
    machine, outside = on_network(network, len(streams.first) - 1, routing=routing, config=config, **how)
    same = {"quantum": quantum, "trees": machine.trees, "entries": machine.entries, **vars(machine.design)}
    timed, direct = (run_machine(streams, network=by, **same) for by in (outside, None))
    return _measured(network, outside, outside.config, timed, direct.cycles)
