"""The crossbar in the kernel: the phases `transfer`, `arbitrate` and `check` of `chip`."""

from __future__ import annotations

from jumpnet.chip._bitmap import DOWN, SAME, SINK, sent_vc
from jumpnet.chip.compiled import _layout as at
from jumpnet.chip.compiled._buffer import closing, combine_at_mbp, leaving, sent
from jumpnet.chip.compiled._combining import unit_ready, unit_reserve
from jumpnet.chip.compiled._half_duplex import may_send, put, release, start
from jumpnet.chip.links import COMBINE, FLIT, LAST, LINKS, MBP0, MBP1, OUTPUTS, TAG
from jumpnet.chip.modes import NORMAL, SETTING_UP, SHOOTING
from jumpnet.chip.packet import ACK, HEADER_FLITS
from jumpnet.chip.parity import sealed
from jumpnet.jit.bits import lowest, pop_lowest
from jumpnet.jit.linked import kernel

__all__ = ["arbitrate", "check", "transfer"]


@kernel
def transfer(s, r, clock):
    """One flit of each granted pass goes through the crossbar and onto the lines."""
    active = s.chip[r, at.K_ACTIVE]
    while active:
        link, active = pop_lowest(active)
        i = s.input[10 * r + link]
        b, k, strobe = s.buffer[i[at.I_BUFFER]], i[at.I_POSITION], TAG
        if i[at.I_TAG] >= 0:
            flit = i[at.I_TAG]
            i[at.I_TAG] = -1
        elif b[at.B_COUNT] > max(k, HEADER_FLITS - 1):
            flit = leaving(b, k, i[at.I_WAY])
            strobe = LAST if b[at.B_COMPLETE] and k == b[at.B_COUNT] - 1 else FLIT
            i[at.I_POSITION] += 1
        else:
            continue
        first = k == 0 and strobe != TAG and not b[at.B_FLUSH]
        outputs = i[at.I_OUTPUTS]
        while outputs:
            output, outputs = pop_lowest(outputs)
            word = sent_vc(flit, s.output[11 * r + output, at.O_VC]) if first else flit
            _drive(s, r, output, word, strobe, clock)
        if strobe == LAST:
            s.chip[r, at.K_ACTIVE] &= ~(1 << link)
            if sent(b):
                s.chip[r, at.K_OCCUPIED] &= ~(1 << i[at.I_BUFFER] - 20 * r)
            i[at.I_BUFFER], i[at.I_OUTPUTS] = -1, 0


@kernel
def _drive(s, r, output, word, strobe, clock):
    """A flit leaves by one output, which the last one of a pass frees."""
    if strobe == LAST:
        s.output[11 * r + output, at.O_OWNER] = -1
    if output == COMBINE:
        s.unit[r, at.U_FLIT + (clock & 1)] = word
        s.unit[r, at.U_STROBE + (clock & 1)] = strobe
        return
    put(s, 10 * r + output, word, strobe, clock)
    if strobe == LAST:
        release(s, 10 * r + output, clock)


@kernel
def arbitrate(s, r, clock):
    """Each free output, if its line is free too, goes to the next input in turn that asks."""
    asking = s.chip[r, at.K_ASKING]
    if asking == 0:
        return
    several = 0
    for link in range(LINKS):
        if asking >> link & 1:
            i = s.input[10 * r + link]
            b = s.buffer[i[at.I_ASK_BUFFER]]
            if b[at.B_BAD] and not b[at.B_FLUSH]:  # a header flit that came in meanwhile was wrong
                i[at.I_ASK] = 0
            if s.wait_for_all and i[at.I_ASK] & (i[at.I_ASK] - 1):
                several |= 1 << link
    if several and clock & 1 == 0:
        _whole(s, r, several, clock)
    _each(s, r, asking & ~several, clock)
    if several and clock & 1:
        _whole(s, r, several, clock)
    for link in range(LINKS):
        if asking >> link & 1 and s.input[10 * r + link, at.I_OUTPUTS]:
            _connect(s, r, link, s.input[10 * r + link])


