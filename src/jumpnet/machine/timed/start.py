"""The memory of a timed machine at its start, and its growth. Used by `machine`."""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.coherence.functional import pages_by_update
from jumpnet.coherence.recent import EMPTY
from jumpnet.coherence.store import BUFFERS, empty_buffer, pair_of
from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD_BITS
from jumpnet.machine.timed.design import ACKNOWLEDGES, BRANCHES, Costs, Design
from jumpnet.machine.timed.entries import Entries
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.kernels import sets_seen
from jumpnet.machine.timed.kernels.layout import Memory
from jumpnet.machine.timed.networks import room_rules
from jumpnet.machine.timed.streams import Streams
from jumpnet.machine.timed.trees import Tree, Trees, place_rows
from jumpnet.memory import require

__all__ = ["add_gathering", "add_tree", "grow", "machine"]

LEAST_ROWS = 1 << 12
SETS_SEEN = 1 << 12
"""Sets of nodes whose ways kernels find by themselves."""


def _table(rows: int, places: Any, *empty: int, more: int = 0) -> Any:
    """(rows, numbers of a row and so many more) zeros, with NOBODY in some places."""
    table = np.zeros((rows, len(places) + more), np.int64)
    table[:, empty] = at.NOBODY
    return table


def _lines(s: Streams, design: Design) -> Any:
    """Lines that nobody has touched, of the class of their page's mode."""
    rules, chosen = design.rules, np.isin(s.page_number, pages_by_update(design.update_pages))
    line = _table(len(s.page), at.LINE, at.LINE.owner, at.LINE.first, at.LINE.asked)
    line[:, at.LINE.state] = np.where(chosen, rules.other, rules.first)[s.page]
    return line


def _of_a_node(design: Design, processors: int, nodes: int) -> dict[str, Any]:
    """What the parts of a node are, and what they take."""
    costs, handlers = design.costs, design.costs.handler_cycles
    one, two = pair_of("translation", design.translation)
    owners, entries = (processors, nodes, nodes), (one, two, design.pruning)
    made = [empty_buffer(*each) for each in zip(owners, entries, BUFFERS, strict=True)]
    stores = dict(zip(("stage_1", "stage_2", "pruning"), made, strict=True))
    return {
        "units": design.memory_processors, "handler": handlers, "least_cycles": int(handlers.min()),
        "spacing": costs.spacing_cycles, "sync": costs.sync_cycles, "forward": costs.forward_cycles,
        "remake": costs.remake_cycles,
        "bus": np.zeros(nodes), "bus_request": costs.bus_request_cycles, "bus_line": costs.bus_line_cycles,
        "stage_1_cycles": costs.stage_1_cycles, "stage_2_cycles": costs.stage_2_cycles,
        "holders": int(design.lists_holders),
        **{name: store for name, (store, _, _) in stores.items()},
        **{f"{name}_ways": ways for name, (_, ways, _) in stores.items()},
        **{f"{name}_sets": sets for name, (_, _, sets) in stores.items()},
    }  # fmt: skip


def _of_meetings(s: Streams, design: Design, nodes: int) -> dict[str, int]:
    """How processors meet at barriers."""
    by_line = design.synchronisation == "line"
    return {
        "by_message": int(design.synchronisation != "free"),
        "line_cycles": nodes * design.costs.barrier_line_cycles * by_line,
        "everyone": int((np.diff(s.first) > 0).sum()),
        "objects": len(s.members) - len(s.first_flag),
        "flagged": len(s.first_flag),
    }


def _how(design: Design, trees: Trees | None, entries: Entries | None) -> int:
    """How a message goes to many nodes."""
    if trees is not None:
        return at.BRANCH if design.branches == BRANCHES[1] else at.TREE
    if entries is not None and entries.chained:
        return at.CHAIN
    return at.NAMED if entries is not None and entries.maps is not None else at.DIRECT


def _of_moves(design: Design, costs: Costs, home: Any, nodes: int) -> dict[str, Any]:
    """What homes know of who asks for their pages, where these may move."""
    kept = len(home) * bool(design.migrates)
    require(8 * kept * (2 * nodes + 2), f"counts of {len(home)} pages")
    return {
        "migrates": design.migrates, "page_flits": costs.flits(design.page_bytes), "asked": np.zeros(kept * nodes),
        "believed": np.repeat(home[:kept], nodes),
        "wanted": np.full(kept, at.NOBODY), "moving": np.zeros(kept),
    }  # fmt: skip


