"""Which ports a router has: allocators that begin at random, or by diagonals, count those that are there.

Routers have rows for as many ports as the largest needs, so the switches at the ends of a tree lack some. Were these
counted, a lane behind them would be the first one more often than others. A `side` is INPUTS or OUTPUTS; a number there
is that of a lane, an output VC, or an input or output of the switch, of which each port has `each`. The twin is
`reference.router.Router`.
"""

from jumpnet.jit.linked import inlined
from jumpnet.sim.memory.rows import lacking_of

__all__ = ["INPUTS", "OUTPUTS", "asking_index", "asking_number", "at_index", "index_of", "there"]

INPUTS, OUTPUTS = 0, 1


@inlined
def ports(m, side):
    """Ports of a side, with those that a router lacks; the numbers of `OUTPUTS` come after these and one more."""
    return m.inputs if side == INPUTS else m.outputs


@inlined
def lacking(m, r, side, port):
    """How many ports router r lacks before a port, or in all where the port is `ports`."""
    return lacking_of(m, r)[side * (m.inputs + 1) + port]


@inlined
def there(m, r, side, each):
    """How many numbers of a side router r has."""
    return (ports(m, side) - lacking(m, r, side, ports(m, side))) * each


@inlined
def index_of(m, r, side, x, each):
    """How many of the numbers that are there come before number x."""
    return x if lacking(m, r, side, ports(m, side)) == 0 else x - lacking(m, r, side, x // each) * each


@inlined
def asking_number(m, b):
    """The number of lane b among those that ask for output VCs: by port and virtual channel, or the other way."""
    if m.asks_by_channel == 0:
        return b
    port = m.port_of[b]
    return (b - port * m.vcs) * m.inputs + port


@inlined
def asking_index(m, r, b):
    """The same among the lanes that are there."""
    if m.asks_by_channel == 0:
        return index_of(m, r, INPUTS, b, m.vcs)
    port = m.port_of[b]
    return (b - port * m.vcs) * there(m, r, INPUTS, 1) + index_of(m, r, INPUTS, port, 1)


@inlined
def at_index(m, r, side, index, each):
    """The number with that index: the inverse of `index_of`."""
    if lacking(m, r, side, ports(m, side)) == 0:
        return index
    port = index // each
    while port - lacking(m, r, side, port + 1) < index // each:
        port += 1
    return port * each + index % each