@kernel
def _each(s, r, asking, clock):
    """Output by output, by the round robin arbiter of each."""
    asked = 0
    for link in range(LINKS):
        if asking >> link & 1:
            asked |= s.input[10 * r + link, at.I_ASK]
    for output in range(OUTPUTS):
        o = s.output[11 * r + output]
        if not asked >> output & 1 or o[at.O_OWNER] >= 0:
            continue
        if output != COMBINE and not may_send(s, 10 * r + output, clock):
            continue
        link = o[at.O_ARBITER]
        while True:
            link = (link + 1) % LINKS
            if asking >> link & 1 and s.input[10 * r + link, at.I_ASK] >> output & 1:
                break
        o[at.O_ARBITER] = o[at.O_OWNER] = link
        s.input[10 * r + link, at.I_OUTPUTS] |= 1 << output
        if output != COMBINE:
            start(s, 10 * r + output)


@kernel
def _whole(s, r, asking, clock):
    """Each input in turn that asks for several outputs gets all of them, or none."""
    turn, served = s.chip[r, at.K_TURN], -1
    for k in range(1, LINKS + 1):
        link = (turn + k) % LINKS
        i = s.input[10 * r + link]
        if not asking >> link & 1:
            continue
        free = True
        for output in range(OUTPUTS):
            if i[at.I_ASK] >> output & 1:
                free &= s.output[11 * r + output, at.O_OWNER] < 0
                free &= output == COMBINE or may_send(s, 10 * r + output, clock)
        if not free:
            continue
        i[at.I_OUTPUTS] = i[at.I_ASK]
        served = link if served < 0 else served
        for output in range(OUTPUTS):
            if i[at.I_ASK] >> output & 1:
                s.output[11 * r + output, at.O_OWNER] = link
                if output != COMBINE:
                    start(s, 10 * r + output)
    if served >= 0:
        s.chip[r, at.K_TURN] = served


@kernel
def _connect(s, r, link, i):
    """A granted pass begins: the bits of its outputs are reset."""
    n = i[at.I_ASK_BUFFER]
    b = s.buffer[n]
    i[at.I_BUFFER], i[at.I_WAY], i[at.I_POSITION], i[at.I_TAG] = n, i[at.I_ASK_WAY], 0, -1
    outputs, vc_1 = i[at.I_OUTPUTS], b[at.B_VC1]
    if b[at.B_FLUSH]:
        i[at.I_TAG] = _flushed(b, link, n & 1)
        if b[at.B_ENTRY] and not b[at.B_KNOWN]:
            s.entry[b[at.B_ENTRY] - 1, at.N_USED] = 0
        outputs, vc_1 = 0, 0
    elif i[at.I_WAY] == SINK:
        if b[at.B_SOFT]:
            i[at.I_TAG] = _tag(link, n & 1, b[at.B_SAME] | b[at.B_DOWN] | b[at.B_SINK], 1)
        outputs = 1 << MBP0
    for output in range(OUTPUTS):
        if i[at.I_OUTPUTS] >> output & 1:
            s.output[11 * r + output, at.O_VC] = vc_1 >> output & 1
    s.chip[r, at.K_ACTIVE] |= 1 << link
    b[at.B_SENDING] = 1
    b[at.B_REMAINING] &= ~outputs
    i[at.I_LAST_VC] = n & 1


@kernel
def _tag(link, vc, outputs, known):
    """A tag flit (`packet.Tag`)."""
    return sealed(link << 14 | vc << 13 | outputs << 2 | known << 1)


@kernel
def _flushed(b, link, vc):
    """The tag flit of a packet that goes to the MBP as it is: what it lacks, all outputs when that is not decided."""
    left = b[at.B_REMAINING] | b[at.B_SOFT] << COMBINE
    if not b[at.B_DECIDED] and b[at.B_RESTORED]:
        return b[at.B_RESTORED] - 1
    if not b[at.B_DECIDED] and not b[at.B_BAD]:
        left = (1 << OUTPUTS if b[at.B_RAM] >> 12 & 7 == ACK else 1 << COMBINE) - 1
    return _tag(link, vc, left, b[at.B_KNOWN])