def _of_rooms(design: Design, ends: int, lines: int) -> dict[str, Any]:
    """Virtual networks, and what so many terminals have room for."""
    counts, limited = ends * len(design.groups), design.endpoint_room > 0
    return {
        "ends": ends, "relay": np.full(2 * counts * limited, at.NOBODY),
        "networks": len(design.groups), "network_of": design.network_of, "room": design.endpoint_room,
        **room_rules(design.kinds, design.groups, design.endpoints, design.network_of),
        **{name: np.zeros(counts * limited) for name in ("sent", "entered", "freed")},
        "held": np.zeros(lines * limited),
    }  # fmt: skip


def _of_entries(entries: Entries | None, listing: int, nodes: int, requests: int) -> dict[str, Any]:
    """What so many directory entries of a machine can name, when they named whom, and the lists of requests."""
    pointers, evicts, chained = (entries.pointers, entries.evicts, entries.chained) if entries else (0, False, False)
    stamps, overs, lists = listing * nodes * (evicts or chained), listing * bool(pointers), requests * nodes * chained
    require(8 * (stamps + overs + lists), f"the lists of {listing} directory entries")
    return {
        "pointers": pointers, "evicts": int(evicts), "stamp": np.zeros(stamps), "over": np.zeros(overs),
        "following": np.zeros(lists),
    }  # fmt: skip


def _of_listings(lines: int, pages: int, words: int, nodes: int, lingers: bool) -> dict[str, Any]:
    """What the home knows of nodes with a copy of each line, none at the start; lingers: those with one apart."""
    sets = lines * words * (2 + lingers) + pages * words
    require(8 * (lines * len(at.LINE) + sets), f"a directory of {lines} lines and {nodes} nodes")
    return {
        "lingers": int(lingers), "valid": np.zeros(lines * words), "pending": np.zeros(lines * words),
        "copies": np.zeros(lines * words * lingers), "touched": np.zeros(pages * words),
    }  # fmt: skip


def _of_streams(s: Streams) -> dict[str, Any]:
    """The streams' own arrays; homes change where pages move, and holders are in the table of things."""
    own = {name: column for name, column in s._asdict().items() if name not in ("holder", "references", "sizes")}
    if s.references.held is None:
        own["code"] = np.zeros((len(s.first) - 1) * s.references.window, np.int64)
    return {**own, "home": s.home.copy()}


def _processors(s: Streams) -> Any:
    """Processors before their first reference."""
    of = at.PROCESSOR
    proc = _table(len(s.first) - 1, of, of.lock, of.gave, of.chain, of.on, more=4)
    if s.references.held is not None:
        proc[:, of.base], proc[:, of.known] = s.first[:-1], np.diff(s.first)
    return proc


def _things(s: Streams) -> Any:
    """Locks, barriers and flags before the first record."""
    of = at.THING
    thing = _table(len(s.members), of, of.first, of.ahead, of.farthest)
    thing[:, of.holder] = thing[:, of.open] = s.holder
    thing[s.barrier >= 0, of.nodes] = (s.expected > 0).sum(axis=1)
    return thing


