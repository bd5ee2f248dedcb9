"""The bit-map generator as integer functions, compiled for the kernel and plain for the model.

Source: nishi1997router section 4.2.3, kudoh1995rhbd sections 3 and 4; choices B1 to B14 of docs/decisions/0050. The
rules of the schemes are those of `multicast`, bit for bit. `bitmap` explains and wraps it.
"""

from __future__ import annotations

from jumpnet.chip.configuration import FROM_NORTH, HOP, LARP_PATH, LINK, NO_LINK, RANK, USER_VC, WRAP
from jumpnet.chip.links import COMBINE, EAST, MBP0, MBP1, NORTH, SOUTH, WEST
from jumpnet.chip.packet import (
    ACK,
    BROADCAST,
    CHANGE,
    CHANGE_LOCAL,
    COMBINING,
    COMMAND,
    FIRST,
    HERE,
    LARP,
    LPRA,
    REMAKE,
    SECOND,
    SM,
    START,
    STEP_1,
    STEP_2,
)
from jumpnet.chip.parity import sealed
from jumpnet.jit.linked import kernel
from jumpnet.multicast.larp import larp
from jumpnet.multicast.lpra import lpra
from jumpnet.multicast.sm import sm

__all__ = ["ALL", "AS_IT_IS", "DOWN", "SAME", "SINK", "decide", "image", "sent_vc"]

ALL = 0xFF
_N, _E, _W, _S, _M, _SE, _SW, _SS = (1 << k for k in range(8))
_SOUTHERN = _S | _SE | _SW | _SS
AS_IT_IS = -1
"""In place of a map: the header keeps the one it has."""

SAME, DOWN, SINK = range(3)
"""The passes of a packet, each with its own header: outputs of the same rank, outputs of the next rank, the MBP."""

_sm_rule, _lpra_rule, _larp_rule = kernel(sm.rule), kernel(lpra.rule), kernel(larp.rule)


@kernel
def _rule(mode, bit_map, local, starts):
    """The children that a centre serves."""
    if mode in (SM, REMAKE):
        return _sm_rule(bit_map, local, starts, ALL)
    if mode == LPRA:
        return _lpra_rule(bit_map, local, starts, ALL)
    return _larp_rule(bit_map, local, starts, ALL)


@kernel
def _toward(registers, slot, direction):
    """Mask of the link that leads a way; no link gives no bit."""
    link = registers[LINK + 4 * slot + direction]
    return 0 if link == NO_LINK else 1 << link


@kernel
def _links(registers, slot, north, east, west, south):
    """Links that lead the ways that are not 0."""
    return (
        (_toward(registers, slot, NORTH) if north else 0)
        | (_toward(registers, slot, EAST) if east else 0)
        | (_toward(registers, slot, WEST) if west else 0)
        | (_toward(registers, slot, SOUTH) if south else 0)
    )


@kernel
def _centre_links(registers, slot, mask):
    """Links of a centre for its children: the southern one for all that lie south."""
    return _links(registers, slot, mask & _N, mask & _E, mask & _W, mask & _SOUTHERN)


@kernel
def _southern_links(registers, slot, mask):
    """Links of the southern neighbor: on to SE, SW and SS, never back."""
    return _links(registers, slot, 0, mask & _SE, mask & _SW, mask & _SS)


@kernel
def _change_vc(registers, link):
    """Links on which a base hop to another rank takes channel 1: all but the southern wrap-around."""
    if link == registers[LINK + SOUTH] and registers[WRAP] & 1:
        return 0
    return 1 << link


@kernel
def _south_vc(registers, slot, came_on_1):
    """The southern link if channel 1 is due on it: at and after the wrap-around."""
    if came_on_1 or registers[WRAP] >> slot & 1:
        return _toward(registers, slot, SOUTH)
    return 0


@kernel
def _used_vc(registers, flit_1, links, vc_1):
    """Of the links that a packet takes those on channel 1: those due, or all if users choose the channel and took 1."""
    if registers[USER_VC]:
        return links if flit_1 >> 17 & 1 else 0
    return vc_1


