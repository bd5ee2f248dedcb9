"""Run images: the memory of runs at cycle 0 as the page gets it, one text for all runs of a network.

An image is the simulator's own memory (`sim.memory.allocate`), taken apart into *blocks* (its arrays, the record, the
view of the routing), with the places in them that are addresses of other blocks (`links`) or of functions (`calls`).
The page lays the blocks anywhere and writes the addresses in. Blocks that are zero are their size alone, and those that
several runs share stand once. Records and sizes of all runs are tables. Random numbers are named by the seed when a run
begins, and where output VCs lead follows from the network (`looks.join_links`), so an image holds neither.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels.allocated import KEPT, began
from jumpnet.explore.kernels.layout import mark
from jumpnet.explore.kernels.names import SINGLE, name_of, sets_entry
from jumpnet.explore.packed import pack
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.sim.config.sim_config import SimConfig, preset
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import OUT_VC_ROW
from jumpnet.sim.memory.record import ARRAYS, PLACE, Memory
from jumpnet.sim.memory.run_kinds import Plain
from jumpnet.sim.resolve.bubble import require_bubbles
from jumpnet.sim.resolve.by_routing import bound_with, settled
from jumpnet.terms import Array
from jumpnet.topology import as_network
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic.injection_process import MEMORY_WORDS

__all__ = ["Run", "run_image"]

SEEDED = ("process_key", "packet_key")
"""Arrays that follow from the seed."""
COUNTED = ("vcs", "buffer_flits")
"""Settings that are told with the sizes of a run."""
JOINED = ("to", "to_router", "to_cell")
"""Fields of an output VC that follow from the network."""
VIEW = ("neighbor", "far_port", "link_class", "coord", "params", "own", "table")
"""Arrays of a view, in the order of its record (`routings.view`)."""


class Run(NamedTuple):
    """One run of an image: a routing, and settings besides those that all runs share."""

    routing: str | BoundRouting | None = None
    settings: Mapping[str, Any] = {}
    preset: str = ""
    """That of the image where none is named."""


class _Packed(NamedTuple):
    """One run in blocks."""

    told: dict[str, Any]
    sizes: dict[str, int]
    numbers: dict[str, int]
    """Its blocks, by name, the record left out."""
    record: Array
    links: list[tuple[str, int, str]]
    """Words that are addresses: (block, word, block that it is the address of); the same in all runs, as are names."""
    calls: dict[tuple[str, int, str], str]
    """Words that are functions: (block, word, what it is), and the function's name, empty where there is none."""


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
        "process_memory": MEMORY_WORDS,
        "wire": s.wires * at.WIRE_FIELDS,
        "neighbor": memory.program.view.neighbor.shape[1],
        "far_port": memory.program.view.far_port.shape[1],
        "link_class": memory.program.view.link_class.shape[1],
        "coord": memory.program.view.coord.shape[1],
        "table": memory.program.view.table.shape[1],
    }


def _entries(memory: Memory) -> dict[str, str]:
    """Which entries run it: with routers as rows, and as sets where that can be; also for single flits."""
    rows = "run_plain" if memory.kind(False) is Plain else "run_any"
    if not (memory.packs and memory.plain and memory.shape.start_looks == 0):  # it has kernels of plain kinds alone
        return {"rows": rows}
    sets = sets_entry(max(memory.shape.lanes, memory.shape.out_vcs))
    return {"rows": rows, "sets": sets} | ({"single": SINGLE[sets]} if sets in SINGLE else {})


def _on_ways(memory: Memory) -> dict[str, Array]:
    """What single flits need, which the page can ask for in any run that has an entry for them."""
    s, places = memory.shape, memory.state.routes.size if "single" in _entries(memory) else 0
    slots = s.routers * s.lanes * s.buffer if places else 0
    return {"stations": np.zeros(3 * places, np.int32), "standing": np.zeros(slots, np.int64)}


