"""A protocol's tables run at endpoints with little room, message by message: whether messages stand still for good.

Nodes have caches and are homes of lines in turn. Each node has for each virtual network one queue to the network and
one from it: what stands first stops what is behind, wherever that is going. A message is handled when it is first in
its queue, its home not being busy if it is a request; it leaves its place when all that its handling sends has found
room, or at once, as the endpoints are. Processors act at random, then no more; what then stays is a deadlock.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

HOME_SENDS = {"reply", "forward", "multicast", "fetch", "tell"}


@dataclass
class Message:
    kind: str
    line: int
    source: int
    to: int


@dataclass
class Line:
    """What the home of a line knows."""

    state: str
    owner: int = -1
    asker: int = -1
    due: int = 0
    listed: set = field(default_factory=set)


class Machine:
    """Nodes, lines, queues. `keeps(kind)`: whether an endpoint always takes such a message and keeps what it sends."""

    def __init__(self, protocol, groups, keeps, nodes, lines, room, seed):
        self.protocol, self.keeps, self.nodes, self.room, self.draw = protocol, keeps, nodes, room, Random(seed)
        self.of = {kind: k for k, kinds in enumerate(groups) for kind in kinds}
        self.classes = len(groups)
        first_home, first_cache = next(iter(protocol.home_rows))[0], next(iter(protocol.cache_rows))[0]
        self.lines = [Line(first_home) for _ in range(lines)]
        self.caches = [[first_cache] * lines for _ in range(nodes)]
        places = [(node, k) for node in range(nodes) for k in range(self.classes)]
        self.out = {place: [] for place in places}
        self.into = {place: [] for place in places}
        self.unsent = {place: [] for place in places}  # what the first message still has to send
        self.kept = {place: [] for place in places}  # what waits at an endpoint that has room for it
        self.begun = set()
        self.told_apart = {event for _, event in protocol.home_rows if event[-1] in "+-*"}

    # The tables.

    def at_cache(self, node, line, event):
        row = self.protocol.cache_rows[self.caches[node][line], event]
        self.caches[node][line] = row.following
        home, sent = line % self.nodes, []
        for action, kind in row.actions:
            told = self.told(line, {node, self.lines[line].asker}) if action == "pass" else []
            sent += [Message(event, line, node, to) for to in told]
            if action == "send" or (action == "pass" and not told):
                sent.append(Message(kind, line, node, home))
        return sent

    def told(self, number, but):
        """One of those that the home lists, drawn, who is struck out."""
        listed = self.lines[number].listed
        others = sorted(listed - but)
        chosen = [self.draw.choice(others)] if others else []
        listed.difference_update(chosen)
        return chosen

    def at_home(self, message):
        line, sender, kind = self.lines[message.line], message.source, message.kind
        sent = []
        if kind.endswith("Ack"):
            line.due -= 1
            assert line.due >= 0, "an acknowledge that nobody waits for"
        else:
            others = [n for n in line.listed | {line.owner} if n not in (-1, sender)]
            if not others and (line.state, kind + "+") in self.protocol.home_rows:
                kind += "+"
            elif kind + "-" in self.told_apart and line.owner != sender:
                kind += "-"
            elif (
                (line.state, kind + "*") in self.protocol.home_rows
                and len(line.listed) >= self.protocol.pointers
                and sender not in line.listed
            ):
                kind += "*"
            sent += self.home_row(message.line, kind, sender)
        while line.due == 0 and (line.state, "last") in self.protocol.home_rows:
            sent += self.home_row(message.line, "last", -1)
        return sent

    def home_row(self, number, event, sender):
        line, sent = self.lines[number], []
        row = self.protocol.home_rows[line.state, event]
        home = number % self.nodes
        for action, kind in row.actions:
            if action == "ask":
                line.asker = sender
            elif action in HOME_SENDS:
                to = {
                    "multicast": sorted(line.listed - {line.asker}),
                    "fetch": [line.owner],
                    "tell": self.told(number, {line.asker}) if action == "tell" else [],
                }.get(action, [line.asker])
                line.due = len(to) if action in ("multicast", "tell") else line.due
                sent += [Message(kind, number, home, node) for node in to]
            elif action == "ack":
                sent.append(Message("PutAck", number, home, sender))
            elif action == "add":
                line.listed.add(line.asker)
            elif action == "own":
                line.owner = line.asker
            elif action == "keep":
                line.listed |= {line.owner} - {-1}
            elif action == "release":
                line.owner = -1
            elif action == "clear":
                line.listed.clear()
            elif action == "forget":
                line.listed.discard(sender)
        line.state = row.following
        if row.following not in self.protocol.busy:
            line.asker = -1
        return sent

    # What may happen next.

    def processor(self):
        """Some processor reads, writes or evicts, or some home switches, where there is room for what that sends."""
        node, number = self.draw.randrange(self.nodes), self.draw.randrange(len(self.lines))
        event = self.draw.choice(("read", "write", "evict", "switch"))
        if event == "switch":
            if (self.lines[number].state, event) in self.protocol.home_rows:
                self.home_row(number, event, -1)
            return
        row = self.protocol.cache_rows.get((self.caches[node][number], event))
        if row is None:
            return
        sends = [kind for action, kind in row.actions if action == "send"]
        if all(len(self.out[node, self.of[kind]]) < self.room for kind in sends):
            for message in self.at_cache(node, number, event):
                self.out[node, self.of[message.kind]].append(message)

    def network(self):
        """One thing that messages do by themselves, drawn among all; False when there is none."""
        places = [(way, place) for way in (self.cross, self.handle, self.leave) for place in self.out]
        self.draw.shuffle(places)
        return any(way(place) for way, place in places)

    def cross(self, place):
        """The first message of a queue to the network comes to the queue of the node that it is for."""
        queue = self.out[place]
        if not queue or len(self.into[queue[0].to, place[1]]) >= self.room:
            return False
        message = queue.pop(0)
        self.into[message.to, place[1]].append(message)
        return True

    def handle(self, place):
        """The first message of a queue from the network is handled."""
        if not self.into[place] or place in self.begun:
            return False
        message = self.into[place][0]
        requests = self.protocol.requests
        if message.kind in requests and self.lines[message.line].state in self.protocol.busy:
            return False
        to_home = any(message.kind == kind for row in self.protocol.cache_rows.values() for _, kind in row.actions)
        sent = self.at_home(message) if to_home else self.at_cache(place[0], message.line, message.kind)
        if self.keeps(message.kind):
            for one in sent:
                self.kept[place[0], self.of[one.kind]].append(one)
        else:
            self.unsent[place] = sent
        self.begun.add(place)
        return True

    def leave(self, place):
        """Something that is to be sent finds room, or a message that has been handled leaves its place."""
        node, _ = place
        if self.kept[place] and len(self.out[place]) < self.room:
            self.out[place].append(self.kept[place].pop(0))
            return True
        if place not in self.begun:
            return False
        for i, message in enumerate(self.unsent[place]):
            queue = self.out[node, self.of[message.kind]]
            if len(queue) < self.room:
                queue.append(self.unsent[place].pop(i))
                return True
        if self.unsent[place]:
            return False
        self.into[place].pop(0)
        self.begun.discard(place)
        return True


def stuck(protocol, groups, keeps, seed, *, nodes=3, lines=9, room=1, actions=300):
    """Messages that stay for good after so many things that processors do, in words; none when all end."""
    machine = Machine(protocol, groups, keeps, nodes, lines, room, seed)
    eager = machine.draw.random()
    for _ in range(actions):
        machine.processor()
        if machine.draw.random() > eager:
            machine.network()
    while machine.network():
        pass
    left = [*machine.out.values(), *machine.into.values(), *machine.kept.values(), *machine.unsent.values()]
    return [f"{message.kind} to node {message.to}" for queue in left for message in queue]