@kernel
def _to_rank(registers, rank):
    """The link of the base hop to a router of a rank, no link if there is none; and that link if channel 1 is due."""
    hop = registers[HOP + rank]
    if hop == NO_LINK:
        return 0, 0
    return 1 << hop, _change_vc(registers, hop)


@kernel
def _fields(flit_1):
    """Status, rank and mode of a header."""
    return flit_1 >> 12 & 7, flit_1 >> 9 & 7, flit_1 >> 15 & 3


@kernel
def _from_centre(flit_1, local, registers):
    """A packet at the centre of its rank: (ends here too, same, vc_1, same_map, same_status), as `decide` has them."""
    status, rank, mode = _fields(flit_1)
    slot = 0 if rank == 0 else 1
    served = _rule(mode, flit_1 >> 1 & ALL, local, status == START)
    same = _centre_links(registers, slot, served)
    return served & _M != 0, same, _south_vc(registers, slot, 0) & same, served, STEP_1


@kernel
def _beside_centre(flit_1, spread, link, registers):
    """The same away from the centre: the southern neighbor passes on what comes from the north."""
    status, rank, _mode = _fields(flit_1)
    bit_map, slot = flit_1 >> 1 & ALL, 0 if rank == 0 else 1
    first = bit_map == FIRST if spread else status == STEP_1
    if not (first and registers[FROM_NORTH] >> link & 1):
        return True, 0, 0, AS_IT_IS, status
    served = ALL if spread else bit_map
    same = _southern_links(registers, slot, served)
    return served & _S != 0, same, _south_vc(registers, slot, flit_1 >> 17 & 1) & same, AS_IT_IS, STEP_2


@kernel
def _below(flit_1, flit_2, local, spreads, registers):
    """Where a packet goes that ends its rank here: (flits, down, sink, vc_1, down_map, down_status), as in `decide`.

    spreads: to all below, whatever the maps say.
    """
    _status, rank, mode = _fields(flit_1)
    if rank == 0 or (rank == 1 and mode == REMAKE):
        return 1, 0, 1 << MBP0, 0, AS_IT_IS, STEP_1
    if rank > 1:
        down, vc_1 = _to_rank(registers, rank - 1)
        if spreads:
            return 1, down, 0, vc_1, ALL, BROADCAST
        return 1, down, 0, vc_1, AS_IT_IS, CHANGE_LOCAL if local else CHANGE
    # The next rank is the base torus, which every chip has.
    flits, served, down_map, down_status = 1, ALL, FIRST, BROADCAST
    if not spreads:
        if flit_2 < 0:
            return 2, 0, 0, 0, 0, 0
        served = _rule(mode, flit_2 >> 1 & ALL, local, False)
        flits, down_map, down_status = 2, served, STEP_1
    down = _centre_links(registers, 0, served)
    sink = 1 << MBP0 if served & _M else 0
    return flits, down, sink, _south_vc(registers, 0, 0) & down, down_map, down_status


@kernel
def _acknowledge(flit_3):
    """What `decide` answers for an acknowledge: the route that its third flit names, at its end one of the two."""
    if flit_3 < 0:
        return 3, 0, 0, 0, 0, 0, 0, 0, 0
    route, soft = flit_3 >> 14 & 15, flit_3 >> 13 & 1
    same, vc_1 = 0, 0
    if route == HERE:
        same = 1 << MBP1 if soft else 1 << COMBINE
    elif route <= MBP1:
        same = 1 << route
        vc_1 = same
    return 3, same, 0, 0, vc_1, AS_IT_IS, ACK, 0, 0


