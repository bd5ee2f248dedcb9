"""Run images: the memory of runs at cycle 0 as the page gets it, one text for all runs of a network.

An image is the simulator's own memory (`sim.memory.allocate`), taken apart into *blocks* (its arrays, the record, the
view of the routing), with the places in them that are addresses of other blocks (`links`) or of functions (`calls`). The
page lays the blocks anywhere and writes the addresses in. Blocks that are zero are their size alone, and those that
several runs share stand once. Random numbers are named by the seed when a run begins, so an image holds none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels.layout import mark
from jumpnet.explore.kernels.names import name_of
from jumpnet.explore.packed import pack
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.adversary import against
from jumpnet.sim.bubble import require_bubbles
from jumpnet.sim.channels import bound_with
from jumpnet.sim.config import SimConfig, preset
from jumpnet.sim.engine import process_of
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.allocate import allocate
from jumpnet.sim.memory.record import PLACE, Calls, Memory, Program
from jumpnet.sim.memory.run_kinds import General
from jumpnet.sim.memory.shape import packets_a_cycle
from jumpnet.sim.planes import side_by_side
from jumpnet.sim.reuse import settle_reuse
from jumpnet.terms import I64, Array
from jumpnet.topology import build
from jumpnet.traffic import BoundPattern
from jumpnet.traffic import bind as bind_traffic

__all__ = ["Run", "run_image"]

PROCESS_NUMBERS = 64
"""Room for what an injection process reads, at any load."""
SEEDED = ("process_key", "packet_key")
"""Arrays that follow from the seed."""
VIEW = ("neighbor", "far_port", "link_class", "coord", "params", "own", "table")
"""Arrays of a view, in the order of its record (`routings.view`)."""


class Run(NamedTuple):
    """One run of an image: a routing, and settings besides those that all runs share."""

    routing: str | BoundRouting | None = None
    settings: Mapping[str, Any] = {}


class _Nowhere:
    """In place of a compiled function: the page has its own."""

    address = 0


@dataclass
class _Blocks:
    """The blocks of an image so far."""

    all: list[Any] = field(default_factory=list)
    numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def add(self, array: Array, columns: int = 1) -> int:
        """The number of the block with these contents, a new one if need be; rows of so many columns are alike."""
        flat = np.ascontiguousarray(array).reshape(-1)
        zero = not flat.any()
        key = (flat.dtype.str, flat.size, columns, None if zero else flat.tobytes())
        if key not in self.numbers:
            self.numbers[key] = len(self.all)
            kind = f"i{flat.dtype.itemsize}"
            whole = columns > 1 and flat.size % columns == 0
            table = flat.reshape(-1, columns) if whole else flat
            self.all.append({"zeros": flat.size, "of": kind} if zero else table)
        return self.numbers[key]


def _columns(memory: Memory) -> dict[str, int]:
    """Numbers of a row of each array whose rows are alike, router by router."""
    s = memory.shape
    return {
        "lane": s.lanes * s.lane_stride,
        "out_vc": s.out_vcs * at.OUT_VC_FIELDS,
        "due": s.cells,
        "free": s.out_vc_words,
        "link_ok": s.link_outputs,
        "side": at.SIDE_FIELDS,
        "packet": at.PACKET_FIELDS,
        "terminal": at.TERMINAL_FIELDS,
        "injector": at.INJECTOR_FIELDS,
        "memory": 4,
        "wire": s.wires * at.WIRE_FIELDS,
        "neighbor": memory.program.view.neighbor.shape[1],
        "far_port": memory.program.view.far_port.shape[1],
        "link_class": memory.program.view.link_class.shape[1],
        "coord": memory.program.view.coord.shape[1],
        "table": memory.program.view.table.shape[1],
    }


def _entries(memory: Memory) -> dict[str, str]:
    """Which entries run it: with routers as rows, and as sets where that can be."""
    rows = "run_any" if memory.kind(False) is General else "run_plain"
    sets = {} if not memory.packs else {"sets": "run_sets_wide" if memory.packing.wide else "run_sets"}
    return {"rows": rows, **sets}


def _told(net: Network, memory: Memory, bound: BoundRouting, config: SimConfig) -> dict[str, Any]:
    """What the page says of a run, and what it must know to drive it."""
    s = memory.shape
    unlike = {k: v for k, v in config.model_dump().items() if k in KEPT or v != SimConfig.model_fields[k].default}
    return {
        "routing": bound.name,
        "vcs": bound.vcs,
        "draws": bound.draws,
        "settings": {**unlike, "vcs": bound.vcs},
        "entries": _entries(memory),
        "routers": s.routers,
        "terminals": s.terminals,
        "link_outputs": s.link_outputs,
        "link_inputs": s.link_inputs,
        "inputs": s.inputs,
        "outputs": s.outputs,
        "port_vcs": s.vcs,
        "lanes": s.lanes,
        "buffer": s.buffer,
        "lookahead": s.lookahead,
        "packets_a_cycle": packets_a_cycle(s),
        "mean_packet_flits": config.mean_packet_flits,
        "longest_flits": config.longest_flits,
        "wide": int(memory.packing.wide),
    }


KEPT = (
    "load", "traffic", "injection", "packet_flits", "buffer_flits", "seed", "flow_control", "batch_cycles",
    "deadlock_cycles", "link_cycles", "check_every_cycles", "max_cycles",
)  # fmt: skip
"""Settings that the page is told in any case; of others those that are not what they are by default."""


REFUSED = ("reply_flits", "exchange_flits", "more_classes", "subnets", "source_queue_packets", "events")
"""Settings that the page does not run: their figures are more than it shows."""


def _view(memory: Memory, blocks: _Blocks, columns: Mapping[str, int]) -> tuple[int, list[list[int]]]:
    """The block of the view's record, and the blocks that its first words are addresses of."""
    view = memory.program.view
    arrays = [getattr(view, name) for name in VIEW]
    record = [*arrays[0].shape, arrays[3].shape[1], arrays[4].size, arrays[5].size, *arrays[6].shape]
    words = np.array([0] * len(VIEW) + [*record, view.vcs, view.queues], np.int64)
    links = [[k, blocks.add(array, columns.get(name, 1))] for k, (name, array) in enumerate(zip(VIEW, arrays, strict=True))]
    return blocks.add(words), links


