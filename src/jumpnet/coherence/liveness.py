"""Whether every request of a cache ends, whatever the others do: no fair loop of steps in which one waits forever.

A cache waits while its state is none in which it may rest (`Protocol.stable`). A run is fair when each kind of message
between a node and the home, in each direction, arrives again and again if it may arrive again and again; a
request may arrive while the home is not busy. Processors and the home's own choices need never act. In this sense, and
for the given number of caches, the search is complete: all states with caches distinguished, and all their steps.
Called by `cli`, tests and notebooks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import starmap

import numpy as np

from jumpnet.api.public import public
from jumpnet.coherence.check import model_of
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.loops import Steps, fair, loop_from
from jumpnet.coherence.search.states import States
from jumpnet.terms import Array

__all__ = ["STANDS_STILL", "Liveness", "check_liveness"]

STANDS_STILL = "no message is left that may arrive"


@dataclass(frozen=True)
class Liveness:
    """What the search for endless waits found."""

    protocol: str
    caches: int
    order: str
    acknowledges: str
    states: int
    """Reachable states, caches distinguished."""
    steps: int
    """Steps between them."""
    fault: str
    """A fault of safety in words, which ended the search before loops were looked for, or empty."""
    waits: str
    """The state in which cache 1 is on its way into the loop, or empty: every request ends."""
    path: tuple[str, ...] = ()
    """Steps from the start to the fault, or to the loop."""
    loop: tuple[str, ...] = ()
    """Steps of a fair loop all along which cache 1 waits, or one line that says that it waits without any."""

    @property
    def ends(self) -> bool:
        """Every request ends: neither a fault nor a loop was found."""
        return not self.fault and not self.waits


@public
def check_liveness(
    protocol: Protocol, caches: int = 2, *, order: str = "any", acknowledges: str = "single"
) -> Liveness:
    """Search for a way in which a request never ends.

    caches: 1 to 11, distinguished, so that the states are up to caches! times those of `check_protocol`: four are
    within reach. Cost: some 40 bytes and a microsecond of CPU time a step. Raises JumpnetError as `check_protocol`
    does, and where the steps do not fit in memory.

    >>> from jumpnet.coherence.protocol import protocol
    >>> check_liveness(protocol("msi")).ends
    True
    """
    states = States(model_of(protocol, caches, order, acknowledges, in_place=True), caches)
    fault, number = states.reach()
    about = (protocol.name, caches, order, acknowledges, states.count, states.steps)
    if fault:
        return Liveness(*about, fault, "", states.path(number))
    steps = Steps(*states.edges())
    component = fair(steps, _waits(states))
    if (component < 0).all():
        return Liveness(*about, "", "")
    root = int(np.argmax(component >= 0))
    loop = loop_from(steps, component == component[root], root)
    numbers = [root, *(int(steps.target[step]) for step in loop)]
    kinds = (int(steps.arrived[step]) for step in loop)
    told = tuple(starmap(states.step_said, zip(numbers[:-1], numbers[1:], kinds, strict=True)))
    waits = states.model.records[states.state(root)[1]].state
    return Liveness(*about, "", waits, states.path(root), told or (STANDS_STILL,))


def _waits(states: States) -> Array:
    """(N,) bool: the first cache waits."""
    model = states.model
    unstable = np.array([record.state not in model.protocol.stable for record in model.records])
    return unstable[(states.found.states[: states.count, 0] >> np.uint64(16)) & np.uint64(0xFFFF)]
