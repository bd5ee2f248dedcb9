"""Rows of the run's arrays by name, as kernels use them: `lane = lane_of(m, r, b)`, then `lane.left`.

A function whose name ends in `_at` finds a row by where it starts in the array, one in `_of` by its number, or by its
router and its number there. What follows the fields is indexed: `lane[slot]`, `place[x]`. Fields are those of
`memory.fields` and `memory.message_layout`; what rows without fields hold is said in `memory.state`.
"""

from jumpnet.jit.linked import inlined
from jumpnet.jit.records.rows import named_rows
from jumpnet.sim.memory import fields
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as msg

__all__ = [
    "answer_of", "batch_of", "bid_of", "calls_of", "candidate_of", "counters_at", "delivery_of",
    "due_of",
    "event_of", "flits_of", "free_of", "heads_of", "held_of", "in_list", "injector_of", "lacking_of", "lane_at",
    "lane_of", "mail_at", "message_at", "number_of", "out_vc_at", "out_vc_of", "packet_at", "pending_of",
    "place_at", "plan_of", "receive_buffer_of", "request_of", "router_of", "row_of", "side_of", "slot_after",
    "spare_of", "stage_of", "standing_of", "sums_at", "tally_at", "terminal_of", "trace_of", "transfer_of",
    "turns_of", "wants_of", "wire_of",
]  # fmt: skip

# Routers: by router and number of the lane or output VC.
lane_at = named_rows("lane", fields.LaneRow._fields, 32)
lane_of = named_rows("lane", fields.LaneRow._fields, 32, ("lanes", "lane_stride"))
out_vc_at = named_rows("out_vc", fields.OutVcRow._fields, 32)
out_vc_of = named_rows("out_vc", fields.OutVcRow._fields, 32, ("out_vcs", at.OUT_VC_FIELDS))
heads_of = named_rows("head", (), 32, ("lanes", "buffer"))
standing_of = named_rows("standing", (), 64, ("lanes", "buffer"))
"""By slot, where the head there stands (`memory.standing`)."""
wants_of = named_rows("wants", fields.WantsRow._fields, 64, ("lanes", "want_words"))
due_of = named_rows("due", (), 32, ("cells",))
free_of = named_rows("free", (), 64, ("out_vc_words",))
turns_of = named_rows("turn", (), 16, ("turn_row",))
wire_of = named_rows("wire", fields.WireRow._fields, 64, ("wires", at.WIRE_FIELDS))
"""Of a router: by output port the link, then by input port the credit wire."""
stage_of = named_rows("stage", (), 64, (at.STAGES,))
held_of = named_rows("held", (), 16, ("held_row",))
lacking_of = named_rows("lacking", (), 64, ("lacking_row",))
"""Of a router: how many input ports it lacks before each one, and in all; then likewise of output ports."""
transfer_of = named_rows("transfer", fields.TransferRow._fields, 32, ("lanes", at.TRANSFER_FIELDS))
side_of = named_rows("side", fields.SideRow._fields, 64, (at.SIDE_FIELDS,))
answer_of = named_rows("answers", fields.AnswerRow._fields, 64, (at.ANSWER_FIELDS,))
candidate_of = named_rows("query", fields.CandidateRow._fields, 64, (len(fields.CandidateRow._fields),))
request_of = named_rows("work", fields.RequestRow._fields, 64, (at.REQUEST_FIELDS,))
bid_at = named_rows("work", fields.BidRow._fields, 64)

# Packets and terminals.
packet_at = named_rows("packet", fields.PacketRow._fields)
flits_of = named_rows("flit", (), 32, ("flits_per_field",))
"""Of a packet (start of its row), by the number of flits behind a flit."""
terminal_of = named_rows("terminal", fields.TerminalRow._fields, 64, (at.TERMINAL_FIELDS,))
injector_of = named_rows("injector", fields.InjectorRow._fields, 64, ("classes", at.INJECTOR_FIELDS))
"""By injection port and message class."""
receive_buffer_of = named_rows("receive_buffer", fields.ReceiveBufferRow._fields, 64, (2,))
"""By terminal and message class."""
calls_of = named_rows("class_calls", fields.CallsRow._fields, 64, (at.CALL_FIELDS,))
"""By class of traffic."""
trace_of = named_rows("trace", fields.TraceRow._fields, 64, (len(fields.TraceRow._fields),))

# Messages.
place_at = named_rows("place", msg.PlaceRow._fields)
message_at = named_rows("message", msg.MessageRow._fields)
tally_at = named_rows("tally", msg.TallyRow._fields)
pending_of = named_rows("pending", ("first", "last"), 64, (2,))
plan_of = named_rows("plan", msg.PlanRow._fields, 64, (msg.PLAN_FIELDS,))
spare_of = named_rows("spare", ("first", "rows"), 64, (2,))
"""By size."""

# What is counted, recorded and told.
counters_at = named_rows("counter", fields.Counters._fields)
sums_at = named_rows("counter", fields.SumsRow._fields)
batch_of = named_rows("batches", fields.BatchRow._fields, 64, (at.BATCH_FIELDS,))
delivery_of = named_rows("delivery", fields.DeliveryRow._fields, 64, (at.DELIVERY_FIELDS,))
event_of = named_rows("event", fields.EventRow._fields, 32, (at.EVENT_FIELDS,))
mail_at = named_rows("mail", fields.MailRow._fields, 32)


@inlined
def slot_after(m, slot):
    """The slot of a buffer after another one."""
    return slot + 1 if slot + 1 < m.buffer else 0


@inlined
def bid_of(m, k):
    """Bid k of the router at work."""
    return bid_at(m, at.REQUEST_FIELDS * m.work_rows + at.BID_FIELDS * k)


@inlined
def in_list(m, r, b):
    """Lane b of router r as it stands in the lists."""
    row = (r * m.lanes + b) * m.lane_stride
    return row << at.ROW_SHIFT | (r & 31) << at.ROUTER_SHIFT | b


@inlined
def row_of(lane):
    """Start of the row of a lane in a list."""
    return lane >> at.ROW_SHIFT


@inlined
def router_of(lane):
    """Router of a lane in a list, among the 32."""
    return lane >> at.ROUTER_SHIFT & 31


@inlined
def number_of(lane):
    """Number of a lane in a list, among those of its router."""
    return lane & at.LANE_NUMBER
