"""What a routing algorithm is: one pure integer function, plus what it needs to know before it runs.

`Routing` describes an algorithm; `Routing.bind(network)` makes the `BoundRouting` that all other parts share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from jumpnet.api.public import named, public
from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.own.hooks import call_hook, number_of, reason_or_none
from jumpnet.own.trial import shown
from jumpnet.own.whose import is_own, made_outside
from jumpnet.routings._checked import Call, agree, check, check_pair
from jumpnet.routings._compiled import compiled, no_start, readable
from jumpnet.routings._declared import hold_phases, say_believed
from jumpnet.routings._guarded import guard_outlook, guard_relation, guard_start
from jumpnet.routings._prepared import blocks, pairs_of, prepared_for
from jumpnet.routings._shortest import Shortest
from jumpnet.routings.reads import fields_read
from jumpnet.routings.view import View, compile_relation, compile_start, make_view
from jumpnet.settings.settings import Settings, settings_from
from jumpnet.terms import I16, I64
from jumpnet.topology import stray

__all__ = ["BoundRouting", "Prepared", "Routing"]

OPTIONAL = ("prepare", "start", "cover", "outlook", "escape_class", "least_cycle", "closing", "among", "shortest")
"""Fields of a routing that are functions or None."""
OF_NETWORK = tuple(one.name for one in fields(Network))
"""What a network holds; `spec` is the first."""
MOST_VCS = 64
"""Virtual channels that may be asked for where the routing needs fewer; the simulator takes no more."""
MOST_FOLLOWED = 4096
"""Routers up to which all pairs are followed, whatever a routing of a user's own says of itself: half a minute."""
MOST_TRIPLES = 1 << 27
"""Likewise triples of source, destination and draw, in proofs."""


@public
class Prepared(NamedTuple):
    """What `prepare` computes once for a network: the relation finds it as `net.own` and `net.table`."""

    own: I64 = np.zeros(0, np.int64)
    table: I16 = np.zeros((0, 0), np.int16)


