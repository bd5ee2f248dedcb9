"""Sections 4.1 and 4.2.3: links, crossbar, buffers, and packets to the bit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from jumpnet.chip.bitmap import Header, bitmap
from jumpnet.chip.chip import Chip
from jumpnet.chip.configuration import wire
from jumpnet.chip.links import EAST, MBP0, MBP1, SOUTH
from jumpnet.chip.messages import message, multicast_packet
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.packet import (
    ADDRESS,
    BODY_BITS,
    BROADCAST,
    FLIT_1,
    FLIT_2,
    FLIT_3,
    FLIT_BITS,
    HEADER_FLITS,
    LARP,
    ROUTE,
    Ack,
    Field,
    Packet,
)
from jumpnet.chip.walk import everywhere, onward, reachable
from jumpnet.errors import JumpnetError
from jumpnet.papers import claim, golden
from jumpnet.report._section import Figure, Golden, Progress, Section, Table
from jumpnet.report.nishi1997router._cells import Said, sentences
from jumpnet.report.nishi1997router._measure import SPEC, blocked, passages

TITLE = "Sections 4.1 and 4.2.3: links, crossbar and packets"
ORDER = 30

MULTICAST = (("1", FLIT_1), ("2", FLIT_2), ("3", FLIT_3), ("4, compressed address", ADDRESS))
ACKNOWLEDGE = (("1", FLIT_1), ("2, compressed address", ADDRESS), ("3, route", ROUTE))
DEPTH = "the depth of a buffer, typed in"
LAID_OUT = "the packets of the model are laid out after the text"
BUILT = "the chip of the model is built with so many"
LINE_BYTES = 32
"""A cache line, kudoh1995rhbd section 5.1."""
SHADES = ("#cfe2f3", "#d9ead3", "#fff2cc", "#f4cccc", "#d9d2e9")


def _delivered(net: ChipNetwork) -> bool:
    return bool(net.mbps[1].deliveries)


def longest(key: int | None) -> tuple[int, int]:
    """Longest body and packet that pass a line between two routers, sent flit by flit: a longer one finds no room."""
    where = wire(SPEC).where
    base = message(where, 0, 1, key=key)
    most = (-1, -1)
    for body in range(32):
        try:
            flits = Packet(base.rank, base.maps, key=key, body=(1,) * body).flits()
            net = ChipNetwork(SPEC)
            net.mbps[0].send(flits)
            net.run_until(partial(_delivered, net), 200)
        except JumpnetError:
            return most
        if [len(d.flits) for d in net.mbps[1].deliveries if not d.damage] != [len(flits)]:
            return most
        most = body, len(flits)
    return most


def carries_line() -> tuple[str, str]:
    """Whether the body of a longest packet of two slices has room for a cache line, by typed sizes; and how much."""
    body = longest(9)[0]  # with a compressed address, the shorter
    room = body * 2 * FLIT_BITS // 8
    return "carried" if room >= LINE_BYTES else "not carried", (
        f"{body} body flits of {2 * FLIT_BITS} bits have {room} bytes, a line {LINE_BYTES}, all typed in"
    )


def shared() -> bool:
    """Whether the two ends of one line take turns: packets both ways at once, never two drivers in a clock."""
    net = ChipNetwork(SPEC)
    for a, b in ((0, 1), (1, 0)):
        for k in range(3):
            net.mbps[a].send(message(net.wiring.where, a, b, body=(k,) * 9).flits())
    line, drivers = net.lines_of(0, EAST)[0], set()
    while not net.idle:
        net.step()
        now = {end for end in (0, 1) if line.wire[end].now[0] == net.clock - 1}
        if len(now) > 1:
            return False
        drivers |= now
    return drivers == {0, 1}


def pushed_and_pulled() -> int:
    """Clocks in which the buffer of a longest packet at a relay takes a flit and gives one."""
    net = ChipNetwork(SPEC)
    where = net.wiring.where
    start, relay, end = (where.moved(0, 0, y) for y in (2, 3, 4))
    net.mbps[start].send(message(where, start, end, body=(1,) * longest(None)[0]).flits())
    by, both = int(net.wiring.peer_link[start, SOUTH]), 0
    buffer = net.chips[0][relay].buffers[by][0]
    while not net.idle:
        before = buffer.count, net.chips[0][relay].crossbar.transfer[by]
        position = before[1].position if before[1] else 0
        net.step()
        after = net.chips[0][relay].crossbar.transfer[by]
        both += buffer.count > before[0] and after is before[1] and after is not None and after.position > position
    return both


def push_and_pull() -> str:
    """When a buffer takes a flit and gives one."""
    return "same clock" if pushed_and_pulled() else "never"


def kept_whole() -> int:
    """Flits that the buffer keeps of a longest packet whose neighbor is not ready."""
    stuck = blocked(longest(None)[1], 0b10)
    stuck.run(80)
    return stuck.chips[0][0].buffers[MBP0][0].count


def mode_bits() -> int:
    """Bits of the first flit that select the scheme."""
    return next(field.bits for field in FLIT_1 if field.name == "mode")


def _acknowledge() -> tuple[int, int]:
    """Flits of an acknowledge on a line; header flits that its route needs."""
    net = ChipNetwork(SPEC)
    net.mbps[0].send(message(net.wiring.where, 0, 1, key=5).flits())
    found = {p.flits for p in passages(net, 120) if p.ack}
    header, registers = Ack(5, EAST).flits(), net.wiring.registers[0]
    needs = next(k for k in (1, 2, 3) if bitmap(Header(*header[:k]), MBP1, registers) is not None)
    return found.pop() if len(found) == 1 else -1, needs


def wired() -> int:
    """Most lines at a chip of a network."""
    return max(sum(line is not None for line in each.lines) for each in ChipNetwork(SPEC).chips[0])


def least_header() -> int:
    """Flits of the shortest packets besides body, address and vertical parity, of messages and multicasts; of
    acknowledges all flits count."""
    where = wire(SPEC).where
    packets = [message(where, 0, 1), multicast_packet(where, "LPRA", 0, [1, 9])]
    return min([len(p.flits()) - 1 for p in packets] + [len(Ack(1).flits())])


def _where(*packets: Packet | Ack) -> str:
    """Flits, from 1, in which packets differ that differ in one thing."""
    flits = [packet.flits() for packet in packets]
    return " ".join(str(k + 1) for k in range(min(map(len, flits))) if len({f[k] for f in flits}) > 1)


def parts() -> int:
    """Flits of the longest packet by its parts as printed: header, compressed address, body, vertical parity."""
    printed = golden("nishi1997router")
    return sum(int(claim(printed, name)) for name in ("header_flits", "body_flits")) + 1 + 1


PARTS = "header, compressed address, body, vertical parity; nishi1997router, section 4.2.3"


def _fields() -> list[tuple[str, Said]]:
    """Where the packets of the model have what: laid out after the text, so that no agreement is earned."""
    maps = [_where(Packet(3, (1, 1, 1, 1)), Packet(3, tuple(2 if k == i else 1 for k in range(4)))) for i in range(4)]  # type: ignore[arg-type]
    body = _where(Packet(0, (1, 0, 0, 0), body=(0,)), Packet(0, (1, 0, 0, 0), body=(0, 0)))
    key = _where(Packet(0, (1, 0, 0, 0), key=1), Packet(0, (1, 0, 0, 0), key=2))
    route = [_where(Ack(1, EAST), Ack(1, SOUTH)), _where(Ack(1, EAST, vc=0), Ack(1, EAST, vc=1))]
    how = "packets that differ in it alone, compared"
    return [
        ("key_flit", Said(key, how, stated=True)),
        ("length_flit", Said(body, how, stated=True)),
        ("map_flits", Said(" ".join(sorted(set(maps))), how, stated=True)),
        ("key_flit_of_acknowledge", Said(_where(Ack(1, EAST), Ack(2, EAST)), how, stated=True)),
        ("route_flits_of_acknowledge", Said(" ".join(sorted(route)), f"{how}: link, virtual channel", stated=True)),
    ]


FIRST = ("vc", "mode", "status", "rank", "map")
"""The fields of the first flit that the text names; it has a parity bit, too."""


def _parity_flits() -> int:
    """Flits of a multicast packet that are neither header nor address nor body."""
    packet = Packet(0, (1, 0, 0, 0), key=1, body=(0,) * 5)
    return len(packet.flits()) - HEADER_FLITS - 1 - len(packet.body)


HEADERS = "all headers of SM and LARP to whole territories; below LARP's BROADCAST no map is in use"


def _map_in_use() -> bool:
    """Whether the first flit of every header of every multicast has the map that the chip serves, when it goes down a
    rank the one that stood in the second. Below LARP's BROADCAST no map is in use: all are served."""
    wiring = wire(SPEC)
    for visit in reachable(wiring, everywhere(wiring)).values():
        for ahead in onward(wiring, visit):
            old, new = visit.header, ahead.header
            down = new.flit_1 >> 9 & 7 == (old.flit_1 >> 9 & 7) - 1
            if new.flit_1 >> 15 & 3 == LARP and new.flit_1 >> 12 & 7 == BROADCAST:
                continue
            if down and new.flit_1 >> 1 & 0xFF != old.flit_2 >> 1 & 0xFF:
                return False
    return True


