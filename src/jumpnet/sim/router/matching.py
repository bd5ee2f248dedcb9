"""The pipeline of one router where inputs and outputs are matched as a whole: by lonely outputs, or as many as can be.

By lonely outputs (Gupta and McKeown 1999) each input asks for the output that fewest ask for, of several the first from
its turn on; each output grants one of these, the first from its turn on; both turns go on by one with a grant. A
matching of maximum size is made of shortest augmenting paths, which begin at the inputs in turn. Neither looks at
priorities, and both are as in BookSim 2. `asked` has a row for each input, the set of outputs that it asks for; then
what each input gets, and three numbers of each output. Kernels of their own, so that other runs do not compile them;
the twin is in `reference.matching`.
"""

from jumpnet.jit.bits import bit64
from jumpnet.jit.instructions import stay_apart
from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.rows import bid_of, places_of, request_of
from jumpnet.sim.router.pipeline import get_out_vcs, grant_switch, step_by
from jumpnet.sim.router.ports_there import INPUTS, OUTPUTS, asking_index, at_index, index_of, there
from jumpnet.sim.router.switch_allocation import input_rank, move_turns_of
from jumpnet.sim.router.vc_allocation import wants_now
from jumpnet.sim.router.vc_matching import give_all

__all__ = ["step_matching"]


@inlined
def asks(m, i, o, words):
    """Whether input i asks for output o."""
    return m.asked[i * words + (o >> 6)] & bit64(o) != 0


@inlined
def clear(m, inputs, words):
    """No input asks for anything."""
    for x in range(inputs * words):
        m.asked[x] = 0


@kernel
def match_lonely(m, r, kept, inputs, outputs, words):
    """Match by lonely outputs: writes the output of each input, or -1, after the sets in `asked`.

    The turns begin at `kept` in the row of `places`, those of outputs after those of so many inputs.
    """
    turns, found = places_of(m, r), inputs * words
    count = found + inputs
    for o in range(outputs):
        m.asked[count + o] = 0
        for i in range(inputs):
            if asks(m, i, o, words):
                m.asked[count + o] += 1
    for i in range(inputs):
        lonely = -1
        for k in range(outputs):
            o = (k + turns[kept + i]) % outputs
            if asks(m, i, o, words) and (lonely < 0 or m.asked[count + o] < m.asked[count + lonely]):
                lonely = o
        m.asked[found + i] = lonely
    for o in range(outputs):
        winner, turn = -1, kept + inputs + o
        for k in range(inputs):
            i = (k + turns[turn]) % inputs
            if m.asked[found + i] == o:
                if winner < 0:
                    winner = i
                else:
                    m.asked[found + i] = -1
        if winner >= 0:
            turns[kept + winner] = (turns[kept + winner] + 1) % outputs
            turns[turn] = (turns[turn] + 1) % inputs


@kernel
def augment(m, first, inputs, outputs, words):
    """Match one input more, by a shortest augmenting path from an input that has no output; whether there is one."""
    found, owner = inputs * words, inputs * words + inputs
    before, queue, n, head = owner + outputs, owner + 2 * outputs, 0, 0
    for o in range(outputs):
        m.asked[before + o] = -1
    for k in range(inputs):
        i = (k + first) % inputs
        if m.asked[found + i] < 0:
            m.asked[queue + n] = i
            n += 1
    while head < n:
        i = m.asked[queue + head]
        head += 1
        for o in range(outputs):
            if asks(m, i, o, words) and m.asked[found + i] != o and m.asked[before + o] < 0:
                m.asked[before + o] = i
                if m.asked[owner + o] >= 0:
                    m.asked[queue + n] = m.asked[owner + o]
                    n += 1
                    continue
                while o >= 0:  # back along the path
                    i = m.asked[before + o]
                    m.asked[owner + o] = i
                    following = m.asked[found + i]
                    m.asked[found + i] = o
                    o = following
                return True
    return False


@kernel
def match(m, r, kind, kept, inputs, outputs, words):
    """Match inputs and outputs: as `match_lonely`, or in maximum size, where the row of `places` has the input that
    goes first at `kept`."""
    if kind == at.LONELY_OUTPUT:
        match_lonely(m, r, kept, inputs, outputs, words)
        return
    for x in range(inputs * words, inputs * words + inputs + outputs):
        m.asked[x] = -1
    while augment(m, places_of(m, r)[kept], inputs, outputs, words):
        pass
    places_of(m, r)[kept] = (places_of(m, r)[kept] + 1) % inputs


@kernel
def match_out_vcs_whole(m, r, asking, t):
    """Grant output VCs to the first `asking` requests in `work`; what a loser asked for becomes -1 - output VC."""
    if m.vc_allocator != at.LONELY_OUTPUT and m.vc_allocator != at.MAX_SIZE:
        get_out_vcs(m, r, asking, t)
        return
    inputs, outputs = there(m, r, INPUTS, m.vcs), there(m, r, OUTPUTS, m.vcs)
    words = (outputs + 63) >> 6
    clear(m, inputs, words)
    for k in range(asking):
        i = asking_index(m, r, request_of(m, k).lane)
        for x in range(outputs):
            if wants_now(m, r, k, at_index(m, r, OUTPUTS, x, m.vcs), t):
                m.asked[i * words + (x >> 6)] |= bit64(x)
    match(m, r, m.vc_allocator, m.vc_places, inputs, outputs, words)
    for k in range(asking):
        mine = request_of(m, k)
        x = m.asked[inputs * words + asking_index(m, r, mine.lane)]
        mine.out_vc = at_index(m, r, OUTPUTS, x, m.vcs) if x >= 0 else -1 - mine.out_vc
    give_all(m, r, asking, 0, t)


@kernel
def goes_first_in_cell(m, r, bids, k):
    """Whether bid k goes before all others of its input for its output."""
    one, rank = bid_of(m, k), input_rank(m, r, bid_of(m, k))
    for j in range(bids):
        other = bid_of(m, j)
        meets = other.input == one.input and other.output == one.output
        if meets and input_rank(m, r, other) < rank:
            return False
    return True


@kernel
def grant_switch_whole(m, r, bids, t):
    """Grant the switch to some of n bids of router r, in order of lanes: the number of grants."""
    if bids == 0 or (m.allocator != at.LONELY_OUTPUT and m.allocator != at.MAX_SIZE):
        return grant_switch(m, r, bids, t)
    inputs, outputs = there(m, r, INPUTS, m.input_speedup), there(m, r, OUTPUTS, m.output_speedup)
    words, grants = (outputs + 63) >> 6, 0
    clear(m, inputs, words)
    for k in range(bids):
        one = bid_of(m, k)
        x = index_of(m, r, OUTPUTS, one.output, m.output_speedup)
        m.asked[index_of(m, r, INPUTS, one.input, m.input_speedup) * words + (x >> 6)] |= bit64(x)
        one.status = int(goes_first_in_cell(m, r, bids, k))
    match(m, r, m.allocator, 0, inputs, outputs, words)
    for k in range(bids):
        one = bid_of(m, k)
        x = m.asked[inputs * words + index_of(m, r, INPUTS, one.input, m.input_speedup)]
        if one.status == 1 and x == index_of(m, r, OUTPUTS, one.output, m.output_speedup):
            move_turns_of(m, r, one)
            m.work[m.work_rows + grants] = k
            grants += 1
    return grants


@kernel
def step_matching(m, r, t, first):
    """`pipeline.step` with these allocators, of virtual channels, of the switch or both."""
    stay_apart()
    return step_by(m, r, t, first, match_out_vcs_whole, grant_switch_whole)
