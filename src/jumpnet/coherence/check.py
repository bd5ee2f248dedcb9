"""Model checker of a protocol's tables: every reachable state of a few caches and one line, messages in every order.

Found are: a cache that may read a stale value, a writer beside another copy, a reader that goes back to an older value,
a lost read or write, a message or a processor's wish for which a table has no row, messages that pile up, and a state
that never becomes quiescent although nobody requests more (stuck, or in a loop). Method: breadth-first search; states
that differ by an exchange of caches are one. Called by `cli`, tests and notebooks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from jumpnet.api.public import public
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.checkpoint import SearchCheckpoint
from jumpnet.coherence.search.codes import LEAST_BITS, MOST_BITS
from jumpnet.coherence.search.model import Model
from jumpnet.coherence.search.states import Quiet, States
from jumpnet.coherence.search.tables import MOST_CACHES
from jumpnet.errors import JumpnetError, unknown_name

__all__ = [
    "ACKNOWLEDGES", "MOST_CACHES", "ORDERS", "Checked", "SearchCheckpoint", "chance_of_a_miss", "check_protocol",
    "model_of",
]  # fmt: skip

ORDERS = ("any", "fifo")
"""`any`: messages overtake each other. `fifo`: each cache has four queues: its requests to the home, its answers to the
home, what the home sends it, and what other caches send it; a message overtakes none of its own queue."""
ACKNOWLEDGES = ("single", "combined")
"""One message each to the home, or joined in the network into one."""


@dataclass(frozen=True)
class Checked:
    """What the search found."""

    protocol: str
    caches: int
    order: str
    acknowledges: str
    states: int
    """Reachable states, those that differ by an exchange of caches counted once."""
    all_states: int
    """The same, each counted."""
    steps: int
    """Steps between them."""
    depth: int
    """Steps from the start to the farthest state."""
    fault: str
    """The first fault in words, or empty; the search ends there."""
    path: tuple[str, ...] = ()
    """Steps from the start to the fault."""
    table: dict[Quiet, int] = field(default_factory=dict, repr=False)
    """Number of states by what home and caches are in."""
    at_rest: frozenset[Quiet] = frozenset()
    """Entries of the table that occur in quiescent states."""
    unused: tuple[str, ...] = ()
    """Rows of the tables that no step used, as `state event`; meaningful without a fault."""
    compact: int = 0
    """Bits of the hash that stood for a state; 0: states were compared whole."""
    missed: float = 0.0
    """The probability that any state was missed (`chance_of_a_miss`)."""


def model_of(protocol: Protocol, caches: int, order: str, acknowledges: str, *, in_place: bool = False) -> Model:
    """The steps of a protocol's tables on a network; in_place: caches told apart.

    Raises JumpnetError for anything that is no protocol, number of caches, order or kind of acknowledges.
    """
    if not isinstance(protocol, Protocol):
        raise JumpnetError(f"{type(protocol).__name__} found, a Protocol expected")
    if type(caches) is not int:
        raise JumpnetError(f"{caches!r} caches found, a whole number expected")
    if not 1 <= caches <= MOST_CACHES:
        raise JumpnetError(f"{caches} caches found, 1 to {MOST_CACHES} expected")
    for kind, word, known in (("order", order, ORDERS), ("acknowledges", acknowledges, ACKNOWLEDGES)):
        if word not in known:
            raise unknown_name(kind, word, known)
    return Model(protocol, caches, order == "fifo", acknowledges == "combined", in_place)


def chance_of_a_miss(met: int, bits: int) -> float:
    """The probability that a search missed a state, where a hash of so many bits stands for each.

    met: how often a new state met another one in a slot of the table (open addressing) before it found a free one.
    Each time the two hashes are equal once in 2^bits times, whatever the slots are, as these are chosen by another
    hash; then the new state is taken for the old one, and missed. So no state is missed with (1 - 2^-bits)^met
    (stern1995compaction; wolper1993hashing counts all pairs of states instead, whatever the table). As there, the hash
    counts as random, and `met` is that of a search that missed none.

    >>> round(chance_of_a_miss(250_000_000, 40), 6)
    0.000227
    """
    return -math.expm1(met * math.log1p(-(2.0**-bits))) if bits else 0.0


@public
def check_protocol(
    protocol: Protocol,
    caches: int = 2,
    *,
    order: str = "any",
    acknowledges: str = "single",
    compact: int = 0,
    checkpoint: SearchCheckpoint | None = None,
) -> Checked:
    """Search all states of a protocol.

    caches: 1 to 11. order: one of ORDERS; acknowledges: one of ACKNOWLEDGES. compact: 8 to 62 bits of a hash that stand
    for a state in memory, which may miss some (`chance_of_a_miss`), 0 to compare states whole. checkpoint: a folder for
    the states, from which a search that was ended goes on. Raises JumpnetError for other words, for a row that is not
    one, and when neither memory nor the disk has room: states go to a temporary folder where memory ends, the table of
    slots stays. Cost: some microsecond of CPU time a state, and 36 bytes
    (44 from four caches on, 52 from eight), at most twice that; with `compact` 11 to 22 bytes in memory, and 12 (20,
    28) on the disk, a quarter more for a moment.

    >>> from jumpnet.coherence.protocol import protocol
    >>> found = check_protocol(protocol("msi"))
    >>> found.fault, found.unused
    ('', ())
    """
    model = model_of(protocol, caches, order, acknowledges)
    if type(compact) is not int or not (compact == 0 or LEAST_BITS <= compact <= MOST_BITS):
        raise JumpnetError(f"compact={compact!r} found, {LEAST_BITS} to {MOST_BITS} bits expected, or 0 for none")
    states = States(model, caches, bits=compact, kept=checkpoint)
    fault, at = states.run()
    table, at_rest, told_apart = states.table()
    home_rows = zip(protocol.home_rows.values(), states.filled.tables.used, strict=True)
    used = model.used | {row for row, was in home_rows if was}
    rows = [*protocol.cache_rows.values(), *protocol.home_rows.values()]
    return Checked(
        protocol.name, caches, order, acknowledges, states.count, told_apart, states.steps, states.levels, fault,
        states.path(at), dict(sorted(table.items())), at_rest,
        tuple(f"{row.state} {row.event}" for row in rows if row not in used and ("hit", "") not in row.actions),
        compact, chance_of_a_miss(int(states.found.met[0]), compact),
    )  # fmt: skip
