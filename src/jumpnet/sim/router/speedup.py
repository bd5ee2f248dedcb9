"""What speed-ups, held connections and output buffers add to switch allocation and traversal.

The switch has inputs and outputs of its own: with input speed-up several for each input port, which its virtual
channels share out, with output speed-up several for each output port, which the input ports share out. Where more than
one flit comes to an output port in a cycle, they wait for the link in the order in which they come; when each leaves is
known as soon as it wins, so that a wire needs no queue, only the last cycle in which something leaves. The twin is
`reference.router.Router`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.clock import after_stage, begins, cycle_of, first_step
from jumpnet.sim.memory.rows import bid_of, held_of, wire_of

__all__ = [
    "flit_there", "has_room", "hold_on", "slot_back", "switch_input", "switch_output", "take_back",
]  # fmt: skip


@inlined
def switch_input(m, b):
    """The input of the switch that lane b uses."""
    port = m.port_of[b]
    return port * m.input_speedup + (b - port * m.vcs) % m.input_speedup


@inlined
def switch_output(m, b, o):
    """The output of the switch by which lane b gets to output VC o."""
    return m.port_of[o] * m.output_speedup + m.port_of[b] % m.output_speedup


@kernel
def flit_there(m, r, o, t):
    """The step in which the flit that wins output VC o in step t can be read behind the link, whose account is kept."""
    wire = wire_of(m, r, m.port_of[o])
    out = after_stage(m, begins(m, r, at.CROSSBAR, m.st, after_stage(m, t, m.sa)), m.st) - 1
    if wire.step != out:
        wire.step, wire.before = out, wire.last
    wire.last = max(cycle_of(m, out), wire.last + 1)
    return first_step(m, wire.last + 1 + wire.cycles)


@kernel
def slot_back(m, r, b, t):
    """The step in which the credit can be used for the slot that lane b frees in step t; keeps account of the wire.

    Credits of one step and input port travel together.
    """
    wire = wire_of(m, r, m.outputs + m.port_of[b])
    if wire.step != t:
        wire.step, wire.last = t, max(cycle_of(m, after_stage(m, t, m.sa) - 1), wire.last + 1)
    return first_step(m, wire.last + 1 + wire.cycles)


@kernel
def has_room(m, r, o, t):
    """Whether the port of output VC o takes one more flit in step t.

    Flits count that are out of the switch before the step and do not leave before its cycle.
    """
    if m.output_buffer == 0:
        return True
    wire = wire_of(m, r, m.port_of[o])
    last = wire.before if wire.step >= t else wire.last
    return last + 1 - cycle_of(m, t) < m.output_buffer


@inlined
def hold_on(m, r, b, o, flit, t):
    """Lane b keeps its connection to output VC o when the next flit, of that number in its slot, is there in step t."""
    if m.hold == 1 and at.FLIT <= flit <= at.FLIT + t:
        held = held_of(m, r)
        held[switch_input(m, b)] = b + 1
        held[m.switch_inputs + switch_output(m, b, o)] = b + 1


@kernel
def take_back(m, r, bids):
    """Release all connections; the status of each bid is 1 + the lane that held its input or else its output, or 0.

    A lane that goes on takes its own again when its flit leaves (`hold_on`).
    """
    held = held_of(m, r)
    for k in range(bids):
        bid = bid_of(m, k)
        bid.status = held[bid.input] if held[bid.input] != 0 else held[m.switch_inputs + bid.output]
    for x in range(m.held_row):
        held[x] = 0
