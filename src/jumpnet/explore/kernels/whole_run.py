"""A call of the fast engine in one entry, for the page: its module has as few entries as can be.

Natively three entries do it (`sim.engine.cycle.run`), so that what makes sets and writes them back is compiled once for
all kinds of runs. Used by `names`.
"""

from jumpnet.jit.linked import entry
from jumpnet.sim.engine.cycle import epoch_of_sets, go
from jumpnet.sim.memory.record import memory_at
from jumpnet.sim.sets.conversion import pack, unpack
from jumpnet.sim.sets.pipeline import advance_sets

__all__ = ["run_sets"]


@entry
def run_sets(address, first, last, room_packets, room_events):
    """Cycles of a run where routers are kept as sets meanwhile."""
    m = memory_at(address)
    pack(m, first)
    t = go(m, first, last, room_packets, room_events, epoch_of_sets, advance_sets)
    unpack(m, t)
    return t
