"""What a broadcast algorithm is: a way to make a schedule on the networks it fits. One file holds one algorithm.

Used by every `broadcast_` file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.multicast.schedule import MODELS, Schedule
from jumpnet.networks import Network
from jumpnet.own.hooks import call_hook
from jumpnet.own.trial import shown
from jumpnet.own.whose import is_own, made_outside
from jumpnet.topology import stray

__all__ = ["Broadcast"]


@dataclass(frozen=True, eq=False)
class Broadcast:
    """A broadcast algorithm. Call it: `algorithm(net, source, model)`."""

    name: str
    """Registered name, e.g. `binomial`."""
    make: Callable[[Network, int, str], Schedule]
    """`make(net, source, model)`."""
    families: tuple[str, ...] = ()
    """Families it fits; () = all."""
    source: str = ""
    """Where it comes from."""
    summary: str = ""
    """One line for a list."""

    def __post_init__(self) -> None:
        self.__dict__["_outside"] = made_outside()
        named = self.families
        if not isinstance(named, tuple | list) or not all(isinstance(name, str) for name in named):
            raise JumpnetError(f"broadcast {self.name}: families {shown(named)} found, a tuple of families expected")

    def __call__(self, net: Network, source: int, model: str = "one-port") -> Schedule:
        """The schedule from a source. Raises JumpnetError for a network that does not fit or a router out of range."""
        if self.families and net.family not in self.families:
            raise JumpnetError(f"broadcast {self.name}: {net.spec} found, family {' or '.join(self.families)} expected")
        if self.families and (lies := stray(net)):
            raise JumpnetError(f"broadcast {self.name}: {net.spec} is no {net.family}: {lies}")
        if model not in MODELS:
            raise unknown_name("port model", model, MODELS)
        if not 0 <= source < net.routers:
            raise JumpnetError(f"router {source} found, 0 to {net.routers - 1} expected in {net.spec}")
        own = bool(self.__dict__["_outside"]) or is_own(self.make)
        schedule = call_hook(f"broadcast {self.name}", "make", self.make, net, source, model, own=own)
        if not isinstance(schedule, Schedule):
            raise JumpnetError(f"broadcast {self.name}: {shown(schedule)} found, a Schedule expected")
        return schedule
