"""The bit-map generator: a pure function of status, mode and map, the arrival link, and the chip's registers.

Source: nishi1997router section 4.2.3. A router plays one of three roles, known from the status and the link alone. A
centre sends to N, E, W and S; its southern neighbor to SE, SW and SS; any router that a rank has reached starts the
next rank: on the base torus at once, on an upper one after a base hop. Choices B1 to B14 of docs/decisions/0050.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.chip._bitmap import DOWN, SAME, SINK, decide, image, sent_vc
from jumpnet.terms import I64

__all__ = ["DOWN", "SAME", "SINK", "Decision", "Header", "bitmap", "image", "sent_vc"]


class Header(NamedTuple):
    """The three header flits; -1 for one that is not there yet."""

    flit_1: int
    flit_2: int = -1
    flit_3: int = -1


class Decision(NamedTuple):
    """Where a packet goes from one chip. Masks have a bit for each output, see `links`."""

    flits: int
    """Header flits that the decision needs: 1, 2 or 3 clocks."""
    same: int
    """Outputs of the rank in use, or of an acknowledge."""
    down: int
    """Outputs of the next rank, whose header has its maps moved up."""
    sink: int
    """The MBP, when this router is a destination (or, under REMAKE, when a rank starts here)."""
    vc_1: int
    """Outputs that are to use virtual channel 1."""
    same_map: int
    same_status: int
    down_map: int
    down_status: int
    """What the headers of the passes say: the map in use (-1 as it is) and the status."""

    @property
    def outputs(self) -> int:
        """All outputs; none means an error in the header (choice B10: to the MBP)."""
        return self.same | self.down | self.sink

    def way(self, output: int) -> int:
        """The pass in which an output is served."""
        return SAME if self.same >> output & 1 else DOWN if self.down >> output & 1 else SINK


def bitmap(header: Header, link: int, registers: I64) -> Decision | None:
    """The decision for a header that arrives by a link, or None when more header flits are needed.

    The bit of the MBP is that of MBP 0; which of the two it is a bit of flit 2 says, one clock later (choice B14).

    >>> from jumpnet.chip.configuration import wire
    >>> from jumpnet.chip.links import MBP0, names
    >>> from jumpnet.chip.packet import Packet
    >>> chip = wire("rdt:16").registers[0]
    >>> found = bitmap(Header(*Packet(rank=0, maps=(0b10010011, 0, 0, 0)).flits()[:3]), MBP0, chip)
    >>> names(found.outputs)
    'N0,E0,S0,M0'
    """
    found = Decision(*(int(v) for v in decide(*header, link, registers)))
    have = 1 + (header.flit_2 >= 0) + (header.flit_3 >= 0)
    return None if found.flits > have else found