def _packed(net: Network, run: Run, config: SimConfig, blocks: _Blocks) -> dict[str, Any]:
    """One run in blocks: names of arrays with their numbers, links (block, word, block), calls (block, word, name)."""
    bound = bound_with(run.routing or _default(net, config), net, config.vcs, config.least_vcs)
    config = against(settle_reuse(config, bound), bound)
    _refuse(config)
    require_bubbles(bound.routing, config, None, False)
    pattern: BoundPattern = bind_traffic(config.traffic, net)
    process, own = process_of(config)
    process_own = np.zeros(PROCESS_NUMBERS, np.int64)
    process_own[: own.size] = own
    shape, state = allocate(side_by_side(net, config.subnets), bound, config)
    nowhere: Any = _Nowhere()
    calls = Calls(nowhere, pattern.own, nowhere, process_own, pattern.draws)
    memory = Memory(shape, state, Program(nowhere, nowhere, bound.view, (calls,)))
    columns = _columns(memory)
    numbers = {
        name: blocks.add(np.zeros_like(array) if name in SEEDED else array, columns.get(name, 1))
        for name, array in state._asdict().items()
    }
    row = memory.class_calls.copy()
    row[[1, 4]], row[5] = 0, own.size
    record = memory._record.copy()
    record[[PLACE[name] for name in (*numbers, "class_calls", "routing_view")]] = 0
    view, view_links = _view(memory, blocks, columns)
    here = {"record": blocks.add(record), "class_calls": blocks.add(row), "view": view}
    links = [["record", PLACE[name], name] for name in numbers]
    links += [["record", PLACE["class_calls"], "class_calls"], ["record", PLACE["routing_view"], "view"]]
    links += [["class_calls", 1, "pattern_own"], ["class_calls", 4, "process_own"]]
    links += [["view", word, f"view.{VIEW[word]}"] for word, _ in view_links]
    here |= {"pattern_own": blocks.add(pattern.own), "process_own": blocks.add(process_own)}
    here |= {f"view.{VIEW[word]}": number for word, number in view_links}
    start = bound.routing.start
    functions = [["record", PLACE["relation"], "relation", name_of(bound.routing.relation)]]
    functions += [["record", PLACE["start"], "start", name_of(start)]] if start is not None else []
    functions += [["class_calls", 0, "destination", name_of(pattern.pattern.destination)]]
    functions += [["class_calls", 3, "advance", name_of(process.advance)]]
    return {**_told(net, memory, bound, config), "blocks": {**numbers, **here}, "links": links, "calls": functions}


def _default(net: Network, config: SimConfig) -> str:
    from jumpnet.routings import default_routing

    return default_routing(net, config.vcs)


def _refuse(config: SimConfig) -> None:
    """Raise JumpnetError for settings that the page does not run."""
    config.refuse(REFUSED, "in the page")
    if config.injection.partition(":")[0] not in ("bernoulli", "onoff"):
        raise JumpnetError(f"injection {config.injection} found, bernoulli or onoff expected in the page")


def run_image(network: str | Network, *runs: Run | str, name: str = "booksim", **settings: Any) -> str:
    """Runs of one network as one text (base64), for `Simulation.from` in the page.

    runs: a `Run` or the name of a routing for each; the family's default routing when there is none. name, settings:
    those of all runs, as for `simulate`. Raises JumpnetError for what does not fit, and for routings or traffic that
    are not jumpnet's own.

    >>> text = run_image("torus:4x4", "torus.duato", vcs=3, load=0.2)
    >>> len(text) < 8000
    True
    """
    net = build(network) if isinstance(network, str) else network
    blocks = _Blocks()
    chosen: Sequence[Run] = [run if isinstance(run, Run) else Run(run) for run in runs] or [Run()]
    packed = [_packed(net, run, preset(name, **{**settings, **run.settings}), blocks) for run in chosen]
    about = {"mark": mark(), "network": net.spec, "channels": int(net.channels)}
    return pack({**about, "runs": packed, "blocks": blocks.all})
