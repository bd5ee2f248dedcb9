"""What the timed machine is made of, and what its parts take: the choices of a run, checked. Read by `machine`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from jumpnet.api.public import public
from jumpnet.coherence.functional.parts import Parts
from jumpnet.coherence.functional.settings import check_names
from jumpnet.coherence.networks.kinds import ENDPOINTS, Kinds
from jumpnet.coherence.networks.least import Groups
from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import Rules, rules_of
from jumpnet.coherence.store import BUFFERS, empty_buffer, pair_of
from jumpnet.coherence.without_effect import refuse_unused
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.machine.timed.networks import KINDS, WORDS, assigned, message_kinds
from jumpnet.terms import I64

__all__ = [
    "ACKNOWLEDGES",
    "BRANCHES",
    "KINDS",
    "SYNCHRONISATION",
    "Costs",
    "Design",
    "cost_names",
    "costs_of",
    "without_time",
]

ACKNOWLEDGES = ("single", "counted", "combined")
BRANCHES = ("packets", "routers")
SYNCHRONISATION = ("free", "message", "line")
MOST_OUTSTANDING = 64
MOST_MEMORY_PROCESSORS = 8


MOST_NUMBER = 10**9 - 1
"""Of cycles, flits and others that have no bound of their own: a run has room for times up to 2^38."""
MOST_PAGE = 1 << 24
"""Bytes, as of the functional machine."""
MAY_BE_0 = ("spacing_cycles", "remake_cycles", "bus_request_cycles", "bus_line_cycles")


@public
@dataclass(frozen=True)
class Costs:
    """What things take. Packets as the router chip's: 3 flits of header, flits of 4 bytes (kudoh1995rhbd sec. 6)."""

    occupancy_cycles: int = 10
    """Cycles of a memory-based processor for each message of a kind that `handlers` does not name."""
    spacing_cycles: int = 2
    """Cycles between messages that it sends one after another."""
    sync_cycles: int = 20
    """Where locks and barriers take no messages: from the release of a lock, or the last arrival at a barrier, to the
    start of those that waited."""
    barrier_line_cycles: int = 1
    """Cycles of the barrier line from one cluster to the next; it is through all of them when those who wait go on."""
    header_flits: int = 3
    address_flits: int = 1
    flit_bytes: int = 4
    forward_cycles: int = 1
    """Cycles of a router from the end of a multicast's copy, or the last acknowledge, to what it sends on."""
    remake_cycles: int = 0
    """Cycles more than for any other message of a memory-based processor that makes a multicast's packet anew, where
    the scheme is REMAKE (kudoh1995rhbd section 6)."""
    handlers: Mapping[str, int] = field(default_factory=dict)
    """Cycles of a memory-based processor for messages of single kinds (`KINDS`)."""
    stage_1_cycles: int = 20
    """Cycles that a processor waits where its translation lacks a page."""
    stage_2_cycles: int = 20
    """Cycles more that a request takes at its home where the home's translation lacks the page."""
    bus_request_cycles: int = 0
    """Cycles of a cluster's bus for what carries no line: a request of one of its processors, copies taken away or
    written through, a write that needs no line. 0: the bus takes no time."""
    bus_line_cycles: int = 0
    """The same for a line, from cache to cache, or between cache and memory."""
    typed: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Names, as in `cost_names`, that `costs_of` found; they count as given where they say what holds anyway."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value, least = getattr(self, each.name), 0 if each.name in MAY_BE_0 else 1
            if each.name not in ("handlers", "typed") and not least <= value <= MOST_NUMBER:
                raise JumpnetError(f"{each.name} {value} found, {least} to {MOST_NUMBER} expected")
        for kind, cycles in self.handlers.items():
            if kind not in KINDS:
                raise unknown_name("kind of message", kind, KINDS)
            if not 1 <= cycles <= MOST_NUMBER:
                raise JumpnetError(f"{cycles} cycles for {kind} found, 1 to {MOST_NUMBER} expected")
        for name in self.typed:
            if name not in cost_names():
                raise unknown_name("cost", name, cost_names())

    @property
    def handler_cycles(self) -> I64:
        """(kinds,) cycles of a memory-based processor for a message of each kind.

        >>> Costs(handlers={"data": 3}).handler_cycles[:5].tolist()
        [10, 10, 10, 3, 10]
        """
        return np.array([self.handlers.get(kind, self.occupancy_cycles) for kind in KINDS], np.int64)

    def given(self) -> list[str]:
        """Names, as in `cost_names`, of those that were said: typed, or not what they are when nothing is said.

        A keyword of Python that says what holds anyway cannot be told from none.

        >>> Costs(bus_line_cycles=8, handlers={"owner's data": 12}).given()
        ['bus-line', 'owners-data']
        >>> Costs(stage_1_cycles=20).given(), costs_of(["stage-1=20"]).given()
        ([], ['stage-1'])
        """
        times = {_word(each.name): each for each in fields(self) if "_cycles" in each.name}
        said = [n for n, each in times.items() if n in self.typed or getattr(self, each.name) != each.default]
        return said + [WORDS[KINDS.index(kind)] for kind in self.handlers]

    def flits(self, data_bytes: int) -> int:
        """Flits of a message with so much data.

        >>> Costs().flits(0), Costs().flits(32)
        (4, 12)
        """
        return self.header_flits + self.address_flits + -(-data_bytes // self.flit_bytes)


def cost_names() -> tuple[str, ...]:
    """What `costs_of` knows: times of the machine, and kinds of messages as single words.

    >>> cost_names()[:2], cost_names()[-1]
    (('occupancy', 'spacing'), 'release')
    """
    return (*(_word(each.name) for each in fields(Costs) if "_cycles" in each.name), *WORDS)


def _word(name: str) -> str:
    """The name of a time as a single word."""
    return name.removesuffix("_cycles").replace("_", "-")


def costs_of(words: Iterable[str]) -> Costs:
    """Costs from words NAME=CYCLES; the rest as it is when nothing is said.

    Raises JumpnetError for what is none, and what is given twice.

    >>> costs_of(["bus-line=8", "owners-data=12"]).handlers
    {"owner's data": 12}
    """
    kinds, times, handlers = dict(zip(WORDS, KINDS, strict=True)), {}, {}
    found: set[str] = set()
    for word in words:
        name, _, value = word.partition("=")
        if not re.fullmatch(r"[0-9]{1,9}", value):
            raise JumpnetError(f"cost {word!r} found, NAME=CYCLES such as bus-line=8 expected")
        if name not in cost_names():
            raise unknown_name("cost", name, cost_names())
        if name in found:
            raise JumpnetError(f"cost {word!r} found, one value of each cost expected")
        found.add(name)
        if name in kinds:
            handlers[kinds[name]] = int(value)
        else:
            times[name.replace("-", "_") + "_cycles"] = int(value)
    return Costs(**times, handlers=handlers, typed=frozenset(found))


def without_time(rules: Rules) -> str:
    """Why the timed machine cannot run a protocol: what its rows ask and this machine does not do; empty if it can.

    >>> from jumpnet.coherence.protocol import protocol
    >>> without_time(rules_of(protocol("dragon"), in_time=True))
    ''
    """
    if rules.unfollowed:
        return rules.unfollowed
    rows = rules.rows.reshape(-1, rule.ROWS // rule.PARTS, rule.PARTS // rule.ALONE, rule.ALONE)
    reads, writes = rows[..., rule.READ], rows[..., rule.WRITE]
    takes = writes[:, rule.NONE, 0] & rule.TAKES != 0
    told = (writes & rule.TELLS != 0) & ((writes & rule.TAKES != 0) != takes[:, None, None])
    stays = (rows == 0) | (takes[rows & rule.CLASS_BITS] == takes[:, None, None, None])
    if told.any() or not stays.all():
        return "some writes take copies away and others update them"
    if ((reads & rule.TELLS != 0) & (reads & rule.TAKES == 0)).any():
        return "others are told of what is read, and keep their copies"
    return ""


@public
@dataclass(frozen=True)
class Design(Parts):
    """A machine. Raises JumpnetError for unknown names and sizes that do not fit.

    >>> Design(caches=(1024, 2)).sets
    16
    """

    outstanding: int = 1
    """Requests that a processor may have out. With 1 it waits for each. With more, writes are buffered: it goes on, and
    waits for a read, for a free register, for the line of an earlier request unless both are to own it, and for all at
    a lock, unlock, barrier or flag (a trace does not say what depends on a read, so that every read is waited for)."""
    acknowledges: str = "single"
    """Each to the home's processor; `counted` by the home's router, which passes on the last; or `combined` in the tree
    of a multicast. The same for the arrivals of nodes at a barrier."""
    branches: str = "packets"
    """Where multicasts branch: a tree of packets from cluster to cluster, or one packet that `routers` copy, as in the
    RDT router chip (nishi1997router sec. 4.2); the routers then combine acknowledges too. The arrivals of nodes at a
    barrier, which no multicast goes before, go up a tree of packets in both."""
    synchronisation: str = "message"
    """Whether locks and barriers take messages or are free of them; or they take messages, but for barriers of all
    processors, for which there is a `line` through all clusters in cascade (nishi1997router sec. 4.4)."""
    memory_processors: int = 1
    """Of a node; lines, locks and barriers belong to them in turn, by number. JUMP-1 has two, each with a main memory
    of its own (kudoh1995rhbd sec. 2)."""
    migrates: int = 0
    """A page moves to the node whose processors have asked its home for it so many times more than the home's own,
    since it came there; 0: pages stay. Nobody is told: what goes to an old home is sent on from there, and an answer
    tells who asked where the page lies."""
    networks: str = ""
    """Virtual networks, each with virtual channels of its own: none, a number, `least`, or kinds of messages by network
    (`networks.assigned`)."""
    endpoints: str = "held"
    """What a node's messages wait for, by which `networks` numbers them (`coherence.networks.kinds.ENDPOINTS`)."""
    endpoint_room: int = 0
    """Messages of each virtual network that a node has room for: so many that have come, and so many that wait to enter
    the network; 0: any number. See `kernels.finite_buffers`."""
    relayed: bool = False
    """Messages to many nodes go down trees of packets: a node with room for few waits to send them on. A run says it
    itself."""
    costs: Costs = field(default_factory=Costs)

    def __post_init__(self) -> None:
        rules = self.rules
        self.check_names()
        check_names(
            ("acknowledges", self.acknowledges, ACKNOWLEDGES), ("branches", self.branches, BRANCHES),
            ("synchronisation", self.synchronisation, SYNCHRONISATION), ("endpoints", self.endpoints, ENDPOINTS),
        )  # fmt: skip
        if why := without_time(rules):
            raise JumpnetError(f"protocol {self.protocol} found, the machine with time has none in which {why}")
        if len(self.groups) > 1 and self.branches != BRANCHES[0]:
            raise JumpnetError("virtual networks found with multicasts that routers branch, one network expected")
        if not 1 <= self.outstanding <= MOST_OUTSTANDING:
            raise JumpnetError(f"{self.outstanding} outstanding requests found, 1 to {MOST_OUTSTANDING} expected")
        if not 1 <= self.memory_processors <= MOST_MEMORY_PROCESSORS:
            few = f"1 to {MOST_MEMORY_PROCESSORS} expected"
            raise JumpnetError(f"{self.memory_processors} memory-based processors of a node found, {few}")
        room = f"room for {self.endpoint_room} messages"
        for what, value in ((room, self.endpoint_room), (f"migrates {self.migrates}", self.migrates)):
            if not 0 <= value <= MOST_NUMBER:
                raise JumpnetError(f"{what} found, 0 to {MOST_NUMBER} expected")
        if not 1 <= self.line_bytes <= self.page_bytes <= MOST_PAGE:
            found = f"lines of {self.line_bytes} and pages of {self.page_bytes} bytes found"
            raise JumpnetError(f"{found}, 1 to {MOST_PAGE} and no line larger than a page expected")
        self.check_parts()
        other, counts = self.endpoints != ENDPOINTS[0], self.endpoint_room or not self._as_held()
        needed = f"room for few messages or a number of networks whose kinds differ from those of {ENDPOINTS[0]}"
        refuse_unused((other, f"endpoints {self.endpoints}", counts, needed))
        self._check_caches()

    def _check_caches(self) -> None:
        sizes = (*pair_of("translation", self.translation), self.pruning)
        for entries, what in zip(sizes, BUFFERS, strict=True):
            empty_buffer(0, entries, what)  # of nobody: it checks the size
        size, ways = pair_of("caches", self.caches)
        if self.caches is None:
            return
        lines = size // self.line_bytes
        if ways < 1 or size % self.line_bytes or lines < ways or lines % ways or self.sets & (self.sets - 1):
            raise JumpnetError(f"caches of {size} bytes in {ways} ways found, a power of two of sets expected")

    @property
    def rules(self) -> Rules:
        """The rows of the protocol."""
        return rules_of(self.tables, in_time=True)

    @property
    def kinds(self) -> Kinds:
        """The kinds of messages, and what each may wait for."""
        free = self.synchronisation == SYNCHRONISATION[0]
        moves = self.migrates > 0
        return message_kinds(self.tables, by_message=not free, moves=moves, hints=self.hints, parts=self.parts)

    @property
    def parts(self) -> frozenset[str]:
        """What of it changes what messages wait for (`coherence.networks.parts`): what is sent on only where nodes have
        room for few.

        >>> sorted(Design(acknowledges="counted", migrates=2, endpoint_room=1, endpoints="queued").parts)
        ['counted', 'moves']
        """
        waits = {"trees": self.relayed, "moves": self.migrates > 0}
        found = frozenset(part for part, is_there in waits.items() if is_there and self.endpoint_room > 0)
        return found | ({"counted"} if self.acknowledges != ACKNOWLEDGES[0] else set())  # the counters are always there

    @property
    def groups(self) -> Groups:
        """The kinds of messages of each virtual network.

        >>> len(Design(networks="least").groups), len(Design(networks="least", endpoints="queued").groups)
        (5, 2)
        """
        return assigned(self.tables, self.kinds, self.endpoints, self.networks)

    def _as_held(self) -> bool:
        """Whether the kinds share networks as they do where endpoints are `held`."""
        try:
            return self.groups == assigned(self.tables, self.kinds, ENDPOINTS[0], self.networks)
        except JumpnetError:  # of a number that is not there then
            return False

    @property
    def network_of(self) -> I64:
        """(kinds,) the virtual network of each kind of message."""
        of = {name: k for k, names in enumerate(self.groups) for name in names}
        return np.array([of.get(kind, 0) for kind in WORDS], np.int64)

    @property
    def lengths(self) -> I64:
        """Flits of messages without data, with a line, and with a page where pages move.

        >>> Design(migrates=2).lengths.tolist()
        [4, 12, 1028]
        """
        carried = (0, self.line_bytes, *([self.page_bytes] if self.migrates else ()))
        return np.array([self.costs.flits(data) for data in carried], np.int64)

    @property
    def ways(self) -> int:
        """Ways of a cache, 0 without limit."""
        return self.caches[1] if self.caches else 0

    @property
    def sets(self) -> int:
        """Sets of a cache, 1 without limit."""
        return self.caches[0] // self.line_bytes // self.caches[1] if self.caches else 1
