"""Naive twin of the timed machine with messages of fixed latency: sets, dictionaries and a heap of tuples.

Here: events, messages, caches. Locks, barriers and flags are in `timing_sync.py`, the rest in `timing_machine.py`.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter, OrderedDict, defaultdict
from typing import Any, NamedTuple

KINDS = (
    "read request", "write request", "write back", "data", "tell", "acknowledge", "fetch", "owner's data", "done",
    "write back done", "page", "lock", "grant", "unlock", "barrier", "release",
)  # fmt: skip
REQUESTS = KINDS[:3]
SYNC = KINDS[11:]


class Message(NamedTuple):
    kind: str
    source: int
    to: int
    line: int
    register: tuple[int, int] = (0, 0)
    flits: int = 0
    flags: frozenset = frozenset()
    tree: Any = None
    place: int = -1
    rest: tuple = ()

    @property
    def order(self):
        return KINDS.index(self.kind), self.source, self.line, self.register


class Recent:
    """A buffer of each owner for the tags used last: all searched up to 64, else sets of 8."""

    def __init__(self, entries):
        self.ways = entries if entries <= 64 else 8
        self.sets = entries // max(1, self.ways)
        self.held = defaultdict(list)

    def has(self, owner, tag):
        held = self.held[owner, tag % self.sets]
        found = tag in held
        if found:
            held.remove(tag)
        held.insert(0, tag)
        del held[self.ways :]
        return found


class Base:
    """Events, messages, caches and what everybody needs. `streams[p]` is a list of (what, number)."""

    def __init__(
        self, streams, page_of, home_of, updated, objects, *, design, latency, number_of, page_number, trees=None,
        entries=None,
    ):  # fmt: skip
        self.streams, self.page_of, self.home_of, self.updated = streams, page_of, home_of, updated
        self.members, self.where, self.expected, self.held = objects
        self.design, self.costs, self.latency, self.trees, self.entries = design, design.costs, latency, trees, entries
        self.branches = design.branches == "routers"  # where multicasts branch
        self.cluster, self.number_of, self.page_number = design.clusters_of, number_of, page_number
        self.set_of = [number % design.sets for number in number_of]
        self.nodes = -(-len(streams) // self.cluster)
        self.events, self.number = [], itertools.count()
        self.position, self.stall, self.done = Counter(), Counter(), {}
        self.waits = {}  # processor: (why, what for, kind of stall, since)
        self.out = defaultdict(dict)  # requests of each processor: register number -> (line, write)
        self.copies, self.touched, self.owner = defaultdict(set), defaultdict(set), {}
        # Of lines: U untouched or given up, S clean, E clean with an owner, M dirty, O dirty beside others. And what a
        # read makes of one.
        self.state, self.becomes = defaultdict(lambda: "U"), {}
        self.dragon, self.lacks = design.protocol == "dragon", {}  # whether the writer of a line lacks it
        self.single = design.protocol == "single"  # who reads a line does what a writer of it does
        self.since, self.lost = {}, set()  # (entry, node): when it was listed; entries with too few pointers
        self.pending = set()  # (node, line)
        self.caches = defaultdict(OrderedDict)  # (processor, set) -> line -> dirty, the most recent last
        self.queue, self.serving, self.free_at = defaultdict(list), {}, Counter()
        self.waiting, self.current, self.left, self.latest = defaultdict(list), {}, {}, {}
        self.tally = {}
        self.first_home, self.believed = list(home_of), {}  # by (page, node): where it had its last answer from
        self.asked, self.wanted, self.moving = (
            defaultdict(Counter),
            {},
            set(),
        )  # by page: requests of nodes, where to go
        self.bus, self.ready = Counter(), {}  # when a node's bus is free; when a processor's line has come by it
        one, two = design.translation or (0, 0)
        self.stage_1, self.stage_2, self.pruning = Recent(one), Recent(two), Recent(design.pruning)
        self.sent, self.histogram, self.counts = Counter(), Counter(), Counter()

    def at(self, time, order, what, *rest):
        """order: 0 a processor goes on, 1 a node is through with a message, 2 a message arrives."""
        key = what.order if isinstance(what, Message) else what
        heapq.heappush(self.events, (time, order, key, next(self.number), what, *rest))

    def home(self, line):
        return self.home_of[self.page_of[line]]

    def update(self, line):
        return self.page_of[line] in self.updated

    def listed(self, line):
        if self.design.directory == "line":
            return self.copies[line]
        page = self.page_of[line]
        if self.design.page_entry == "never_cleared":
            return self.touched[page]
        return set().union(*(self.copies[k] for k, other in enumerate(self.page_of) if other == page))

    def told(self, line, node):
        """Whom a write of a node is told to, the home's pruning cache asked."""
        pruned = bool(self.design.pruning) and self.pruning.has(self.home(line), self.number_of[line])
        self.counts["pruned"] += pruned
        return (self.copies[line] if pruned else self.listed(line)) - {node}

    def over_bus(self, node, carries, time):
        """When the bus of a node has carried a request or a line that is asked of it now."""
        cycles = {"request": self.costs.bus_request_cycles, "line": self.costs.bus_line_cycles}[carries]
        if cycles:
            time = self.bus[node] = max(time, self.bus[node]) + cycles
        return time

    def mates(self, node):
        return range(node * self.cluster, min((node + 1) * self.cluster, len(self.streams)))

    def flits(self, what):
        return self.costs.flits(
            {"short": 0, "word": self.costs.flit_bytes, "line": self.design.line_bytes, "page": self.design.page_bytes}[
                what
            ]
        )

    def send(self, time, kind, source, to, line, register=(0, 0), flits="short", **more):
        message = Message(kind, source, to, line, register, self.flits(flits), **more)
        self.sent[kind] += 1
        self.sent["flits"] += message.flits
        self.at(time + self.latency + message.flits, 2, message, True)

    def pass_on(self, message, to, time):
        """A message of a processor goes from its own node to the home."""
        self.sent[message.kind] += 1
        self.sent["flits"] += message.flits
        self.at(time + self.latency + message.flits, 2, message._replace(to=to), True)

    def by_bus(self, time, kind, node, line, register=(0, 0), flits="short", **more):
        """A message of a processor, to its own node first, over the bus."""
        carries = "line" if flits == "line" else "request"
        self.local(self.over_bus(node, carries, time), kind, node, line, register, flits, **more)

    def local(self, time, kind, node, line, register=(0, 0), flits="short", **more):
        """A message that is at its node already."""
        self.at(time, 2, Message(kind, node, node, line, register, self.flits(flits), **more), False)

    def block(self, p, why, what, stall, time):
        self.waits[p] = why, what, stall, time

    def resume(self, p, time):
        _, _, stall, since = self.waits.pop(p)
        self.stall[stall] += time - since
        self.at(time, 0, p)

    # Caches

    def cache(self, p, line):
        return self.caches[p, self.set_of[line]]

    def in_node(self, node, line):
        if self.design.caches is None:
            return node in self.copies[line]
        return any(line in self.cache(q, line) for q in self.mates(node))

    def find(self, p, line, time):
        node = p // self.cluster
        if self.design.caches is None:
            return node in self.copies[line]
        if line in self.cache(p, line):
            self.cache(p, line).move_to_end(line)
            return True
        if not self.in_node(node, line):
            return False
        self.counts["bus_transfers"] += 1
        self.counts["cache_misses"] += 1
        self.ready[p] = self.over_bus(node, "line", time)
        self.take_in(p, line, time)
        return True

    def take_in(self, p, line, time):
        cache, node = self.cache(p, line), p // self.cluster
        cache[line] = False
        if len(cache) <= self.design.ways:
            return
        old, dirty = cache.popitem(last=False)
        if (node, old) in self.pending:
            return
        last = not self.in_node(node, old)
        if self.single and dirty and not last:
            mate = next(q for q in self.mates(node) if old in self.cache(q, old))
            self.cache(mate, old)[old] = True
            return
        told = (
            self.design.hints
            or self.design.protocol == "chained"
            or (self.state[old] == "E" and self.owner.get(old) == node)
        )
        told = told or (self.dragon and self.owner.get(old) != node)
        if dirty or (told and last):
            self.counts["write_backs" if dirty else "hints"] += 1
            self.pending.add((node, old))
            flags = frozenset(name for name, on in (("dirty", dirty), ("last", last)) if on)
            self.by_bus(time, "write back", node, old, (p, 0), "line" if dirty else "short", flags=flags)

    def keep(self, p, line, owns, time):
        if self.design.caches is None:
            return
        if line in self.cache(p, line):
            self.cache(p, line).move_to_end(line)
        else:
            self.take_in(p, line, time)
        if owns:
            for q in self.mates(p // self.cluster):
                if q != p and not self.dragon:
                    self.cache(q, line).pop(line, None)
            self.tidy(p // self.cluster, line)
            self.cache(p, line)[line] = True

    def tidy(self, node, line):
        for q in self.mates(node):
            if line in self.cache(q, line):
                self.cache(q, line)[line] = False

    def yield_line(self, node, line):
        """The owner of a line under Dragon is told that another writes; whether its copy is what the writer lacks."""
        if self.owner.get(line) != node:
            return False
        self.tidy(node, line)
        del self.owner[line]
        return self.lacks[line]

    def share(self, node, line):
        """The owner's copy goes to a reader."""
        if self.design.protocol in ("moesi", "dragon") and self.state[line] != "E":
            self.state[line] = "O"
            return
        self.state[line] = "S"
        self.owner.pop(line, None)
        self.tidy(node, line)

    def drop(self, node, line):
        self.copies[line].discard(node)
        for q in self.mates(node):
            self.cache(q, line).pop(line, None)
        if self.owner.get(line) == node:
            del self.owner[line]
            return True
        return False

    def make_room(self, line, request, node, time):
        """Whether the oldest of those that the entry can name is told to give its copy up for one more."""
        home = self.home(line)
        named = self.copies[line] - {home}
        if (
            self.entries is None
            or not self.entries.evicts
            or node in (home, *named)
            or len(named) < self.entries.pointers
        ):
            return False
        victim = min(named, key=lambda other: self.since[line, other])
        self.left[line], self.latest[line] = 1, 0
        self.counts["evictions"] += 1
        self.send(time, "tell", home, victim, line, request.register, flags=frozenset({"goes"}))
        return True

    def reply(self, line, time):
        request = self.current[line]
        node, home = request.register[0] // self.cluster, self.home(line)
        if node == home:
            self.complete(line, time)
            del self.current[line]
        else:
            has = "has" in request.flags and node in self.copies[line]
            self.send(time, "data", home, node, line, request.register, "short" if has else "line")

    def spread(self, tree, place, kind, line, register, flits, time, here=None):
        """here: when the processor of the same router has the packet to make it anew, by default at the same time."""
        for child, parent in enumerate(tree.parent):
            if parent == place and tree.router[child] == tree.router[place]:
                at = time if here is None else here
                self.local(at, kind, tree.router[place], line, register, flits, tree=tree, place=child)
            elif parent == place:
                to = tree.router[child]
                self.send(time, kind, tree.router[place], to, line, register, flits, tree=tree, place=child)

    def made_anew(self, message, time):
        """(when a processor has made a packet anew that came to it for that, whether it is one that takes it)."""
        tree, place = message.tree, message.place
        if self.trees is None or self.branches or place <= 0 or tree.router[tree.parent[place]] != tree.router[place]:
            return time, True
        time += self.costs.remake_cycles
        word = message.kind == "tell" and self.update(message.line)
        self.spread(tree, place, message.kind, message.line, message.register, "word" if word else "short", time)
        return time, tree.receives[place]

    def migrate(self, line, time):
        """The page of a line goes to whom it is to have, unless something is under way for one of its lines."""
        page = self.page_of[line]
        lines = [k for k, other in enumerate(self.page_of) if other == page]
        if page not in self.wanted or page in self.moving or any(k in self.current or self.waiting[k] for k in lines):
            return
        home, to = self.home_of[page], self.wanted.pop(page)
        self.asked[page].clear()
        self.home_of[page] = self.believed[page, home] = to
        self.moving.add(page)
        self.counts["moves"] += 1
        self.send(time, "page", home, to, lines[0], flits="page")

    def page_comes(self, page, time):
        """What waited for its lines comes to the node once more."""
        self.moving.discard(page)
        for line, other in enumerate(self.page_of):
            while other == page and self.waiting[line]:
                message = self.waiting[line].pop(0)
                again = message._replace(to=self.home_of[page], flags=message.flags - {"walked"})
                self.at(time, 2, again, False)

    def counted(self, line, node):
        """The home turns to a request of a node for a line."""
        page, threshold = self.page_of[line], self.design.migrates
        self.asked[page][node] += 1
        if threshold and self.asked[page][node] - self.asked[page][self.home_of[page]] >= threshold:
            self.wanted[page] = node

    def said(self, message, node, data, time):
        """A node acknowledges a message that branched in the routers, which combine that; a line goes on its own."""
        line, register, home = message.line, message.register, self.home(message.line)
        self.sent["acknowledge"] += 1
        if data:
            self.left[line] += 1
            self.send(time, "acknowledge", node, home, line, register, "line", flags=frozenset({"data"}))
        left, latest = self.tally[register]
        left, latest = self.tally[register] = left - 1, max(time, latest)
        if left == 0:
            time = latest + self.latency + self.flits("short")
            self.local(time, "acknowledge", home, line, register)
