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
def input_place(m, r, i, each):
    """The place of lane or switch input i among those of the ports that are there, `each` a port."""
    row = lacking_of(m, r)
    return i if row[m.inputs] == 0 else i - row[i // each] * each


@inlined
def output_place(m, r, o, each):
    """The place of output VC or switch output o, likewise."""
    row = lacking_of(m, r)
    return o if row[m.inputs + 1 + m.outputs] == 0 else o - row[m.inputs + 1 + o // each] * each


@kernel
def at_place(m, r, first, place, each):
    """What has that place, where the numbers of its side begin at place `first` of the router's row."""
    port = place // each
    while port - lacking_of(m, r)[first + port + 1] < place // each:
        port += 1
    return port * each + place % each


@inlined
def input_at(m, r, place, each):
    """The lane or switch input with that place: the inverse of `input_place`."""
    return place if lacking_of(m, r)[m.inputs] == 0 else at_place(m, r, 0, place, each)


@inlined
def output_at(m, r, place, each):
    """The output VC or switch output with that place."""
    full = lacking_of(m, r)[m.inputs + 1 + m.outputs] == 0
    return place if full else at_place(m, r, m.inputs + 1, place, each)