def _told(memory: Memory, bound: BoundRouting, config: SimConfig) -> dict[str, Any]:
    """What the page says of a run, and what it must know to drive it."""
    unlike = {k: v for k, v in config.model_dump().items() if k in KEPT or v != SimConfig.model_fields[k].default}
    return {
        "routing": bound.name,
        "settings": {name: value for name, value in unlike.items() if name not in COUNTED},
        "entries": _entries(memory),
        "mean_packet_flits": config.mean_packet_flits,
    }


def _sizes(memory: Memory, bound: BoundRouting, config: SimConfig) -> dict[str, int]:
    """The same, in whole numbers."""
    s = memory.shape
    return {
        "vcs": bound.vcs,
        "draws": bound.draws,
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
        "packets_a_cycle": s.packets_a_cycle,
        "longest_flits": config.longest_flits,
    }


def _more_traffic(net: Network, patterns: Sequence[str], blocks: _Blocks) -> list[dict[str, Any]]:
    """Patterns that each run can have instead of its own: nothing else of its memory depends on them."""
    made = []
    for name in patterns:
        pattern = bind_traffic(name, net)
        about = {"own": blocks.add(pattern.own), "size": int(pattern.own.size), "draws": pattern.draws}
        made.append({"traffic": name, "destination": name_of(pattern.pattern.destination), **about})
    return made


MOST_SEED = 2**53
"""Whole numbers that JavaScript has."""
REFUSED = ("reply_flits", "exchange_flits", "more_classes", "subnets", "source_queue_packets", "events")
"""Settings that the page does not run: their figures are more than it shows."""


def _view(memory: Memory) -> dict[str, Array]:
    """The arrays that a routing sees, and the record of their sizes, whose first words are to be their addresses."""
    view = memory.program.view
    arrays = {f"view.{name}": getattr(view, name) for name in VIEW}
    neighbor, coord, table = view.neighbor, view.coord, view.table
    sizes = [*neighbor.shape, coord.shape[1], view.params.size, view.own.size, *table.shape, view.vcs, view.queues]
    return {**arrays, "view": np.array([0] * len(VIEW) + sizes, np.int64)}


def _arrays(memory: Memory, process_numbers: int) -> dict[str, Array]:
    """All of a run's memory by name, without addresses, and without what follows from the seed or the links."""
    (calls,) = memory.program.classes
    row, record = np.zeros(at.CALL_FIELDS, np.int64), memory._record.copy()
    row[[2, 5, 6]] = calls.pattern_own.size, process_numbers, calls.draws
    state = memory.state._asdict()
    record[[PLACE[name] for name in (*ARRAYS, "routing_view")]] = 0
    seeded = {name: np.zeros_like(state[name]) for name in SEEDED}
    out_vc = state["out_vc"].reshape(-1, at.OUT_VC_FIELDS).copy()
    fields = [getattr(OUT_VC_ROW, name) for name in JOINED]
    out_vc[:, fields] = np.minimum(out_vc[:, fields], 0)
    own = {"pattern_own": calls.pattern_own, "process_own": calls.process_own}
    joined = {"out_vc": out_vc.reshape(state["out_vc"].shape)}
    return {
        **state,
        **_on_ways(memory),
        **seeded,
        **joined,
        **_view(memory),
        **own,
        "class_calls": row,
        "record": record,
    }


def _links(memory: Memory) -> list[tuple[str, int, str]]:
    """Words that are addresses: (block, word, block that it is the address of)."""
    record = {**{name: name for name in memory.state._fields}, "class_calls": "class_calls", "routing_view": "view"}
    links = [("record", PLACE[name], block) for name, block in record.items()]
    links += [("view", word, f"view.{name}") for word, name in enumerate(VIEW)]
    return [*links, ("class_calls", 1, "pattern_own"), ("class_calls", 4, "process_own")]


