"""Rows of the run's arrays by name, as kernels use them: `lane = lane_of(m, r, b)`, then `lane.left`.

A function whose name ends in `_at` finds a row by where it starts in the array, one in `_of` by its number, or by its
router and its number there. What follows the fields is indexed: `lane[slot]`, `place[x]`. Fields are those of
`memory.fields` and `memory.message_layout`; what rows without fields hold is said in `memory.state`.
"""

from typing import Any

import numpy as np

from jumpnet.jit.linked import inlined
from jumpnet.jit.records.rows import named_rows
from jumpnet.sim.memory import fields
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory import message_layout as msg
from jumpnet.sim.memory.state import ARRAYS


def _rows(array: str, row: type | None = None, *widths: int | str) -> Any:
    """`named_rows` of an array whose numbers are as long as `memory.state` says; without widths by where they start."""
    bits = 8 * np.dtype(ARRAYS.get(array, np.int64)).itemsize
    return named_rows(array, getattr(row, "_fields", ()), bits, widths or (1,))


# Routers: by router and number of the lane or output VC.
lane_at = _rows("lane", fields.LaneRow)
lane_of = _rows("lane", fields.LaneRow, "lanes", "lane_stride")
out_vc_at = _rows("out_vc", fields.OutVcRow)
out_vc_of = _rows("out_vc", fields.OutVcRow, "out_vcs", at.OUT_VC_FIELDS)
heads_of = _rows("head", None, "lanes", "buffer")
standing_of = _rows("standing", None, "lanes", "buffer")
"""By slot, where the head there stands (`memory.standing`)."""
wants_of = _rows("wants", fields.WantsRow, "lanes", "want_words")
due_of = _rows("due", None, "cells")
free_of = _rows("free", None, "out_vc_words")
turns_of = _rows("turn", None, "turn_row")
wire_of = _rows("wire", fields.WireRow, "wires", at.WIRE_FIELDS)
"""Of a router: by output port the link, then by input port the credit wire."""
stage_of = _rows("stage", None, at.STAGES)
held_of = _rows("held", None, "held_row")
places_of = _rows("places", None, "places_row")
lacking_of = _rows("lacking", None, "lacking_row")
"""Of a router: how many input ports it lacks before each one, and in all; then likewise of output ports."""
transfer_of = _rows("transfer", fields.TransferRow, "lanes", at.TRANSFER_FIELDS)
side_of = _rows("side", fields.SideRow, at.SIDE_FIELDS)
answer_of = _rows("answers", fields.AnswerRow, at.ANSWER_FIELDS)
candidate_of = _rows("query", fields.CandidateRow, len(fields.CandidateRow._fields))
request_of = _rows("work", fields.RequestRow, at.REQUEST_FIELDS)
bid_at = _rows("work", fields.BidRow)

# Packets and terminals.
packet_at = _rows("packet", fields.PacketRow)
flits_of = _rows("flit", None, "flits_per_field")
"""Of a packet (start of its row), by the number of flits behind a flit."""
terminal_of = _rows("terminal", fields.TerminalRow, at.TERMINAL_FIELDS)
injector_of = _rows("injector", fields.InjectorRow, "classes", at.INJECTOR_FIELDS)
"""By injection port and message class."""
receive_buffer_of = _rows("receive_buffer", fields.ReceiveBufferRow, 2)
"""By terminal and message class."""
calls_of = _rows("class_calls", fields.CallsRow, at.CALL_FIELDS)
"""By class of traffic."""
trace_of = _rows("trace", fields.TraceRow, len(fields.TraceRow._fields))

# Messages.
place_at = _rows("place", msg.PlaceRow)
message_at = _rows("message", msg.MessageRow)
tally_at = _rows("tally", msg.TallyRow)
plan_of = _rows("plan", msg.PlanRow, msg.PLAN_FIELDS)
spare_of = named_rows("spare", ("first", "rows"), 64, (2,))
"""By size."""

# What is counted, recorded and told.
counters_at = _rows("counter", fields.Counters)
sums_at = _rows("counter", fields.SumsRow)
batch_of = _rows("batches", fields.BatchRow, at.BATCH_FIELDS)
delivery_of = _rows("delivery", fields.DeliveryRow, at.DELIVERY_FIELDS)
event_of = _rows("event", fields.EventRow, at.EVENT_FIELDS)
mail_at = _rows("mail", fields.MailRow)


@inlined
def slot_after(m, slot):
    """The slot of a buffer after another one."""
    return slot + 1 if slot + 1 < m.buffer else 0


@inlined
def bid_of(m, k):
    """Bid k of the router at work."""
    return bid_at(m, at.REQUEST_FIELDS * m.work_rows + at.BID_FIELDS * k)


@inlined
def router_and_lane(listed):
    """Router of a lane in a list of `router.lists` or `sets`, and the lane's number there."""
    return listed >> at.LANE_SHIFT, listed & at.LANE_NUMBER