@named
@dataclass(frozen=True, eq=False)
class Routing:
    """A routing algorithm. All functions are pure; `relation` and `start` are integer Python that also compiles."""

    name: str
    """Registered name, `family.algorithm`, e.g. `torus.dateline`."""
    relation: Callable[..., int]
    """`relation(net: View, here, head, out) -> count`: writes candidate rows (PORT, VC, NEXT_STATE, KIND) in order of
    preference. 0 means arrived, negative means no route. Must depend only on its arguments."""
    vcs: int | Callable[[Network, Mapping[str, Any]], int] = 1
    """Virtual channels it needs, and its default: a number, or `vcs(net, options)` where the network decides."""
    fits: Callable[[Network], str | None] = lambda net: None
    """Why it does not fit a network (what it needs), or None."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Named options: the allowed values of each as a tuple, the default first; or a default of whose type it is."""
    prepare: Callable[[Network, Mapping[str, Any]], Prepared] | None = None
    """`prepare(net, options)`: integers and tables of the relation. Options include `vcs`."""
    start: Callable[..., None] | None = None
    """`start(net: View, head, draw, queue)`: sets head[STATE] and head[INTERMEDIATE] at the source. `draw` is uniform
    in 0..draws-1; `queue[p]` is the number of credits of output port p that are used up (UGAL), all zero in path
    analysis. A hook that reads `queue` runs when the first router sees the packet's head, others when it enters."""
    sees: Callable[[Network], int] = lambda net: 1
    """Routers whose queues `start` is told: a block of so many numbers on end, as the group of a dragonfly is, with
    queue[(r mod sees) * P + p] for router r. One is the source alone. Those of several are as the cycle began."""
    revises: bool = False
    """Whether `start` runs again at each router that a packet comes to (head[IN_PORT] >= 0), with its number for `draw`
    and its queues. There it may only take candidates away, by head[STATE]: proofs and figures go by the relation."""
    draws: Callable[[Network, Mapping[str, Any]], int] = lambda net, options: 1
    """How many equally likely draws `start` tells apart; exact figures average over all of them."""
    symmetric: Callable[[Network], bool] = lambda net: False
    """Whether routes commute with the automorphisms behind `net.orbits`, so that one source per orbit is enough."""
    cover: Callable[[Network, View], Sequence[Callable[[], tuple[I64, I64, I64]]]] | None = None
    """`cover(net, view)`: makers of chunks of representative (sources, destinations, weights), where pairs are alike
    in a way that the network's orbits do not say. None: all pairs, or one source per orbit when symmetric."""
    two_phases: bool | Literal["some"] = False
    """Whether `start` does nothing but set INTERMEDIATE to the draw, any router, and the relation looks at INTERMEDIATE
    and not at DESTINATION while STATE is 0 and that router is not reached, and from there on, with STATE 1, at
    DESTINATION and not at INTERMEDIATE. Proofs then follow the two phases apart. "some": likewise, but `start` chooses
    the router (ROMM) or sets STATE to 1 at once (UGAL), or packets end where they meet their destination on the way
    to that router, and proofs of large networks try whether all ways are free."""
    orders: int = 1
    """Orders of which a packet in two phases goes by one: STATE is the phase and twice the order. Of ours only."""
    minimal: bool = False
    """Whether all ways in "some" of two phases are shortest: proofs then know how short cycles can be. Of ours only."""
    outlook: Callable[..., int] | None = None
    """`outlook(net: View, here, head, out) -> integer`, for routings that read nothing but STATE and whose STATE moves
    with the automorphisms behind `net.orbits`. It writes out[d] = [least, greatest] coordinate d: packets with equal
    outlook in routers of one orbit within these bounds ask for the same ports and virtual channels, now and after their
    next hop. Proofs then follow the packets of one source per orbit only."""
    escape_class: Callable[..., int] | None = None
    """`escape_class(net: View, here, head, out) -> integer`, for routings that read nothing but STATE, move with
    automorphisms and may choose: packets of one class that have the same candidates at the router that names an orbit
    have the same ones at each of the orbit, but for the virtual channel of one escape, which depends on the class and
    the router alone. Below 0: it does not move so. Of the package's own routings only."""
    least_cycle: Callable[[Network, int], int] | None = None
    """`least_cycle(net, vcs)`, of a routing that can deadlock: no cycle of dependencies has fewer channels on a network
    with so many virtual channels, be they fewer than it needs. The argument stands in its text (two always: a channel
    leads to another router). Proofs of large networks then follow packets to some destinations only, until they have a
    cycle of that length; of no other length one is shown so."""
    closing: Callable[[Network], I64 | None] | None = None
    """Packets (K, 4) that close such a cycle: source, destination, draw, queue that is busy or -1; followed first."""
    among: Callable[[Network, Mapping[str, Any]], str | None] | None = None
    """`among(net, options)`: a routing of whose ways all of this one's are beginnings, on the same channels, as its
    text argues. Proofs of large networks go by its dependencies, and are held against all of this one's on small."""
    shortest: Callable[[Network, Mapping[str, Any]], Shortest | None] | None = None
    """`shortest(net, options)`: the graph whose shortest ways packets go: no table for large proofs. Of ours only."""
    adaptive: bool = False
    """Whether it may give more than one candidate port."""
    bubble: bool = False
    """Whether it is made for bubble flow control: a candidate that enters a ring of channels is marked ENTERS, and is
    taken only where the buffer has room for one more packet besides; one that goes on in its ring is not marked."""
    one_vc_at_ends: bool = False
    """Whether a packet (that does not branch) enters on a virtual channel that is drawn anew in each cycle in which it
    may, and leaves only on the one that the relation writes in out[0, VC] as it returns 0; else on any, in turn."""
    others_home: bool = False
    """Whether packets home go round on channels that no others take; proofs then follow them too. Of ours only."""
    escapes_last: bool = False
    """Whether what is NORMAL and ESCAPE is given after the others, by `memory.shape.PREFERRING`. Of ours only."""
    default_for: tuple[str, ...] = ()
    """Families with this routing when none is named; `default_routing` finds them in the text, in double quotes."""
    source: str = ""
    """Where the idea comes from: bibliography key and section."""
    summary: str = ""
    """One line for `jumpnet list`."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """What each option means, in one line for `jumpnet list`."""

    def __post_init__(self) -> None:
        self.__dict__["_outside"] = made_outside()
        who = f"routing {self.name}"
        for name in ("relation", "fits", "sees", "draws", "symmetric", *OPTIONAL):
            given, none = getattr(self, name), " or None" if name in OPTIONAL else ""
            if not callable(given) and not (none and given is None):
                raise JumpnetError(f"{who}: {name} {shown(given)} found, a function{none} expected")
        for name in ("revises", "adaptive", "bubble", "one_vc_at_ends"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise JumpnetError(f"{who}: {name} {shown(getattr(self, name))} found, True or False expected")
        phases = self.two_phases
        if not isinstance(phases, bool | str) or (isinstance(phases, str) and phases != "some"):
            raise JumpnetError(f"{who}: two_phases {shown(phases)} found, True, False or 'some' expected")
        if type(self.orders) is not int or self.orders < 1:
            raise JumpnetError(f"{who}: orders {shown(self.orders)} found, a whole number from 1 on expected")
        named = self.default_for
        if not isinstance(named, tuple | list) or not all(isinstance(name, str) for name in named):
            raise JumpnetError(f"{who}: default_for {shown(named)} found, a tuple of families expected")
        if not callable(self.vcs) and (isinstance(self.vcs, bool) or not isinstance(self.vcs, int | np.integer)):
            raise JumpnetError(f"{who}: vcs {shown(self.vcs)} found, a whole number or a function expected")
        for name in ("options", "meanings"):
            if not isinstance(getattr(self, name), Mapping):
                raise JumpnetError(f"{who}: {name} {shown(getattr(self, name))} found, a table by name expected")

    def changed(self, **fields: Any) -> Routing:
        """The routing with other fields, a user's own where this one is."""
        made = replace(self, **fields)
        made.__dict__["_outside"] = self.own
        return made

    @cached_property
    def own(self) -> bool:
        """Whether a function of it comes from outside the package, or ours were put together there."""
        functions = (self.relation, self.start, self.outlook, self.prepare, self.draws, self.sees, self.cover)
        return bool(self.__dict__["_outside"]) or any(map(is_own, functions))

    @cached_property
    def settings(self) -> Settings:
        """The options, as they are read, spelled and listed."""
        return settings_from(self.name, self.options, self.meanings)

    def bind(self, net: Network, vcs: int | None = None, /, **options: Any) -> BoundRouting:
        """This algorithm on a network with `vcs` virtual channels a port.

        Raises JumpnetError when it does not fit, or for unknown options and values.
        """
        if (reason := self.misfit(net)) is not None:
            raise JumpnetError(f"routing {self.name} does not fit {net.spec}: {reason}")
        chosen = self.settings.complete(options)
        if vcs is not None and (isinstance(vcs, bool) or not isinstance(vcs, int | np.integer)):
            raise JumpnetError(f"{vcs!r} virtual channels found, a whole number expected")
        vcs = None if vcs is None else int(vcs)  # one of NumPy's of 8 bits would stay one in products
        if vcs is not None and vcs < 1:
            raise JumpnetError(f"{shown(vcs)} virtual channels found, at least 1 expected")
        if vcs is not None and vcs > MOST_VCS and vcs > self.needs(net, chosen):
            raise JumpnetError(f"{shown(vcs)} virtual channels found, at most {MOST_VCS} expected")
        return BoundRouting(self, net, self.needs(net, chosen) if vcs is None else vcs, chosen)

    def misfit(self, net: Network) -> str | None:
        """Why it does not fit a network, or None; one of ours for a family fits what that family builds."""
        who, lies = f"routing {self.name}", stray(net) if "." in self.name and not is_own(self.relation) else None
        return lies or reason_or_none(who, "fits", call_hook(who, "fits", self.fits, net, own=self.own))

    def needs(self, net: Network, options: Mapping[str, Any]) -> int:
        """Virtual channels this algorithm needs on a network, given all its options."""
        who, vcs = f"routing {self.name}", self.vcs
        return number_of(who, "vcs", call_hook(who, "vcs", vcs, net, options, own=self.own) if callable(vcs) else vcs)