@kernel
def _output_ready(s, r, output, vc):
    """Whether the opposite buffer is ready; not while a packet is on its way to it."""
    o = s.output[11 * r + output]
    if o[at.O_OWNER] >= 0 and o[at.O_VC] == vc:
        return False
    if output == COMBINE:
        return unit_ready(s, r)
    return s.end[s.end[10 * r + output, at.E_PEER], at.E_READY] >> vc & 1 == 1


@kernel
def _ready(s, r, mask, vc_1):
    """The outputs of a mask that are ready; under `wait_for_all` all of them or none."""
    ready, left = 0, mask
    while left:
        output, left = pop_lowest(left)
        if _output_ready(s, r, output, vc_1 >> output & 1):
            ready |= 1 << output
    return 0 if s.wait_for_all and ready != mask else ready


@kernel
def _wish(s, r, b):
    """(way, outputs) that a buffer asks for: same rank, then down, then the MBP; in a shoot-down to the MBP."""
    mode = s.chip[r, at.K_MODE]
    if mode == SHOOTING and b[at.B_COMPLETE] and not b[at.B_SENDING]:
        b[at.B_FLUSH] = 1
    if b[at.B_FLUSH] and mode != SETTING_UP and not b[at.B_SENDING] and b[at.B_COMPLETE]:
        return SINK, _ready(s, r, 1 << MBP0, 0)
    if mode != NORMAL or b[at.B_FLUSH] or not b[at.B_DECIDED] or b[at.B_KIND] == 0 or closing(b):
        return SAME, 0
    if b[at.B_KIND] == 2 and not b[at.B_KNOWN] and b[at.B_ENTRY] == 0:
        if b[at.B_SAME] | b[at.B_DOWN]:
            b[at.B_ENTRY] = unit_reserve(s, r)
        if b[at.B_ENTRY] == 0:
            combine_at_mbp(b)
    left = b[at.B_REMAINING]
    sink = left & ~b[at.B_SAME] & ~b[at.B_DOWN] & 1 << MBP0
    to_mbp = 1 << MBP1 if b[at.B_RAM + 1] >> 15 & 1 else 1 << MBP0
    if b[at.B_SOFT] and sink:
        return SINK, _ready(s, r, to_mbp, b[at.B_VC1])
    same, down = left & b[at.B_SAME], left & b[at.B_DOWN]
    ready = _ready(s, r, same, b[at.B_VC1])
    if ready:
        return SAME, ready
    ready = _ready(s, r, down, b[at.B_VC1])
    if ready:
        return DOWN, ready
    if sink and (b[at.B_KNOWN] or b[at.B_KIND] == 1):
        return SINK, _ready(s, r, to_mbp, b[at.B_VC1])
    return SAME, 0


@kernel
def check(s, r):
    """Each input link that is free in the next clock asks for the outputs whose opposite buffer is ready."""
    left = occupied = s.chip[r, at.K_OCCUPIED]
    wanted, asking = 0, 0
    while left:
        link = lowest(left) // 2
        left &= ~(3 << 2 * link)
        i = s.input[10 * r + link]
        if i[at.I_BUFFER] >= 0:
            b, k = s.buffer[i[at.I_BUFFER]], i[at.I_POSITION]
            if i[at.I_TAG] >= 0 or not b[at.B_COMPLETE] or k != b[at.B_COUNT] - 1 or k < HEADER_FLITS - 1:
                continue
        for turn in range(2):
            n = 2 * link + (i[at.I_LAST_VC] + 1 + turn) % 2
            if not occupied >> n & 1:
                continue
            way, ask = _wish(s, r, s.buffer[20 * r + n])
            if ask:
                i[at.I_ASK_BUFFER], i[at.I_ASK_WAY], i[at.I_ASK] = 20 * r + n, way, ask
                wanted |= ask
                asking |= 1 << link
                break
    changed = wanted ^ s.chip[r, at.K_WANTED]
    while changed:
        link, changed = pop_lowest(changed)
        if link < LINKS:
            s.end[10 * r + link, at.E_WANTS] = wanted >> link & 1
    s.chip[r, at.K_ASKING], s.chip[r, at.K_WANTED] = asking, wanted
