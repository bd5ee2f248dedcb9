"""Section 4.2.2: order of ranks and dimensions, virtual channels, and whether buffers can wait for each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

from jumpnet.chip.bitmap import Header, bitmap
from jumpnet.chip.configuration import HOP, RANK, USER_VC, Wiring, wire
from jumpnet.chip.links import DIRECTIONS, MBP0, NAMES, NORTH, SOUTH, UPPER
from jumpnet.chip.packet import Packet
from jumpnet.chip.walk import Visit, changes_rank, cyclic, everywhere, first, followed, onward, without_wraps
from jumpnet.multicast.territory import territories
from jumpnet.report._kept import kept
from jumpnet.report._section import Figure, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report._territories import children_at
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router.directory import children_drawn

TITLE = "Section 4.2.2: no deadlock with two virtual channels"
ORDER = 50

KEY = "nishi1997router"
SPECS = ("rdt:8", "rdt:16")
DAILY, LONG = "rdt:32", ("rdt:64", "rdt:128")
"""Larger networks whose rings only are looked for: every day, and under --full; rank 4 is there on the last only."""
LARGEST = SPECS[-1]
FOUR_RANKS = "rdt:128"
BASE = range(4)


def _hops(wiring: Wiring, between: bool) -> list[tuple[Visit, int, Visit]]:
    """(router with the packet, link, next router) of every hop of all multicasts to whole territories.

    `between`: only of multicasts whose source is where they start, so that moves lead from rank to rank.
    """
    visits = followed(wiring, _starts(wiring, between))
    return [(visit, _link(wiring, visit, ahead), ahead) for visit, copies in visits for ahead in copies]


def _link(wiring: Wiring, visit: Visit, ahead: Visit) -> int:
    """The link by which a copy left for the next router."""
    links = [o for o in range(MBP0) if wiring.peer[visit.router, o] == ahead.router]
    return next(o for o in links if wiring.peer_link[visit.router, o] == ahead.link)


def _straight(wiring: Wiring) -> tuple[int, str]:
    """Most transfers one after another in one direction, in a multicast to all children of a router on the base torus;
    and that direction."""
    found = (0, "")
    todo = [(first(wiring, 0, Packet(0, (0xFF, 0, 0, 0))), -1, 0)]
    while todo:
        visit, before, run = todo.pop()
        for ahead in onward(wiring, visit):
            link = _link(wiring, visit, ahead)
            now = run + 1 if link == before else 1
            found = max(found, (now, DIRECTIONS[link % UPPER]))
            todo.append((ahead, link, now))
    return found


def _changed(wiring: Wiring) -> tuple[int, int]:
    """Hops south of multicasts that have come south over the edge of the base torus; how many take channel 1."""
    over = [
        ahead.header.flit_1 >> 17 & 1
        for visit, link, ahead in _hops(wiring, False)
        if (visit.link, link) == (NORTH, SOUTH)
        and visit.router < wiring.where.side
        and not changes_rank(visit.header.flit_1)
    ]
    return len(over), sum(over)


def _starts(wiring: Wiring, between: bool) -> list[Visit]:
    starts = everywhere(wiring)
    return [v for v in starts if not between or v.header.flit_1 >> 9 & 7 in (0, wiring.registers[v.router, RANK])]


def _orders(wiring: Wiring) -> tuple[int, int, int]:
    """Hops looked at; hops to a higher rank than before; hops north or south that follow one east or west of a rank."""
    hops = up = back = 0
    for visit, link, ahead in _hops(wiring, False):
        hops += 1
        up += ahead.header.flit_1 >> 9 & 7 > visit.header.flit_1 >> 9 & 7
        sideways = visit.link < MBP0 and visit.link % 4 in (1, 2) and not changes_rank(visit.header.flit_1)
        onto = ahead.header.flit_1 >> 9 & 7 == visit.header.flit_1 >> 9 & 7
        back += sideways and onto and link % 4 in (0, 3) and not changes_rank(ahead.header.flit_1)
    return hops, up, back


def _uses(wiring: Wiring, between: bool) -> tuple[str, str]:
    """Links on which both channels are used; directions of the moves to another rank."""
    used: dict[str, set[int]] = {}
    moves = set()
    for _, link, ahead in _hops(wiring, between):
        used.setdefault(NAMES[link], set()).add(ahead.header.flit_1 >> 17 & 1)
        if changes_rank(ahead.header.flit_1):
            moves.add(DIRECTIONS[link])
    names = " ".join(sorted(name for name, channels in used.items() if len(channels) == 2))
    return names, "".join(d for d in DIRECTIONS if d in moves)


def rings(wiring: Wiring) -> tuple[str, int]:
    """Whether rings of buffers are left; fewest virtual channels without any: 1, 2, or 3 for more than there are."""
    left = cyclic(wiring)
    return "some" if left else "none", 1 if not cyclic(without_wraps(wiring)) else 3 if left else 2


def enough(wiring: Wiring) -> int:
    """Fewest virtual channels with which no ring of buffers is left."""
    return rings(wiring)[1]


def _descents(spec: str) -> str:
    """Directions in which the routers of each upper rank find the next lower one, by the chips' registers."""
    registers = wire(spec).registers
    links = {
        int(link)
        for rank in range(2, int(registers[:, RANK].max()) + 1)
        for link in registers[registers[:, RANK] == rank, HOP + rank - 1]
    }
    return "".join(d for k, d in enumerate(DIRECTIONS) if k in links)


def _said(moves: str) -> str:
    across, along = bool(set(moves) & set("EW")), bool(set(moves) & set("NS"))
    return "horizontal and vertical" if across and along else "horizontal" if across else "vertical"


