"""Section 3: hierarchical bit-maps, the eight children, territories, and what the schemes are said to be good for."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

from jumpnet.chip.configuration import RANK, Wiring, wire
from jumpnet.chip.links import MBP0
from jumpnet.chip.packet import Packet
from jumpnet.chip.walk import Visit, first, onward
from jumpnet.multicast import scheme
from jumpnet.multicast.children import NAMES, children, figure_7
from jumpnet.multicast.territory import territories
from jumpnet.papers import claim, evaluate
from jumpnet.plot.territory import territory_drawer
from jumpnet.report._page_entries import page_table, programs, protocol_table
from jumpnet.report._plain_tree import cast
from jumpnet.report._section import Figure, Golden, Progress, Section, Table
from jumpnet.report._territories import children_at, needed_top, sources, territories_at, unsurrounded
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._schemes import scheme_table
from jumpnet.report.nishi1997router._words import root_table, told_table

TITLE = "Section 3: the hierarchical bit-map directory on the network"
ORDER = 20

FANOUT, LEVELS = 8, 4
SPEC, LARGE = "rdt:16", "prdt:128"
ALL = 0xFF


def _bits(fanout: int, levels: int) -> tuple[int, int]:
    """Bits of a tree with a map at each node, and its leaves: counted over a multicast to all of them."""
    leaves = list(product(range(fanout), repeat=levels))
    found = cast(scheme("full"), fanout, leaves[0], leaves)
    return found.bits, len(found.receivers)


def _steps(wiring: Wiring, router: int) -> tuple[int, int, int, int]:
    """Children that a map of all ones reaches on the base torus, steps to the last, neighbors of the first and of the
    second step: by the bit-map generator of each chip on the way."""
    todo: list[tuple[Visit, int]] = [(first(wiring, router, Packet(0, (ALL, 0, 0, 0))), 0)]
    got, last, sent = 0, 0, Counter[int]()
    while todo:
        visit, step = todo.pop()
        if visit.decision.sink:
            got, last = got + 1, max(last, step)
        ahead = list(onward(wiring, visit))
        sent[step] += len(ahead)
        todo += [(v, step + 1) for v in ahead]
    return got, last, sent[0], sent[1]


def _broadcast(wiring: Wiring) -> Counter[int]:
    """How often each router gets a multicast from router 0 whose maps are all ones (on the top torus: different
    children)."""
    where = wiring.where
    todo, got = [first(wiring, 0, Packet(where.top, (figure_7(where.distinct), ALL, ALL, ALL)))], Counter[int]()
    while todo:
        visit = todo.pop()
        got[visit.router] += visit.decision.sink == 1 << MBP0
        todo.extend(onward(wiring, visit))
    return +got


def children_drawn(figure: Any) -> None:
    """The two steps from a node to its children."""
    axes = figure.subplots()
    for (x, y), name in zip(children(2), NAMES, strict=True):
        axes.scatter([x], [y], s=400, color="#dddddd")
        axes.text(x, y, name, ha="center", va="center")
        if name != "M":
            start = (0, 0) if name in ("N", "E", "W", "S") else (0, 1)
            style = {"arrowstyle": "->", "lw": 1.5, "color": "#1f77b4" if start == (0, 0) else "#d62728"}
            axes.annotate("", (x, y), start, arrowprops={**style, "shrinkA": 11, "shrinkB": 11})
    axes.set_xlim(-1.6, 1.6)
    axes.set_ylim(2.6, -1.6)
    axes.set_aspect("equal")


def _bit_table(golden: Golden) -> Table:
    """Bits of a directory, counted, beside the printed sums."""
    bits, leaves = _bits(FANOUT, LEVELS)
    formula = {
        name: str(evaluate(claim(golden, name), n=FANOUT, m=LEVELS)) for name in ("hierarchical_bits", "full_map_bits")
    }
    return sentences(
        golden,
        "Bits of a directory",
        "nishi1997router, section 3.1",
        [
            (
                "hierarchical_bits",
                Said(
                    bits,
                    "over the nodes that a multicast to all leaves passes",
                    printed=formula["hierarchical_bits"],
                    label=f"hierarchical, {LEVELS} levels of {FANOUT}",
                ),
            ),
            (
                "full_map_bits",
                Said(
                    leaves,
                    "leaves of the tree: a bit for each, by definition",
                    stated=True,
                    printed=formula["full_map_bits"],
                    label=f"full map, {LEVELS} levels of {FANOUT}",
                ),
            ),
            ("hierarchy_larger", Said("above" if bits > leaves else "below", f"{bits} against {leaves}")),
        ],
    )


def _tree_table(golden: Golden) -> Table:
    """Children, steps and territories, by the chips' bit-map generators."""
    wiring = wire(SPEC)
    where = wiring.where
    centre = next(r for r in range(wiring.chips) if wiring.registers[r, RANK] == 1)
    got, last, four, three = _steps(wiring, centre)
    reached = _broadcast(wiring)
    sizes = [len(where.members(0, top)) for top in range(where.top + 1)]
    outside = [unsurrounded(where, top) for top in range(where.top + 1)]
    kinds, (local, why) = len(sources(where)), needed_top(where)
    each = [r for r, count in reached.items() if count != 1]
    often = f"{len(each)} of them more than once" if each else "each once"
    return sentences(
        golden,
        "The tree on the RDT, by the chips' bit-map generators",
        f"nishi1997router, section 3.3; {SPEC}",
        {
            "children": got,
            "steps_a_rank": last,
            "first_step": four,
            "second_step": three,
            "all_reached": Said(
                "all" if len(reached) == wiring.chips and not each else f"{len(reached)}",
                f"from router 0, {len(reached)} of {wiring.chips} routers, {often}",
            ),
            "territory_around": Said(
                "all" if not any(outside) else f"{kinds - max(outside)} of {kinds}",
                f"classes of sources without, for top ranks 0 to {where.top}: {', '.join(map(str, outside))}",
            ),
            "territory_local": Said(local, why),
            "territory_grows": Said(
                "above" if sizes == sorted(set(sizes)) else "not above",
                f"{', '.join(map(str, sizes))} nodes for top ranks 0 to {where.top}",
            ),
        },
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Count bits, walk the maps through the chips' generators, draw."""
    figures = [
        Figure(
            "chip-figure-7",
            "The eight children of a node and the two steps to them",
            "nishi1997router, Figure 7",
            children_drawn,
            claim="figure_7",
            note="M is the node itself. The figure is lost in our copy.",
            explored=children_at(territories(SPEC)),
        ),
        Figure(
            "chip-figure-8",
            "Territories of ranks 0 and 1",
            "nishi1997router, Figure 8",
            territory_drawer(territories(LARGE), 0, 1),
            claim="figure_8",
            note="The figure is lost in our copy.",
            explored=territories_at(territories(LARGE), 1),
        ),
    ]
    found = programs(progress, False)[0]
    entries = [table(golden, found, "nishi1997router, section 3.1") for table in (protocol_table, page_table)]
    first = (_bit_table(golden), _tree_table(golden), scheme_table(golden))
    return Section(TITLE, TEXT, (*first, told_table(golden), root_table(golden), *entries), figures)


TEXT = """A node sends to its four neighbors of a rank, and the southern one on to three: seven routers and the node
itself are its eight children. The chips' bit-map generators, followed from router to router, reach them so."""
