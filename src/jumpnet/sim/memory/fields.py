"""The rows that the simulator's arrays are made of: the numbers of a row are the fields of a class, in order.

`memory.rows` gives kernels rows by these names; `LANE_ROW.left` is the place of a number in a row, for code that has
arrays. What the numbers say besides is in `memory.layout`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar


class LaneRow(NamedTuple):
    """Lane, int32: these, then `buffer` slots, padded to a multiple of 16."""

    when: int
    """Cycle from which the next credit of its output VC may be used, or FLIT and more when that is not known yet;
    without an output VC, the cycle before which no head is looked at (the last tail must be through the switch). Where
    routers are sets, of a lane that bids: flits of its packet that were left when it began to."""
    turn: int
    """Output VC that goes first when the lane next asks for one (round robin)."""
    read: int
    """Slot of the oldest flit."""
    out_vc: int
    """Output VC of the packet at the front, IDLE, CHOOSING or WAITING for one."""
    left: int
    """Flits of that packet that have not left this lane yet; minus its length while the head has not left."""
    packet: int
    """Its row in the packet table."""
    credit: int
    """Cycles from a flit's winning the switch to the use of its credit upstream: constant."""
    branches: int
    """Branches of the packet at the front, where packets branch; branch k has row k of the lane (`memory.branches`)."""


class OutVcRow(NamedTuple):
    """Output VC, int32."""

    to: int
    """Start of the row of the lane it feeds, -1 where there is no link."""
    write: int
    """Slot of that lane that the next flit goes to."""
    delay: int
    """Cycles from winning the switch to the flit's being readable there: constant."""
    sent: int
    """Flits sent."""
    to_router: int
    """Router of the lane it feeds."""
    to_cell: int
    """Cell of that lane in `due`."""
    owner: int
    """Lane (number in this router) of the packet that holds the output VC, -1 when free. Where routers are sets, the
    note of a flit that leaves by it, in `came` of the next router; to a terminal that of its credit, in `credited`."""
    turn: int
    """Lane that goes first when several ask for this output VC (round robin)."""


class WantsRow(NamedTuple):
    """What the head of a lane wants, int64: these, then sets of output VCs in words of 64, `out_vc_words` each: normal
    ones, escapes, and where there are bubbles those by which it enters a ring."""

    next_state: int
    """Next state of the packet."""
    alike: int
    """1 where all candidates agree on it; 0: the relation is asked again when the head has won an output VC."""


class SideRow(NamedTuple):
    """What follows from the number of a lane or output VC, int64."""

    port: int
    next_input: int
    """The input port after `port`, in turn; likewise the next two."""
    next_output: int
    next_vc: int
    input_bit: int
    """A bit for `port` as an input (31 are distinguished), and one for it as an output."""
    output_bit: int
    lane: int
    """The lane that a row belongs to: itself, but for rows of branches."""


class PacketRow(NamedTuple):
    """Packet, int64: the routing header (`routings.view`) and more. A router needs the first 8 alone: a cache line."""

    source: int
    """Router at which it entered; this and the next five are the routing's, in its order."""
    destination: int
    state: int
    in_port: int
    in_vc: int
    intermediate: int
    hops: int
    """Routers it has been routed at."""
    length: int
    """Flits."""
    created: int
    injected: int
    """Cycle in which its head entered."""
    from_terminal: int
    number: int
    """Running number of the packet at its source; requests and replies count separately."""
    kind: int
    """What kind of packet it is (`resolve.packet_kinds`), + MEASURED when it counts in the results."""
    to_terminal: int
    following: int
    """Next packet in a list (free rows, waiting replies)."""
    message: int
    """Where packets branch: row of the message that a packet belongs to."""
    place: int
    """Likewise its place in the tree, as a row, or -1."""
    role: int
    """What it is to its message, see `memory.message_layout`."""
    ready: int
    """Cycle from which an acknowledge may be sent; as old as its message it is created earlier."""


class TraceRow(NamedTuple):
    """Packet to replay, int64."""

    cycle: int
    to_terminal: int
    """Where packets branch the message, as a row."""
    flits: int


class MailRow(NamedTuple):
    """What a thread tells the others of a flit, int32 (`memory.threads.mail`)."""

    router: int
    cell: int
    cycle: int


class TerminalRow(NamedTuple):
    """Terminal, int64."""

    next_creation: int
    """Creation cycle of its next packet."""
    sequence: int
    """Packets it has taken from its process."""
    reply_first: int
    """Oldest reply waiting to enter, -1 when none."""
    reply_last: int
    replies: int
    """Replies created here."""
    in_wheel: int
    """1 while it is in the wheel (a reply may wake it all the same)."""
    answer_first: int
    """Oldest acknowledge waiting to enter, -1 when none."""
    answer_last: int


class InjectorRow(NamedTuple):
    """Injector, int64: one for each terminal, injection port and message class."""

    packet: int
    """Packet entering, -1 when none."""
    left: int
    """Its flits that have not entered."""
    vc: int
    """Virtual channel it enters on, -1 before its head has one; v is KEPT - v where it has not entered on it yet."""
    last_vc: int
    """That of the packet before, within the class."""
    entered: int
    """Packets that were posted from outside and have entered whole."""


class ReceiveBufferRow(NamedTuple):
    """Receive buffer of a terminal for packets of a class, int64 (`terminals.finite_buffers`)."""

    spare: int
    """Free places beyond the output VCs that can be had."""
    kept: int
    """A set of output VCs that no packet can have, as all places are taken; numbered within the class."""