def _least_special(wiring: Wiring) -> list[str]:
    """Smallest sets of base directions that need the special channel for moves, so that no ring is left."""
    for size in range(len(BASE) + 1):
        free = [
            "".join(DIRECTIONS[d] for d in chosen)
            for chosen in combinations(BASE, size)
            if not cyclic(wiring, frozenset(set(BASE) - set(chosen)))
        ]
        if free:
            return free
    return []


@cache
def _least_of(spec: str) -> list[str]:
    return _least_special(wire(spec))


def _user_vc(wiring: Wiring) -> bool:
    """Whether in user selection mode the channel of all outputs is that of the packet."""
    registers = wiring.registers[0].copy()
    registers[USER_VC] = 1
    for vc in (0, 1):
        for top in range(wiring.where.top + 1):
            header = Header(*Packet(top, (0xFF,) * 4, vc=vc).flits()[:3])
            found = bitmap(header, MBP0, registers)
            if found is None or found.vc_1 != ((found.same | found.down) if vc else 0):
                return False
    return True


def _order(golden: Golden, least: Mapping[str, Sequence[str]]) -> Table:
    """The order of ranks and dimensions, and which moves take the special channel; `least`: sets that must."""
    wiring = wire(LARGEST)
    hops, up, back = _orders(wiring)
    (every, to_any), (from_root, _), between = _uses(wiring, False), _uses(wiring, True), _descents(FOUR_RANKS)
    most, direction = _straight(wiring)
    over, changed = _changed(wiring)
    special = "; ".join(f"{spec}: {' or '.join(found)}" for spec, found in least.items())
    return sentences(
        golden,
        "Order and channels",
        f"nishi1997router, section 4.2.2; {LARGEST}",
        [
            ("descending_ranks", Said("descending" if up == 0 else f"{up} ascend", f"{hops} different hops")),
            (
                "descending_dimensions",
                Said("descending" if back == 0 else f"{back} ascend", f"{hops} different hops; y, then x"),
            ),
            ("south_twice", Said(most if direction == "S" else f"{most} {direction}", f"direction {direction}")),
            (
                "wrap_changes",
                Said(
                    "all" if changed == over else f"{changed} of {over}",
                    f"{over} different hops south after one over the edge",
                ),
            ),
            (
                "special_horizontal",
                Said(
                    _said(between),
                    f"{FOUR_RANKS}, ranks 4 to 1: moves go {between}",
                    label="moves from one rank to the next",
                ),
            ),
            (
                "special_horizontal",
                Said(
                    _said(to_any),
                    f"moves go {to_any}; least sets of directions that must be special: {special}",
                    label="moves from one rank to the next, and from the source to where it starts",
                ),
            ),
            (
                "two_channel_links",
                Said(
                    from_root,
                    "multicasts that start at their source",
                    label="links with both channels in use, from rank to rank",
                ),
            ),
            (
                "two_channel_links",
                Said(every, "multicasts from everywhere", label="links with both channels in use, from every source"),
            ),
            ("user_selection", Said("the sender's" if _user_vc(wiring) else "another")),
        ],
    )


def _rings(golden: Golden, progress: Progress, full: bool) -> tuple[Table, dict[str, list[str | int]]]:
    """Rings on each network, those of the long runs from the committed results if not `full`; what these found."""
    found = {}
    for done, spec in enumerate((*SPECS, DAILY, *(LONG if full else ()))):
        progress(done, len(SPECS) + len(LONG) + 2)
        found[spec] = rings(wire(spec))
    committed = None if full else kept(KEY, "deadlock")
    if committed is not None:
        found |= {spec: tuple(committed.data[spec]) for spec in LONG}
    rows: Rows = []
    for spec, (left, channels) in found.items():
        detail = committed.said if committed is not None and spec in LONG else ""
        cells = [
            claimed(golden, "deadlock", left, detail=detail),
            claimed(golden, "two_channels", channels, detail=detail),
        ]
        rows.append((f"{spec}, all multicasts to whole territories", list(cells)))
    table = Table(
        "Rings of buffers that wait for each other",
        "nishi1997router, section 4.2.2",
        ("rings", "channels that are enough"),
        rows,
        RINGS,
    )
    return table, {spec: list(found[spec]) for spec in LONG} if full else {}


def section(golden: Golden, progress: Progress, full: bool = False) -> Section:
    """Walk every hop of every multicast through the bit-map generators; look for rings of buffers."""
    table, long = _rings(golden, progress, full)
    least = {spec: _least_of(spec) for spec in SPECS}
    figure = Figure(
        "chip-figure-10",
        "A multicast on a rank: first the blue hops, then the red ones",
        "nishi1997router, Figure 10",
        children_drawn,
        claim="figure_10",
        note="As the chips' bit-map generators send it. The figure is lost in our copy.",
        explored=children_at(territories(SPECS[1])),
    )
    return Section(TITLE, TEXT, (table, _order(golden, least)), (figure,), kept=long)


RINGS = """One channel: the channel number does not change at the southern wrap-around, and the special one remains."""
TEXT = """A multicast descends the ranks, and on a rank goes north or south first. The channel changes at the
wrap-around to the south, and moves over the base torus to a router with another rank take the special channel.
Followed over every hop of all multicasts to whole territories, no ring of waiting buffers is left on networks of 64 to
16,384 routers, the largest with all four ranks; without the change there is one.

The special channel is said to be needed for east and west only. That holds for the moves from one rank to the next,
which all go east. The move from a source to the router where its multicast starts also goes north or south, and on 256
routers the southern ones among them need the special channel too."""