@dataclass(frozen=True, eq=False)
class BoundRouting:
    """A routing algorithm on a network: what kernels need to call it."""

    routing: Routing
    network: Network
    vcs: int
    options: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        # What it has made lies at addresses of this process.
        return BoundRouting, (self.routing, self.network, self.vcs, dict(self.options))

    def __post_init__(self) -> None:
        object.__setattr__(self, "_as_bound", self._of)
        object.__setattr__(self, "_as_chosen", dict(self.options))

    @property
    def _of(self) -> tuple[Any, ...]:
        held = vars(self.network)
        return self.routing, self.network, self.vcs, self.options, *(held.get(name) for name in OF_NETWORK)

    def confirm(self) -> None:
        """Raise JumpnetError where a field of this or of its network was written into since this was bound, by
        `object.__setattr__`, or an option in its mapping."""
        of, chosen = self.__dict__["_as_bound"], self.__dict__["_as_chosen"]
        if any(one is not now for one, now in zip(of, self._of, strict=True)) or chosen != self.options:
            raise JumpnetError(f"routing {of[0].name} on {of[4]}: changed since it was bound; bind it anew")

    @cached_property
    def _made(self) -> tuple[View, list[Any]]:
        net, who = self.network, f"routing {self.name}"
        prepared = Prepared() if self.routing.prepare is None else Prepared(*prepared_for(self))
        sees = call_hook(who, "sees", self.routing.sees, net, own=self.own)
        if self.own:
            sees = blocks(who, sees, net.routers)
        return make_view(
            net.neighbor,
            net.far_port,
            net.link_class,
            net.coord,
            net.params,
            prepared.own,
            prepared.table,
            self.vcs,
            sees,
        )

    @property
    def name(self) -> str:
        """Spec of the routing with the options that differ from their defaults."""
        return self.routing.settings.spell(self.options)

    @property
    def own(self) -> bool:
        """Whether it is not the package's own: it is then checked, and runs under guard."""
        return self.routing.own

    def pairs(self) -> Sequence[Callable[[], tuple[I64, I64, I64]]]:
        """What `Routing.cover` gives for this network, its numbers in range."""
        assert self.routing.cover is not None
        net, who = self.network, f"routing {self.name}"
        chunks = call_hook(who, "cover", self.routing.cover, net, self.view, own=self.own)
        if not self.own:
            return list(chunks)
        if not isinstance(chunks, Sequence) or not all(map(callable, chunks)):
            raise JumpnetError(f"{who}: cover gives {shown(chunks)}, a list of functions expected")
        return [partial(pairs_of, who, net.routers, chunk) for chunk in chunks]

    @property
    def symmetric(self) -> bool:
        """Whether routes commute with the automorphisms behind the orbits of this network; of a user's own,
        which may be wrong, on large networks only: on small ones all sources are followed."""
        who = f"routing {self.name}"
        found = call_hook(who, "symmetric", self.routing.symmetric, self.network, own=self.own)
        if self.own and not isinstance(found, bool | np.bool_):
            raise JumpnetError(f"{who}: symmetric gives {shown(found)}, True or False expected")
        if found and self.own:
            if self.network.routers <= MOST_FOLLOWED:
                return False
            say_believed(self, "symmetric", "one source of each orbit is followed")
        return bool(found)

    @property
    def covers(self) -> bool:
        """Whether the pairs of `Routing.cover` are enough; on small networks a user's own are held against all."""
        if self.own and self.network.routers <= MOST_FOLLOWED:
            return False
        if self.own:
            say_believed(self, "cover", "the pairs that it names are followed")
        return True

    def two_phases(self, triples: int) -> bool | Literal["some"]:
        """`Routing.two_phases`, for proofs over so many triples of source, destination and draw; a user's own is held
        against some packets where there are many, and False where there are few enough to follow them all, or
        `orders` are named, which are of ours only."""
        said = self.routing.two_phases
        if not said or not self.own:
            return said
        if triples <= MOST_TRIPLES or self.routing.orders != 1:
            return False
        hold_phases(self)
        say_believed(self, "two_phases", "the phases are followed apart")
        return said

    def explain(self, source: int, destination: int) -> None:
        """Raise JumpnetError for what keeps packets of a pair from arriving, where it is known."""
        check_pair(self, source, destination)

    @cached_property
    def needed(self) -> int:
        """Virtual channels the algorithm needs here; with fewer (`vcs`) it runs as its own negative control."""
        return self.routing.needs(self.network, self.options)

    @property
    def view(self) -> View:
        """The arrays the relation reads; valid as long as this object lives.

        Raises JumpnetError as `confirm` does: kernels would read beyond arrays made before.
        """
        self.confirm()
        return self._made[0]

    @cached_property
    def fields(self) -> frozenset[int]:
        """Header fields that the relation may read, by what it names when this is first used, as `pointer`."""
        return fields_read(self.routing.relation, 2)

    @cached_property
    def pointer(self) -> Any:
        """The relation for kernels: `call(bound.pointer, bound.view, here, head, out)`.

        Raises JumpnetError, in one line with the place in the user's file, when it does not compile, and, of a
        routing that is not the package's own, for any fault that the checked pass finds (`_checked`).
        """
        relation, name, _ = self.routing.relation, self.routing.name, self.fields
        if not self.own:
            return compiled(compile_relation, relation, name)
        calls = self._checked(partial(compiled, guard_relation, relation, name))
        made = compiled(guard_relation, relation, name)
        agree(self, made, calls)
        return made

    def _checked(self, compile_it: Callable[[], Any]) -> list[Call]:
        """Some calls of the checked pass; where Python meets a wrong type, the compiler has the first word."""
        for function in (self.routing.relation, self.routing.start, self.routing.outlook):
            if function is not None:
                readable(function, self.routing.name)
        try:
            return check(self)
        except JumpnetError as refused:
            if "TypeError" in str(refused):
                compile_it()
            raise

    @cached_property
    def outlook_pointer(self) -> Any:
        """The outlook for kernels, called as the relation is; None when the routing has none."""
        outlook = self.routing.outlook
        compile_it = guard_outlook if self.own else compile_relation
        return None if outlook is None else compiled(compile_it, outlook, self.routing.name)

    @cached_property
    def escape_class_pointer(self) -> Any:
        """`escape_class` of a routing of the package for kernels, called as the relation is; None when it has none."""
        hook = self.routing.escape_class
        return None if hook is None or self.own else compiled(compile_relation, hook, self.routing.name)

    @cached_property
    def start_pointer(self) -> Any:
        """The start hook for kernels (a hook that does nothing when the routing has none)."""
        start = self.routing.start
        if start is None or not self.own:
            return compiled(compile_start, start or no_start, self.routing.name)
        self._checked(partial(compiled, guard_start, start, self.routing.name))
        return compiled(guard_start, start, self.routing.name)

    @cached_property
    def draws(self) -> int:
        """Number of equally likely draws of the start hook."""
        if self.routing.start is None:
            return 1
        who, options = f"routing {self.name}", {**self.options, "vcs": self.vcs}
        return number_of(who, "draws", call_hook(who, "draws", self.routing.draws, self.network, options, own=self.own))
