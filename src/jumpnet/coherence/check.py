"""Model checker of a protocol's tables: every reachable state of a few caches and one line, messages in every order.

Found are: a cache that may read a stale value, a writer beside another copy, a reader that goes back to an older value,
a lost read or write, a message or a processor's wish for which a table has no row, messages that pile up, and a state
that never comes to rest although nobody asks for more (stuck, or going round). Method: breadth-first search; states
that differ by an exchange of caches are one, so that four caches take a second. Called by `cli`, tests and notebooks.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from math import factorial, prod

from jumpnet.coherence._model import Model, State, WrongStepError
from jumpnet.coherence.protocol import Protocol
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.memory import require

__all__ = ["ACKNOWLEDGES", "MOST_CACHES", "ORDERS", "Checked", "check_protocol"]

ORDERS = ("any", "fifo")
"""`any`: messages overtake each other. `fifo`: those between two nodes stay in order, requests and answers apart."""
ACKNOWLEDGES = ("single", "combined")
"""One message each to the home, or joined in the network into one."""
MOST_CACHES = 6
STATE_BYTES = 700
Quiet = tuple[str, tuple[str, ...]]
"""State of the home, states of the caches in alphabetical order."""


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
    """The same, counted apart."""
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
    """Entries of the table that occur with nothing under way."""
    unused: tuple[str, ...] = ()
    """Rows of the tables that no step used, as `state event`; meaningful without a fault."""


class _Search:
    """States by number in the order of finding, and how each was reached."""

    def __init__(self, model: Model):
        self.model = model
        self.states: list[State] = [model.start]
        self.number: dict[State, int] = {model.start: 0}
        self.parent, self.depth = array("i", [-1]), array("i", [0])
        self.labels: list[str] = [""]
        self.steps = 0
        self.delivered_from, self.delivered_to = array("i"), array("i")

    def run(self) -> tuple[str, int]:
        """(first fault or "", state it was found in)."""
        at = 0
        while at < len(self.states):
            if at % 10_000 == 0:
                require(len(self.states) * STATE_BYTES, f"the check of {len(self.model.start) - 1} caches")
            state = self.states[at]
            fault = self.model.fault(state)
            if fault:
                return fault, at
            try:
                for step in self.model.steps(state):
                    self._enter(at, step.after, step.label, step.delivers)
            except WrongStepError as wrong:
                return str(wrong), at
            at += 1
        return self._restless()

    def _enter(self, before: int, after: State, label: str, delivers: bool) -> None:
        self.steps += 1
        to = self.number.get(after)
        if to is None:
            to = self.number[after] = len(self.states)
            self.states.append(after)
            self.parent.append(before)
            self.depth.append(self.depth[before] + 1)
            self.labels.append(label)
        if delivers:
            self.delivered_from.append(before)
            self.delivered_to.append(to)

    def _restless(self) -> tuple[str, int]:
        """The first state from which arrivals alone never lead to rest."""
        calm = bytearray(self.model.at_rest(state) for state in self.states)
        more = True
        while more:
            more = False
            for before, to in zip(reversed(self.delivered_from), reversed(self.delivered_to), strict=True):
                if calm[to] and not calm[before]:
                    calm[before] = more = True
        at = calm.find(0)
        return ("stuck: arrivals alone never bring it to rest", at) if at >= 0 else ("", 0)

    def path(self, at: int) -> tuple[str, ...]:
        """Steps from the start to a state."""
        found = []
        while at > 0:
            home, names = self.names(self.states[at])
            found.append(f"{self.labels[at]}: home {home}, caches {' '.join(names)}")
            at = self.parent[at]
        return tuple(reversed(found))

    def names(self, state: State) -> Quiet:
        """States of home and caches by name."""
        model = self.model
        return model.homes[state[0]].state, tuple(sorted(model.records[n].state for n in state[1:]))


def check_protocol(protocol: Protocol, caches: int = 2, *, order: str = "any", acknowledges: str = "single") -> Checked:
    """Search all states of a protocol.

    caches: 1 to 6. order: one of ORDERS; acknowledges: one of ACKNOWLEDGES. Raises JumpnetError for other words, for a
    row that is not one, and when the states found do not fit in memory. Cost: some 10 microseconds a step.

    >>> from jumpnet.coherence.protocol import protocol
    >>> found = check_protocol(protocol("msi"))
    >>> found.fault, found.unused
    ('', ())
    """
    if not 1 <= caches <= MOST_CACHES:
        raise JumpnetError(f"{caches} caches found, 1 to {MOST_CACHES} expected")
    for kind, word, known in (("order", order, ORDERS), ("acknowledges", acknowledges, ACKNOWLEDGES)):
        if word not in known:
            raise unknown_name(kind, word, known)
    model = Model(protocol, caches, order == "fifo", acknowledges == "combined")
    search = _Search(model)
    fault, at = search.run()
    table: Counter[Quiet] = Counter()
    at_rest = set()
    for state in search.states:
        names = search.names(state)
        table[names] += 1
        if model.at_rest(state):
            at_rest.add(names)
    rows = [*protocol.cache_rows.values(), *protocol.home_rows.values()]
    return Checked(
        protocol.name, caches, order, acknowledges, len(search.states), _apart(search.states), search.steps,
        max(search.depth), fault, search.path(at), dict(sorted(table.items())), frozenset(at_rest),
        tuple(f"{row.state} {row.event}" for row in rows if row not in model.used and ("hit", "") not in row.actions),
    )  # fmt: skip


def _apart(states: list[State]) -> int:
    """Number of states when caches are told apart: each stands for the different orders of its records."""
    each = Counter(tuple(sorted(Counter(state[1:]).values())) for state in states)
    return sum(count * factorial(sum(same)) // prod(map(factorial, same)) for same, count in each.items())
