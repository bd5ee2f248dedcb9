"""Packets to the bit: fields of every flit, header, acknowledge and tag, packed and parsed.

Source: nishi1997router sections 4.2.3 and 4.3 (Figures 11 and 13, lost in our copy). The paper says which fields a flit
carries; positions, and widths that it does not give, are choices (docs/decisions/0050). Bit 0 of every header flit is
its parity. Used by the processors (`mbp`), the decoder, and, as constants, by the bit-map generator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jumpnet.chip.parity import good, odd, vertical
from jumpnet.errors import JumpnetError

__all__ = [
    "ACK", "ACKED", "ADDRESS", "BODY_BITS", "BROADCAST", "CHANGE", "CHANGE_LOCAL", "COMBINING", "COMMAND", "FIRST",
    "FLIT_1", "FLIT_2", "FLIT_3", "FLIT_BITS", "FLIT_MASK", "HEADER_FLITS", "HERE", "LARP", "LONGEST", "LPRA", "MODES",
    "PLAIN", "REMAKE", "ROUTE", "SECOND", "SM", "START", "STATUSES", "STEP_1", "STEP_2", "TAG_FLIT", "Ack", "Field",
    "Packet", "Tag", "damage", "pack", "status_name", "total_flits", "unpack",
]  # fmt: skip

FLIT_BITS = 18
FLIT_MASK = (1 << FLIT_BITS) - 1
HEADER_FLITS = 3
LONGEST = 16
"""Flits of the longest packet: the RAM of a buffer is as deep."""
BODY_BITS = 9
"""Body of an acknowledge."""

MODES = ("SM", "LPRA", "LARP", "REMAKE")
SM, LPRA, LARP, REMAKE = range(4)

STATUSES = ("START", "CHANGE_LOCAL", "CHANGE", "STEP_1", "STEP_2", "ACK", "COMMAND", "COMBINING")
"""The routing step of a packet on a line. START: on its way to the router where the multicast starts. CHANGE: on a base
hop to a router with the next rank, off the source's path or (LOCAL) on it. STEP_1: from a centre to a neighbor. STEP_2:
from its southern neighbor. ACK: an acknowledge. COMMAND: from the MBP to its chip. COMBINING: to the MBP, which is to
combine the acknowledges. All eight codes are taken; what LPRA calls CHANGE_LOCAL, LARP calls BROADCAST: in the subtree
that holds the source, on every link, and the map in use then says the step (`FIRST`, `SECOND`, else a centre)."""
FIRST, SECOND = 0b0000_1111, 0b1110_0000
"""Maps in use of a BROADCAST packet on its way to N, E, W and S, and to SE, SW and SS: what the step serves."""
START, CHANGE_LOCAL, CHANGE, STEP_1, STEP_2, ACK, COMMAND, COMBINING = range(8)
BROADCAST = CHANGE_LOCAL


def status_name(mode: int, status: int) -> str:
    """What a status code says under a mode.

    >>> status_name(LPRA, 1), status_name(LARP, 1)
    ('CHANGE_LOCAL', 'BROADCAST')
    """
    return "BROADCAST" if mode == LARP and status == BROADCAST else STATUSES[status]


PLAIN, ACKED = 0, 1
"""Types: without and with a compressed address, that is, without and with acknowledges."""
HERE = 15
"""Route of an acknowledge that is to be combined in the chip it arrives at."""


class Field(NamedTuple):
    """Some bits of a flit."""

    name: str
    low: int
    """Lowest bit."""
    bits: int
    source: str
    """Where the field comes from: the paper, derived from its numbers, or a choice."""

    @property
    def most(self) -> int:
        """Largest value."""
        return (1 << self.bits) - 1


def _spare(low: int, bits: int = 1) -> Field:
    """Bits without a meaning."""
    return Field("spare", low, bits, "zero")


_PARITY = Field("parity", 0, 1, "sections 4.2.3 and 4.5; one bit, even: choice E1")
FLIT_1 = (
    _PARITY,
    Field("map", 1, 8, "section 4.2.3; bits N E W S M SE SW SS as kudoh1995rhbd Figure 7, N lowest"),
    Field("rank", 9, 3, "section 4.2.3 (Top rank); counts down, so it names the rank of `map`: choice B8"),
    Field("status", 12, 3, "section 4.2.3; codes: choice"),
    Field("mode", 15, 2, "section 4.2.3: two bits; codes: choice"),
    Field("vc", 17, 1, "section 4.2.3; one bit for two channels: derived"),
)
FLIT_2 = (
    _PARITY,
    Field("map_1", 1, 8, "section 4.2.3: map of the next rank"),
    Field("length", 9, 4, "section 4.2.3: flits of the body"),
    Field("type", 13, 2, "choice: 0 plain, 1 with compressed address"),
    Field("mbp", 15, 1, "choice B14: which MBP takes it"),
    Field("soft", 16, 1, "choice K3: the router before combines its acknowledges at the MBP"),
    _spare(17),
)
FLIT_3 = (
    _PARITY,
    Field("map_3", 1, 8, "section 4.2.3: map three ranks below"),
    Field("map_2", 9, 8, "section 4.2.3: map two ranks below"),
    _spare(17),
)
ADDRESS = (
    _PARITY,
    _spare(1),
    Field("key", 2, 16, "section 4.2.3: compressed address; 16 bits: choice"),
)
ROUTE = (
    _PARITY,
    Field("body", 1, BODY_BITS, "section 4.3: nine bits"),
    _spare(10, 2),
    Field("lost", 12, 1, "choice K6: the combining unit gave up waiting"),
    Field("soft", 13, 1, "choice K3: to be combined at the MBP"),
    Field("link", 14, 4, "section 4.3: routing in flits 1 and 3; the link to leave by, 15 for none: choice K5"),
)
TAG_FLIT = (
    _PARITY,
    Field("known", 1, 1, "choice D4: the combining unit has seen the packet"),
    Field("map", 2, 11, "choice D4: outputs still to be served"),
    Field("vc", 13, 1, "choice D4"),
    Field("link", 14, 4, "choice D4: the link it came by"),
)


def pack(fields: Sequence[Field], **values: int) -> int:
    """A header flit with the given fields, the others zero, and its parity. Raises JumpnetError for a value too large.

    >>> f"{pack(FLIT_1, map=0xFF, rank=2):05x}"
    '005ff'
    """
    known = {field.name: field for field in fields}
    flit = 0
    for name, value in values.items():
        field = known[name]
        if not 0 <= value <= field.most:
            raise JumpnetError(f"{name} {value} found, 0 to {field.most} expected in {field.bits} bits")
        flit |= int(value) << field.low
    return flit & ~1 | odd(flit >> 1)


def unpack(fields: Sequence[Field], flit: int) -> dict[str, int]:
    """The fields of a flit by name.

    >>> unpack(FLIT_1, 0x005ff)["rank"]
    2
    """
    return {field.name: flit >> field.low & field.most for field in fields}


def total_flits(length: int, kind: int) -> int:
    """Flits of a packet: header, compressed address if any, body, vertical parity.

    >>> total_flits(11, ACKED), total_flits(12, PLAIN)
    (16, 16)
    """
    return HEADER_FLITS + kind + length + 1


@dataclass(frozen=True)
class Packet:
    """A multicast packet (a message to one router is a multicast with one bit in each map)."""

    rank: int
    """Rank of `maps[0]`: the top rank when it sets out."""
    maps: tuple[int, int, int, int]
    """Maps of the ranks `rank`, `rank` - 1, - 2, - 3 in wire order; all ones below the fourth (broadcast)."""
    mode: int = SM
    status: int = START
    vc: int = 0
    mbp: int = 0
    soft: int = 0
    key: int | None = None
    """Compressed address, None for a packet without acknowledges."""
    body: tuple[int, ...] = ()
    """Body flits of 18 bits: at most 12, at most 11 with a key."""

    def flits(self) -> list[int]:
        """The packet on the line. Raises JumpnetError for fields out of range or a packet of more than 16 flits."""
        kind = PLAIN if self.key is None else ACKED
        most = LONGEST - total_flits(0, kind)
        if len(self.body) > most:
            raise JumpnetError(f"body of {len(self.body)} flits found, at most {most} expected in {LONGEST} flits")
        if any(not 0 <= flit <= FLIT_MASK for flit in self.body):
            raise JumpnetError(f"body flit found that is not 0 to {FLIT_MASK:#x}")
        m = self.maps
        header = [
            pack(FLIT_1, vc=self.vc, mode=self.mode, status=self.status, rank=self.rank, map=m[0]),
            pack(FLIT_2, length=len(self.body), map_1=m[1], type=kind, mbp=self.mbp, soft=self.soft),
            pack(FLIT_3, map_2=m[2], map_3=m[3]),
        ]
        address = [] if self.key is None else [pack(ADDRESS, key=self.key)]
        return [*header, *address, *self.body, vertical(self.body)]

    @staticmethod
    def parse(flits: Sequence[int]) -> Packet:
        """The packet that these flits are; raises JumpnetError where length or a parity is wrong.

        >>> sent = Packet(rank=1, maps=(3, 255, 0, 0), key=77, body=(1, 2))
        >>> Packet.parse(sent.flits()) == sent
        True
        """
        if len(flits) < HEADER_FLITS:
            raise JumpnetError(f"{len(flits)} flits found, a header of {HEADER_FLITS} expected")
        a, b, c = unpack(FLIT_1, flits[0]), unpack(FLIT_2, flits[1]), unpack(FLIT_3, flits[2])
        kind = b["type"]
        header = HEADER_FLITS + (kind == ACKED)
        wrong = [k + 1 for k in range(min(header, len(flits))) if not good(flits[k])]
        if wrong:
            raise JumpnetError(f"wrong parity found in header flit {wrong[0]}")
        if len(flits) != total_flits(b["length"], kind):
            raise JumpnetError(f"{len(flits)} flits found, {total_flits(b['length'], kind)} expected by the header")
        body = tuple(flits[header:-1])
        if vertical(body) != flits[-1]:
            raise JumpnetError(f"vertical parity {flits[-1]:#07x} found, {vertical(body):#07x} expected by the body")
        maps = (a["map"], b["map_1"], c["map_2"], c["map_3"])
        key = unpack(ADDRESS, flits[HEADER_FLITS])["key"] if kind == ACKED else None
        return Packet(a["rank"], maps, a["mode"], a["status"], a["vc"], b["mbp"], b["soft"], key, body)


@dataclass(frozen=True)
class Ack:
    """An acknowledge packet of three flits."""

    key: int
    link: int = HERE
    """The link by which it is to leave this chip; HERE to be combined."""
    soft: int = 0
    lost: int = 0
    body: int = 0
    vc: int = 1

    def flits(self) -> list[int]:
        """The acknowledge on the line."""
        route = pack(ROUTE, link=self.link, soft=self.soft, lost=self.lost, body=self.body)
        return [pack(FLIT_1, vc=self.vc, status=ACK), pack(ADDRESS, key=self.key), route]

    @staticmethod
    def parse(flits: Sequence[int]) -> Ack:
        """The acknowledge that these flits are; raises JumpnetError for another length or a wrong parity.

        >>> Ack.parse(Ack(key=5, body=3).flits()).body
        3
        """
        if len(flits) != HEADER_FLITS:
            raise JumpnetError(f"acknowledge of {len(flits)} flits found, {HEADER_FLITS} expected")
        wrong = [k + 1 for k in range(HEADER_FLITS) if not good(flits[k])]
        if wrong:
            raise JumpnetError(f"wrong parity found in acknowledge flit {wrong[0]}")
        route = unpack(ROUTE, flits[2])
        vc = unpack(FLIT_1, flits[0])["vc"]
        return Ack(unpack(ADDRESS, flits[1])["key"], route["link"], route["soft"], route["lost"], route["body"], vc)


class Tag(NamedTuple):
    """What goes ahead of a packet that the chip hands to its MBP, or gets back: where it was, what it still lacks."""

    link: int
    vc: int
    map: int
    """Outputs still to be served; bit 10 (the combining unit) says that the MBP combines its acknowledges."""
    known: int = 0
    """Whether the combining unit has seen the packet."""

    def flit(self) -> int:
        """The tag as a flit."""
        return pack(TAG_FLIT, **self._asdict())

    @staticmethod
    def parse(flit: int) -> Tag:
        """The tag in a flit.

        >>> Tag.parse(Tag(9, 1, 0x401).flit())
        Tag(link=9, vc=1, map=1025, known=0)
        """
        fields: Mapping[str, int] = unpack(TAG_FLIT, flit)
        return Tag(fields["link"], fields["vc"], fields["map"], fields["known"])


def damage(flits: Sequence[int], slices: int = 1) -> str:
    """What the receiver of a packet finds wrong with it, in any slice; of an acknowledge it reads slice 0 only.

    >>> damage([*Packet(rank=0, maps=(1, 0, 0, 0), body=(6,)).flits()[:-1], 7])
    'vertical parity 0x00007 found, 0x00006 expected by the body'
    """
    found = ""
    ack = flits[0] >> 12 & 7 == ACK
    for s in range(1 if ack else slices):
        try:
            (Ack if ack else Packet).parse([flit >> FLIT_BITS * s & FLIT_MASK for flit in flits])
        except JumpnetError as error:
            found = str(error)
    return found