def _packed(net: Network, run: Run, config: SimConfig, blocks: _Blocks) -> _Packed:
    """One run in blocks."""
    if net.endpoints < 1:
        raise JumpnetError(f"{net.spec} has 0 terminals, at least 1 expected")
    bound = bound_with(run.routing or None, net, config.vcs, config.least_vcs)
    config = settled(config, bound)
    _refuse(config)
    require_bubbles(bound.routing, config, None, False)
    memory, pattern, process, process_numbers = began(net, bound, config)
    columns = _columns(memory)
    arrays = _arrays(memory, process_numbers)
    record = arrays.pop("record")
    numbers = {name: blocks.add(array, columns.get(name.removeprefix("view."), 1)) for name, array in arrays.items()}
    functions = {
        ("record", PLACE["relation"], "relation"): bound.routing.relation,
        ("record", PLACE["start"], "start"): bound.routing.start,
        ("class_calls", 0, "destination"): pattern.pattern.destination,
        ("class_calls", 3, "advance"): process.advance,
    }
    calls = {where: name_of(function) if function else "" for where, function in functions.items()}
    told, sizes = _told(memory, bound, config), _sizes(memory, bound, config)
    return _Packed(told, sizes, numbers, record, _links(memory), calls)


def _refuse(config: SimConfig) -> None:
    """Raise JumpnetError for settings that the page does not run."""
    config.refuse(REFUSED, "in the page")
    if config.seed >= MOST_SEED:
        raise JumpnetError(f"seed {config.seed} found, below {MOST_SEED} expected in the page")
    for name in ("allocator", "vc_allocator"):
        if (given := getattr(config, name)) in ("lonely_output", "max_size"):  # which have an entry of their own
            raise JumpnetError(f"{name} {given} found, another one expected in the page")
    if config.injection.partition(":")[0] not in ("bernoulli", "onoff"):
        raise JumpnetError(f"injection {config.injection} found, bernoulli or onoff expected in the page")


def run_image(
    network: str | Network, *runs: Run | str, name: str = "booksim", patterns: Sequence[str] = (), **settings: Any
) -> str:
    """Runs of one network as one text (base64), for `Simulation.from` in the page.

    runs: a `Run` or the name of a routing for each; the family's default routing when there is none. name, settings:
    those of all runs, as for `simulate`; a run's own may name another preset. patterns: traffic that each run can have
    instead of its own, which must not rest on the routing. Raises JumpnetError for what does not fit, and for routings
    or traffic that are not jumpnet's own.

    >>> text = run_image("torus:4x4", "torus.duato", vcs=3, load=0.2)
    >>> len(text) < 8000
    True
    """
    net = as_network(network)
    blocks = _Blocks()
    chosen: Sequence[Run] = [run if isinstance(run, Run) else Run(run) for run in runs] or [Run()]
    packed = [_packed(net, run, preset(run.preset or name, **{**settings, **run.settings}), blocks) for run in chosen]
    first, more = packed[0], _more_traffic(net, patterns, blocks)
    functions = sorted({name for each in packed for name in each.calls.values()})
    told = [
        {**each.told, "preset": run.preset or name, "calls": [functions.index(call) for call in each.calls.values()]}
        for each, run in zip(packed, chosen, strict=True)
    ]
    different = list({json.dumps(each, sort_keys=True): each for each in told}.values())
    return pack(
        {
            "mark": mark(),
            "network": net.spec,
            "channels": int(net.channels),
            "names": list(first.numbers),
            "links": first.links,
            "calls": list(first.calls),
            "functions": functions,
            "traffic": more,
            "told": different,
            "told_of": np.array([different.index(each) for each in told], np.int32),
            "sizes": list(first.sizes),
            "sizes_of": np.array([list(each.sizes.values()) for each in packed], np.int32),
            "records": np.stack([each.record for each in packed]),
            "blocks_of": np.array([list(each.numbers.values()) for each in packed], np.int32),
            "blocks": blocks.all,
        }
    )