def _format(flits: Sequence[tuple[str, Sequence[Field]]], more: Sequence[str]) -> Any:
    """Draw flits as rows of fields, bit 17 on the left."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for row, (_, fields) in enumerate(flits):
            for k, field in enumerate(fields):
                left = FLIT_BITS - field.low - field.bits
                axes.broken_barh([(left, field.bits)], (row - 0.4, 0.8), facecolors=SHADES[k % 5], edgecolors="white")
                axes.text(
                    left + field.bits / 2,
                    row,
                    field.name,
                    ha="center",
                    va="center",
                    fontsize=6,
                    rotation=0 if field.bits > 2 else 90,
                )
        for row, name in enumerate(more, len(flits)):
            axes.broken_barh([(0, FLIT_BITS)], (row - 0.4, 0.8), facecolors="#eeeeee", edgecolors="white")
            axes.text(FLIT_BITS / 2, row, name, ha="center", va="center", fontsize=7)
        names = [name for name, _ in flits] + [str(len(flits) + 1 + k) for k in range(len(more))]
        axes.set_yticks(
            range(len(names)), [f"flit {name}" for name in names[: len(flits)]] + ["then", "last"][: len(more)]
        )
        axes.set_xticks([0, 9, 18], ["bit 17", "", "bit 0"])
        axes.invert_yaxis()
        axes.grid(False)

    return draw


def _structure_table(golden: Golden) -> Table:
    """Links, crossbar and buffers of a chip in a network."""
    net = ChipNetwork(SPEC)
    chip: Chip = net.chips[0][0]
    buffers = {len(pair) for pair in chip.buffers}
    kept, both = kept_whole(), pushed_and_pulled()
    return sentences(
        golden,
        "Structure",
        f"nishi1997router, section 4.1; {SPEC}",
        [
            ("links", Said(wired(), BUILT, stated=True)),
            (
                "crossbar",
                Said(
                    f"{len(chip.buffers)} x {len(chip.crossbar.arbiters)}",
                    "eleventh output: the combining unit",
                    stated=True,
                ),
            ),
            (
                "two_channels",
                Said(
                    buffers.pop(),
                    "packet buffers of a link",
                    stated=True,
                    label="virtual channels of a link in the chip",
                ),
            ),
            ("link_bits", Said(FLIT_BITS, stated=True)),
            ("sliced_bits", Said(2 * FLIT_BITS, "two chips", stated=True)),
            (
                "lines_shared",
                Said("both ways" if shared() else "one way", "six packets over one line, never two drivers"),
            ),
            ("push_and_pull", Said("same clock" if both else "never", f"{both} clocks of a longest packet at a relay")),
            ("stored_whole", Said(kept, f"the neighbor is not ready; {DEPTH}", stated=True)),
        ],
    )


def _packet_table(golden: Golden) -> Table:
    """Lengths and fields, sent and counted."""
    plain, acked = longest(None), longest(9)
    flits, needs = _acknowledge()
    return sentences(
        golden,
        "Packets",
        f"nishi1997router, sections 4.1 to 4.3; {SPEC}",
        [
            (
                "packet_flits",
                Said(
                    max(plain[1], acked[1]),
                    "the model refuses longer ones",
                    stated=True,
                    label="longest packet that passes, flits",
                ),
            ),
            (
                "packet_flits",
                Said(
                    parts(),
                    PARTS,
                    stated=True,
                    label="longest packet, sum of its parts as printed, flits",
                ),
            ),
            (
                "body_flits",
                Said(
                    plain[0],
                    "by the longest packet",
                    stated=True,
                    label="longest body that passes, without compressed address",
                ),
            ),
            (
                "body_flits",
                Said(
                    acked[0],
                    "by the longest packet",
                    stated=True,
                    label="longest body that passes, with compressed address",
                ),
            ),
            ("carries_line", Said(*carries_line(), stated=True)),
            ("length_varies", Said("variable" if plain[0] > 0 else "fixed", f"0 to {plain[0]} flits pass")),
            ("header_flits", Said(least_header(), f"messages, multicasts, acknowledges; {LAID_OUT}", stated=True)),
            ("schemes_bits", Said(mode_bits(), stated=True)),
            (
                "map_in_use",
                Said("flit 1" if _map_in_use() else "elsewhere", HEADERS),
            ),
            ("first_flit", Said(" ".join(f.name for f in reversed(FLIT_1) if f.name in FIRST), stated=True)),
            ("parity_flits", Said(_parity_flits(), "flits besides header, address and body", stated=True)),
            (
                "acknowledge_flits",
                Said(flits, f"counted on the lines; its route needs {needs} of them; {LAID_OUT}", stated=True),
            ),
            ("acknowledge_body_bits", Said(BODY_BITS, stated=True)),
            *_fields(),
        ],
    )


def section(golden: Golden, progress: Progress) -> Section:
    """Build chips, send packets, look."""
    figures = [
        Figure(
            "chip-figure-11",
            "A multicast packet, one slice",
            "nishi1997router, Figure 11",
            _format(MULTICAST, ("body, 0 to 12 flits", "vertical parity")),
            claim="figure_11",
            note=OPEN,
        ),
        Figure(
            "chip-figure-13",
            "An acknowledge packet, one slice",
            "nishi1997router, Figure 13",
            _format(ACKNOWLEDGE, ()),
            claim="figure_13",
            note=OPEN,
        ),
    ]
    return Section(TITLE, TEXT, (_structure_table(golden), _packet_table(golden)), figures)


OPEN = """Which flit has which field is printed; positions, and widths that the text does not give, are choices."""
TEXT = """The text allows a body of 12 flits and says that a packet has at most 16. Three header flits, the compressed
address, 12 body flits and the vertical parity are 17: so a packet with a compressed address has at most 11 body flits
here, one without it 12. The buffers are 16 flits deep.

What the papers leave open, and what was chosen, is listed in decision 0050; each requirement has a test that names
it."""
