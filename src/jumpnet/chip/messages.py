"""Headers for messages: the maps of a multicast in wire order, and a message to one router.

Source: kudoh1995rhbd sections 3 and 4 for the maps. A message to one router is a multicast whose maps have one bit each
(choice F4 of docs/decisions/0050): its route is the routing vector with the eight children as remainders, and the
multicast's rules keep it free of deadlock on two virtual channels. Used by tests, campaigns and the verb.
"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.api.public import public
from jumpnet.chip.packet import MODES, Packet
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast import scheme as find_scheme
from jumpnet.multicast.children import figure_7
from jumpnet.multicast.territory import Territories

__all__ = ["MAPS", "message", "multicast_packet"]

MAPS = 4
"""Maps in a header; a fifth rank is broadcast to (choice X8)."""
ALL = 0xFF


@public
def multicast_packet(
    where: Territories,
    scheme: str,
    source: int,
    destinations: Sequence[int],
    *,
    top: int | None = None,
    key: int | None = None,
    body: tuple[int, ...] = (),
    mbp: int = 0,
    broadcast_below: bool = False,
) -> Packet:
    """The packet of a multicast under SM, LPRA, LARP, or LARP:path (for chips wired for it).

    Raises JumpnetError for destinations out of reach and, unless `broadcast_below`, for a top rank that needs a fifth
    map.

    >>> from jumpnet.multicast.territory import territories
    >>> [f"{m:08b}" for m in multicast_packet(territories("rdt:16"), "SM", 0, [1, 2]).maps]
    ['00010000', '00010010', '11111111', '11111111']
    """
    mode, _, reading = scheme.partition(":")
    if mode not in MODES[:3] or (reading and scheme != "LARP:path"):
        raise unknown_name("scheme of the chip", scheme, [*MODES[:3], "LARP:path"])
    rules = find_scheme(scheme)
    address = where.address(source, destinations, top)
    if address.top >= MAPS and not broadcast_below:
        raise JumpnetError(f"top rank {address.top} found, at most {MAPS - 1} expected with {MAPS} maps in a header")
    made = rules.maps(address.digits)
    ranks = range(address.top, address.top - MAPS, -1)
    maps = tuple(figure_7(rules.read(made, r, ())) if r >= 0 else ALL for r in ranks)
    return Packet(address.top, maps, MODES.index(mode), key=key, body=body, mbp=mbp)  # type: ignore[arg-type]


@public
def message(
    where: Territories,
    source: int,
    destination: int,
    *,
    body: tuple[int, ...] = (),
    mbp: int = 0,
    key: int | None = None,
) -> Packet:
    """The packet of a message to one router.

    >>> from jumpnet.multicast.territory import territories
    >>> message(territories("rdt:16"), 0, 5).maps.count(0)
    0
    """
    return multicast_packet(where, "SM", source, [destination], body=body, mbp=mbp, key=key)