class Counters(NamedTuple):
    """The counters, int64."""

    moved: int
    """Last cycle in which a flit moved."""
    packets: int
    """Packets in the network or entering it."""
    entered: int
    """Flits that have entered, or have become two where a packet branches."""
    ejected: int
    """Flits that have left the network."""
    created_measured: int
    done_measured: int
    free: int
    """First free row of the packet table."""
    error: int
    """0, or why the run must stop."""
    error_router: int
    error_packet: int
    latency_sum: int
    """This and the next four: sums over measured packets, by packet latency, network latency, latency of flits."""
    network_sum: int
    flit_sum: int
    flits: int
    """Flits of measured packets that have arrived."""
    hops_sum: int
    flit_hops: int
    """Routers traversed by all delivered flits."""
    delivered: int
    """Packets delivered."""
    max_latency: int
    events: int
    created: int
    """Packets taken from the processes, replies not counted."""
    created_flits_measured: int
    barriers: int
    """Those that this thread has reached."""
    deliveries: int
    """Deliveries handed to the outside and not taken yet."""
    open: int
    """Messages that are not done: received by all, and acknowledged where asked."""
    fallbacks: int
    """Branchings whose acknowledges a terminal counted."""
    link_flits: int
    """Flits over links, where packets branch; and those of acknowledges."""
    ack_link_flits: int
    arrived: int
    """Flits of messages that receivers have."""
    remade: int
    """Packets that terminals have taken to make them anew."""
    reply_latency_sum: int
    """This and the next four: the sums from `latency_sum` on, of replies alone."""
    reply_network_sum: int
    reply_flit_sum: int
    reply_flits: int
    reply_hops_sum: int
    replies_measured: int


class SumsRow(NamedTuple):
    """The five counters of measured packets that begin at `latency_sum` or at `reply_latency_sum`."""

    latency: int
    network: int
    flit: int
    flits: int
    hops: int


class BatchRow(NamedTuple):
    """Packets delivered in a batch of cycles, int64."""

    packets: int
    latency: int
    """Sum of the packet latencies; likewise the next two."""
    network: int
    flit: int
    flits: int
    """Flits of the packets."""


class DeliveryRow(NamedTuple):
    """Delivery of a packet that was posted from outside, int64. The last three are set only where packets branch."""

    number: int
    created: int
    arrived: int
    what: int
    """What has arrived, see `memory.message_layout`."""
    terminal: int
    place: int
    """Number of the place of the message's tree."""


class EventRow(NamedTuple):
    """Event, int32."""

    cycle: int
    kind: int
    terminal: int
    """Source of the packet."""
    number: int
    message_class: int
    flit: int
    router: int
    place: int
    """Lane or output VC."""


class CandidateRow(NamedTuple):
    """What a routing relation answers, int64: a row of `query`, as in `routings.view`."""

    port: int
    vc: int
    next_state: int
    kind: int


class AnswerRow(NamedTuple):
    """What heads were told by a routing relation (`sets.routes`), int64. Row 0 is none: it has their number."""

    wants: int
    """A set of output VCs."""
    next_state: int


class RequestRow(NamedTuple):
    """What a head asks for in virtual-channel allocation, int64; at the start of `work`, the scratch of one router."""

    lane: int
    out_vc: int
    """-1 - output VC when another lane gets it."""


class WireRow(NamedTuple):
    """A link of an output port, or the credit wire of an input port, int64."""

    last: int
    """The last cycle in which something leaves by it, as far as is known; -1 at first."""
    step: int
    """Of a link: the step in which the last flits come out of the switch; of a credit wire: in which they win."""
    before: int
    """`last` before them."""
    cycles: int
    """Latency, of a credit wire with the credit delay: constant."""


class CallsRow(NamedTuple):
    """What a class of traffic calls, int64 (`memory.calls`); rows for further loads of the first class come last."""

    destination: int
    """Address of the pattern's function; then of the integers that it reads, and how many they are."""
    pattern_own: int
    pattern_size: int
    process: int
    """Likewise of the injection process."""
    process_own: int
    process_size: int
    draws: int
    """Draws by which destinations are distinguished."""
    until: int
    """Cycle from which on another load holds, that of the next row of the class; NO_STEP where none does."""


class BidRow(NamedTuple):
    """Bid for the switch, int64; in `work` after as many requests as the router has lanes and output VCs."""

    lane: int
    out_vc: int
    rank: int
    """0 for a normal bid, LATER for a speculative one, + age when the allocator goes by age."""
    status: int
    """How far it has come, see `router.switch_allocation`."""
    input: int
    """Input port of the lane."""
    output: int
    """Output port of the output VC."""
    lost: int
    """1 for a bid whose grant is of no use (`router.pipeline.bid_everywhere`)."""


class TransferRow(NamedTuple):
    """Where the packet of a lane that holds an output VC goes, int32; notes as in `memory.layout`."""

    to: int
    """Note of a flit, that of its output VC."""
    back: int
    """Note of the credit for a slot of this lane, in `credited` of the router before: constant."""


R = TypeVar("R", bound=tuple[int, ...])


def places(row: type[R]) -> R:
    """The place of each number in a row, by its name."""
    return row(*range(len(row._fields)))  # type: ignore[attr-defined]


LANE_ROW, OUT_VC_ROW, SIDE_ROW = places(LaneRow), places(OutVcRow), places(SideRow)
PACKET_ROW, TERMINAL_ROW, INJECTOR_ROW = places(PacketRow), places(TerminalRow), places(InjectorRow)
COUNTER, BATCH_ROW, WIRE_ROW = places(Counters), places(BatchRow), places(WireRow)
