"""Naive twin of the timed machine with messages of fixed latency: sets, dictionaries and a heap of tuples."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict


class Numbers:
    """Numbers of messages on their way: the one given back last is used first."""

    def __init__(self):
        self.free, self.most = [], 0

    def take(self):
        if self.free:
            return self.free.pop()
        self.most += 1
        return self.most - 1


class Machine:
    """`streams[p]` is a list of (what, number); `page_of` and `home_of` are lists; `members` by barrier number."""

    def __init__(self, streams, page_of, home_of, members, *, update, by_page, cluster, costs, latency, line_flits):
        self.streams, self.page_of, self.home_of, self.members = streams, page_of, home_of, members
        self.update, self.by_page, self.cluster, self.latency = update, by_page, cluster, latency
        self.costs, self.line_flits = costs, line_flits
        self.events, self.numbers = [], Numbers()
        self.done, self.stall, self.since = {}, Counter(), {}
        self.copies, self.touched, self.owner = defaultdict(set), defaultdict(set), {}
        self.waiting, self.current = defaultdict(list), {}
        self.queue, self.serving, self.free_at = defaultdict(list), {}, Counter()
        self.holder, self.lock_of, self.lock_queue, self.here = {}, {}, defaultdict(list), defaultdict(list)
        self.position, self.sent, self.histogram, self.left = Counter(), Counter(), Counter(), {}

    def run(self):
        for p in range(len(self.streams)):
            self.at(0, 0, p)
        while self.events and len(self.done) < len(self.streams):
            time, order, which, *rest = heapq.heappop(self.events)
            (self.go_on, self.through, self.arrives)[order](which, time, *rest)
        return self

    def at(self, time, order, which, *rest):
        heapq.heappush(self.events, (time, order, which, *rest))

    def home(self, line):
        return self.home_of[self.page_of[line]]

    def listed(self, line):
        return self.touched[self.page_of[line]] if self.by_page else self.copies[line]

    # Processors

    def go_on(self, p, time):
        if self.position[p] == len(self.streams[p]):
            self.done[p] = time
            return
        what, number = self.streams[p][self.position[p]]
        self.position[p] += 1
        self.stall["busy"] += 1
        time += 1
        if what in ("lock", "unlock", "barrier", "condition"):
            self.synchronise(p, what, number, time)
        elif self.hit(p // self.cluster, what, number):
            self.at(time, 0, p)
        else:
            self.since[p] = time
            node = p // self.cluster
            self.at(time, 2, self.numbers.take(), ("ask " + what, node, node, number, p))

    def hit(self, node, what, line):
        if what == "read":
            return node in self.copies[line]
        if self.update:
            return node == self.home(line) and node in self.copies[line] and not self.listed(line) - {node}
        return self.owner.get(line) == node

    def give_up(self, p, lock, time):
        if self.holder.get(lock) != p:
            return
        self.lock_of.pop(p, None)
        del self.holder[lock]
        if self.lock_queue[lock]:
            following = self.lock_queue[lock].pop(0)
            self.holder[lock], self.lock_of[following] = following, lock
            self.wake(following, time)

    def wake(self, p, time):
        time += self.costs.sync_cycles
        self.stall["sync"] += time - self.since[p]
        self.at(time, 0, p)

    def synchronise(self, p, what, number, time):
        self.since[p] = time
        if what == "unlock":
            self.give_up(p, number, time)
            self.at(time, 0, p)
        elif what == "lock" and number not in self.holder:
            self.holder[number], self.lock_of[p] = p, number
            self.at(time, 0, p)
        elif what == "lock":
            self.lock_queue[number].append(p)
        else:
            self.here[number].append(p)
            if what == "condition" and p in self.lock_of:
                self.give_up(p, self.lock_of[p], time)
            if len(self.here[number]) == self.members[number]:
                for q in self.here.pop(number):
                    self.wake(q, time)

    # Messages and memory-based processors

    def send(self, kind, source, to, line, p, time):
        data = kind in ("owner's data", "acknowledge with data") or (kind == "data" and to not in self.copies[line])
        word = self.update and kind in ("tell", "ask write")
        flits = self.line_flits if data else self.costs.flits(self.costs.flit_bytes if word else 0)
        self.sent[kind] += 1
        number = self.numbers.take()
        self.at(time + self.latency + flits, 2, number, (kind, source, to, line, p))

    def arrives(self, number, time, message):
        node = message[2]
        if node in self.serving:
            self.queue[node].append((number, message))
        else:
            self.serving[node] = number, message
            self.at(max(time, self.free_at[node]) + self.costs.occupancy_cycles, 1, node)

    def through(self, node, time):
        number, message = self.serving.pop(node)
        free = self.handle(node, number, message, time)
        self.free_at[node] = free
        if self.queue[node]:
            self.serving[node] = self.queue[node].pop(0)
            self.at(free + self.costs.occupancy_cycles, 1, node)

    def handle(self, node, number, message, time):
        kind, _, _, line, p = message
        home = self.home(line)
        if kind.startswith("ask"):
            if node != home:
                self.numbers.free.append(number)
                self.send(kind, node, home, line, p, time)
                return time
            self.waiting[line].append((number, kind, p))
        elif kind == "data":
            asked = self.current[line]
            self.complete(line, asked, time)
            self.numbers.free.append(asked[0])
            self.send("done", node, home, line, p, time)
        elif kind == "tell":
            data = False
            if not self.update:
                data = self.owner.get(line) == node
                if data:
                    del self.owner[line]
                self.copies[line].discard(node)
            self.send("acknowledge with data" if data else "acknowledge", node, home, line, p, time)
        elif kind.startswith("acknowledge"):
            self.left[line] -= 1
            if self.left[line] == 0:
                self.reply(line, time)
        elif kind == "fetch":
            self.owner.pop(line, None)
            self.send("owner's data", node, home, line, p, time)
        elif kind == "owner's data":
            self.reply(line, time)
        else:
            del self.current[line]
        if not kind.startswith("ask"):
            self.numbers.free.append(number)
        if node == home:
            while line not in self.current and self.waiting[line]:
                self.current[line] = self.waiting[line].pop(0)
                time = self.begin(line, time)
        return time

    def begin(self, line, time):
        _, kind, p = self.current[line]
        node, home, owner = p // self.cluster, self.home(line), self.owner.get(line)
        if kind == "ask read":
            if owner is not None and owner not in (home, node):
                self.send("fetch", home, owner, line, p, time)
                return time
            if owner == home != node:
                del self.owner[line]
            self.reply(line, time)
            return time
        tell = []
        if self.update or owner != node:
            destinations = self.listed(line) - {node}
            if destinations:
                self.histogram[len(destinations)] += 1
            tell = sorted(destinations - {home})
            for i, to in enumerate(tell):
                self.send("tell", home, to, line, p, time + i * self.costs.spacing_cycles)
            if destinations and home != node and not self.update:
                self.copies[line].discard(home)
                if owner == home:
                    del self.owner[line]
        self.left[line] = len(tell)
        if not tell:
            self.reply(line, time)
            return time
        return time + (len(tell) - 1) * self.costs.spacing_cycles

    def reply(self, line, time):
        asked = self.current[line]
        p = asked[2]
        node, home = p // self.cluster, self.home(line)
        if node == home:
            self.complete(line, asked, time)
            self.numbers.free.append(asked[0])
            del self.current[line]
        else:
            self.send("data", home, node, line, p, time)

    def complete(self, line, asked, time):
        _, kind, p = asked
        node = p // self.cluster
        self.copies[line].add(node)
        self.touched[self.page_of[line]].add(node)
        if kind == "ask write" and not self.update:
            self.owner[line] = node
        self.stall[kind[4:]] += time - self.since[p]
        self.at(time, 0, p)