def machine(s: Streams, design: Design, trees: Trees | None, entries: Entries | None = None) -> Memory:
    """All tables of a machine at time 0. Raises JumpnetError where they would not fit in memory."""
    processors, lines, pages = len(s.first) - 1, len(s.page), len(s.home)
    nodes, costs, k = -(-processors // design.clusters_of), design.costs, design.outstanding
    servers = nodes * design.memory_processors
    if processors + servers >= 1 << at.PAYLOAD_BITS:
        raise JumpnetError(f"{processors} processors found, {processors + servers} parts with their nodes are too many")
    words, places = -(-nodes // WORD_BITS), trees.most_places if trees else nodes if entries else 0
    how = _how(design, trees, entries)
    listing = pages if design.directory == "page" else lines
    lists = _of_entries(entries, listing, nodes, processors * k)
    rows = LEAST_ROWS + 4 * (places + nodes + processors)
    cached = processors * design.sets * design.ways
    answers = (processors * k + len(s.expected)) * places * (how in (at.TREE, at.BRANCH))
    require(8 * (answers * len(at.TALLY) + cached), f"caches and acknowledges of {processors} processors")
    seen = 0 if how in (at.DIRECT, at.CHAIN) else SETS_SEEN
    line = _lines(s, design)
    count = _table(1, at.COUNT, at.COUNT.free, at.COUNT.want)
    queue = _table(servers, at.QUEUE, at.QUEUE.first, at.QUEUE.last)
    queue[:, at.QUEUE.through] = at.FOREVER
    return Memory(
        processors=processors,
        nodes=nodes,
        rows=rows,
        words=words,
        cluster=design.clusters_of,
        by_page=int(design.directory == "page"),
        outstanding=k,
        ways=design.ways,
        sets=design.sets,
        hints=int(design.hints),
        shared=design.rules.shared,
        **_of_rooms(design, max(nodes, trees.reach if trees else 0), lines),
        multicast=how,
        acknowledges=ACKNOWLEDGES.index(design.acknowledges),
        most_places=places,
        **_of_meetings(s, design, nodes),
        **_of_a_node(design, processors, nodes),
        short=costs.flits(0),
        word=costs.flits(costs.flit_bytes),
        long=costs.flits(design.line_bytes),
        **lists,
        **_of_streams(s),
        **_of_moves(design, costs, s.home, nodes),
        page_line=np.searchsorted(s.page, np.arange(pages + 1)),
        told=np.zeros(words),
        sets_seen=seen,
        seen=np.full(seen * (words + sets_seen.WORDS), at.NOBODY),
        rules=design.rules.rows,
        proc=_processors(s),
        register=_table(processors * k, at.REGISTER, at.REGISTER.line),
        line=line,
        **_of_listings(lines, pages, words, nodes, design.rules.lingers),
        cache=np.full(cached, EMPTY),
        queue=queue,
        message=np.zeros(rows * len(at.MESSAGE)),
        thing=_things(s),
        gather=_table(len(s.expected) * nodes, at.GATHER, at.GATHER.first, at.GATHER.place),
        place=np.zeros(0),
        tally=np.zeros(answers * len(at.TALLY)),
        heap=np.zeros(processors + nodes + rows),
        outbox=np.zeros(rows),
        due=np.zeros(rows),
        answer=np.zeros(2),
        count=count,
        kinds=np.zeros(len(at.KINDS)),
        histogram=np.zeros(nodes),
    )


def grow(m: Any) -> None:
    """Twice the rows for messages."""
    rows = m.rows
    require(16 * rows * (len(at.MESSAGE) + 3), f"a machine with {2 * rows} messages on their way")
    more = {"message": rows * len(at.MESSAGE), "heap": rows, "outbox": rows, "due": rows}
    m.replace(rows=2 * rows, **{k: np.concatenate([getattr(m, k), np.zeros(n, np.int64)]) for k, n in more.items()})


def add_tree(m: Any, tree: Tree, start: int, plan: int = -1) -> int:
    """Enter a tree in the table of places, its root at `start`; returns where the next one will lie.

    plan: of the network, where the message branches in the routers.
    """
    rows = place_rows(tree, start // len(at.PLACE), m.nodes).reshape(-1)
    rows[at.PLACE.plan] = plan
    if start + len(rows) > len(m.place):
        size = 2 * (start + len(rows))  # doubled, so that many trees are not copied for each
        require(8 * size, f"trees of multicasts with {size // len(at.PLACE)} places")
        m.replace(place=np.concatenate([m.place, np.zeros(size - len(m.place), np.int64)]))
    m.place[start : start + len(rows)] = rows
    return start + len(rows)


def add_gathering(m: Any, barrier: int, tree: Tree, start: int) -> int:
    """Enter the tree that combines the arrivals at a barrier, its root at `start`, and what its places wait for.

    Returns where the next tree will lie.
    """
    end = add_tree(m, tree, start)
    places = m.place[start:end].reshape(-1, len(at.PLACE))
    takes = places[:, at.PLACE.receives] == at.RECEIVES
    gather = m.gather.reshape(-1, m.nodes, len(at.GATHER))
    gather[barrier, places[takes, at.PLACE.router], at.GATHER.place] = start + len(at.PLACE) * np.flatnonzero(takes)
    tally = m.tally.reshape(-1, m.most_places, len(at.TALLY))[m.processors * m.outstanding + barrier]
    tally[: len(places), at.TALLY.left] = places[:, at.PLACE.children] + takes
    return end