@kernel
def decide(flit_1, flit_2, flit_3, link, registers):
    """Where the packet of a header goes that has arrived by `link`.

    Returns (flits, same, down, sink, vc_1, same_map, same_status, down_map, down_status): how many header flits the
    answer needs (the rest is 0 when that is more than given; a flit not there yet is -1), masks of outputs for the
    passes SAME, DOWN and SINK, mask of outputs on channel 1, and what the headers of SAME and DOWN are to say.
    No output at all means that the header is in error. The MBP is bit MBP0; flit 2 names which of the two.
    """
    status, rank, mode = _fields(flit_1)
    if status == ACK:
        return _acknowledge(flit_3)
    if status in (COMMAND, COMBINING):
        return 1, 0, 0, 0, 0, 0, 0, 0, 0
    subtree = mode == LARP and not registers[LARP_PATH]
    spread = subtree and status == BROADCAST  # the map in use says the step
    centre = (flit_1 >> 1 & ALL) == ALL if spread else status in (START, CHANGE_LOCAL, CHANGE)
    if centre and rank != 0 and registers[RANK] != rank:
        same, vc_1 = _to_rank(registers, rank)
        return 1, same, 0, 0, _used_vc(registers, flit_1, same, vc_1), AS_IT_IS, status, AS_IT_IS, STEP_1
    if centre and mode == REMAKE and link < MBP0:  # The MBP is to start this rank: marked by START.
        return 1, 0, 0, 1 << MBP0, 0, AS_IT_IS, status, AS_IT_IS, START
    local = centre and status in (START, CHANGE_LOCAL)
    if centre:
        ends, same, vc_1, same_map, same_status = _from_centre(flit_1, local, registers)
    else:
        ends, same, vc_1, same_map, same_status = _beside_centre(flit_1, spread, link, registers)
    if spread:
        same_map, same_status = (FIRST if centre else SECOND), BROADCAST
    flits, down, sink, down_vc_1, down_map, down_status = 1, 0, 0, 0, AS_IT_IS, STEP_1
    if ends:
        below_spreads = spread or (subtree and status == START)
        flits, down, sink, down_vc_1, down_map, down_status = _below(flit_1, flit_2, local, below_spreads, registers)
        if flits == 2 and flit_2 < 0:
            return 2, 0, 0, 0, 0, 0, 0, 0, 0
    if mode == LARP and not (subtree or same or down or sink or status == START):
        sink = 1 << MBP0  # `path` spreads to routers whose map is empty: the MBP takes it, and acknowledges
    vc_1 = _used_vc(registers, flit_1, same | down, vc_1 | down_vc_1)
    return flits, same, down, sink, vc_1, same_map, same_status, down_map, down_status


@kernel
def image(k, way, flit_1, flit_2, flit_3, bit_map, status, soft):
    """Header flit k (0, 1, 2) as it leaves in a pass: the map in use, maps moved up a rank for DOWN, the soft mark.

    The channel is set by the output (`sent_vc`). `flit_3` of an acknowledge gives up its route. Under REMAKE the MBP
    reads from the rank what it is to start (`remake`): one more where the rank in the header has not begun.
    """
    if flit_1 >> 12 & 7 == ACK:
        return sealed(flit_3 | HERE << 14) if k == 2 else flit_2 if k == 1 else flit_1
    if way == SINK:
        if k == 0:
            above = 1 << 9 if flit_1 >> 15 & 3 == REMAKE and status == START else 0
            return sealed(flit_1 + above | (COMBINING << 12 if soft else 0)) if above or soft else flit_1
        return flit_2 if k == 1 else flit_3
    if k == 0:
        rank = flit_1 >> 9 & 7
        shown = flit_1 >> 1 & ALL
        if way == DOWN:
            rank, shown = rank - 1, flit_2 >> 1 & ALL
        if bit_map >= 0:
            shown = bit_map
        return sealed(flit_1 & (7 << 15) | status << 12 | rank << 9 | shown << 1)
    if k == 1:
        moved = flit_3 >> 9 & ALL if way == DOWN else flit_2 >> 1 & ALL
        return sealed(flit_2 & ~(ALL << 1) & ~(1 << 16) | moved << 1 | soft << 16)
    if way == DOWN:
        return sealed((flit_3 >> 1 & ALL) << 9 | ALL << 1)
    return flit_3


@kernel
def sent_vc(flit_1, vc):
    """The first flit with the channel of the output it leaves by."""
    return sealed(flit_1 & ~(1 << 17) | vc << 17)
