"""Which ports a router has: allocators that begin at random, or by diagonals, count those that are there.

Routers have rows for as many ports as the largest needs, so the switches at the ends of a tree lack some. Were these
counted, a lane behind them would be the first one more often than others. The twin is `reference.router.Router`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory.rows import lacking_of

__all__ = ["input_at", "input_place", "inputs_there", "output_at", "output_place", "outputs_there"]


@inlined
def inputs_there(m, r):
    """How many input ports router r has."""
    return m.inputs - lacking_of(m, r)[m.inputs]


@inlined
def outputs_there(m, r):
    """How many output ports it has."""
    return m.outputs - lacking_of(m, r)[m.inputs + 1 + m.outputs]


@inlined
def input_place(m, r, port):
    """The place of an input port among those that are there."""
    return port - lacking_of(m, r)[port]


@inlined
def output_place(m, r, port):
    """The place of an output port among those that are there."""
    return port - lacking_of(m, r)[m.inputs + 1 + port]


@kernel
def input_at(m, r, place):
    """The input port with that place among those that are there."""
    port = place
    while port - lacking_of(m, r)[port + 1] < place:
        port += 1
    return port


@kernel
def output_at(m, r, place):
    """The output port with that place among those that are there."""
    port = place
    while port - lacking_of(m, r)[m.inputs + 1 + port + 1] < place:
        port += 1
    return port
