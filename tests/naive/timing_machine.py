"""The naive timed machine itself: processors, routers and memory-based processors on `timing` and `timing_sync`."""

from __future__ import annotations

import heapq
from collections import Counter

from tests.naive.timing import REQUESTS, SYNC, Base
from tests.naive.timing_sync import Sync


class Machine(Sync, Base):
    def run(self):
        self.start_sync()
        for p in range(len(self.streams)):
            self.at(0, 0, p)
        while self.events:
            time, order, _, _, what, *rest = heapq.heappop(self.events)
            (self.go_on, self.through, self.arrives)[order](what, time, *rest)
        return self

    # Processors

    def go_on(self, p, time):
        ends = self.position[p] == len(self.streams[p])
        what, number = (None, None) if ends else self.streams[p][self.position[p]]
        if what in ("read", "write"):
            self.access(p, number, what == "write", time)
        elif self.out[p]:
            self.block(p, "any", None, "write", time)
        elif ends:
            self.done[p] = time
        else:
            self.position[p] += 1
            self.stall["busy"] += 1
            if self.synchronise(p, what, number, time + 1):
                self.at(time + 1, 0, p)

    def access(self, p, line, write, time):
        node, kind = p // self.cluster, "write" if write else "read"
        page = self.page_number[self.page_of[line]]
        if self.stage_1.sets and not self.stage_1.has(p, page):
            self.counts["stage_1_misses"] += 1
            self.stall[kind] += self.costs.stage_1_cycles
            self.at(time + self.costs.stage_1_cycles, 0, p)
            return
        self.ready[p] = time
        held = self.hit(p, line, write, time)
        self.stall[kind] += self.ready[p] - time
        time = self.ready[p]
        if not held:
            mine = write and not self.update(line) and (line, True) in self.out[p].values()
            if (node, line) in self.pending and not mine:
                self.block(p, "line", line, kind, time)
                return
            if (node, line) not in self.pending:
                if len(self.out[p]) == self.design.outstanding:
                    self.block(p, "any", None, "write", time)
                    return
                k = min(set(range(self.design.outstanding)) - set(self.out[p]))
                self.out[p][k] = line, write
                has = self.in_node(node, line)
                if not has:
                    self.counts["misses"] += 1
                    self.counts["cache_misses"] += 1
                self.pending.add((node, line))
                flits = "word" if write and self.update(line) else "short"
                self.by_bus(
                    time + 1, kind + " request", node, line, (p, k), flits, flags=frozenset({"has"} if has else ())
                )
                if not write or self.design.outstanding == 1:
                    self.block(p, "request", k, kind, time + 1)
        self.position[p] += 1
        self.stall["busy"] += 1
        if p not in self.waits:
            self.at(time + 1, 0, p)

    def hit(self, p, line, write, time):
        node = p // self.cluster
        held = self.find(p, line, time)
        if not write:
            return held
        if self.update(line) and not self.dragon:
            here = node == self.home(line) and self.page_of[line] not in self.moving
            return held and here and line not in self.current and not self.listed(line) - {node}
        if self.owner.get(line) != node or (node, line) in self.pending or self.state[line] == "O":
            return False
        self.state[line] = "M"
        self.keep(p, line, True, time)
        return True

    def settle(self, node, line, time):
        self.pending.discard((node, line))
        for q in self.mates(node):
            if q in self.waits and self.waits[q][:2] == ("line", line):
                self.resume(q, time)

    def complete(self, line, time):
        request = self.current[line]
        p, k = request.register
        node = p // self.cluster
        owns = (request.kind == "write request" or self.single) and (self.dragon or not self.update(line))
        has = "has" in request.flags and node in self.copies[line]
        time = self.over_bus(node, "request" if has else "line", time)
        entry = self.page_of[line] if self.design.directory == "page" else line
        if node not in self.listed(line):
            self.since[entry, node] = next(self.number)
        self.copies[line].add(node)
        self.touched[self.page_of[line]].add(node)
        if self.entries is not None and self.entries.pointers:
            if owns and not self.dragon and self.design.directory == "line":
                self.lost.discard(entry)
            if len(self.listed(line) - {self.home(line)}) > self.entries.pointers:
                self.lost.add(entry)
        if owns:
            self.owner[line], self.state[line] = node, self.becomes.pop(line, "M")
        elif self.becomes.pop(line, "") == "E":
            self.owner[line], self.state[line] = node, "E"
        elif line not in self.owner:
            self.state[line] = "S"
        self.counts["transactions"] += 1
        del self.out[p][k]
        if p in self.waits and (self.waits[p][0] == "any" or self.waits[p][:2] == ("request", k)):
            self.resume(p, time)
        self.settle(node, line, time)
        self.keep(p, line, owns, time)
        return time

    # Routers

    def arrives(self, message, time, carried):
        if carried:
            self.sent["carried"] += 1
        kind, line, counts = message.kind, message.line, self.design.acknowledges != "single"
        if self.branches and self.design.acknowledges == "combined" and kind == "acknowledge":
            counts = False  # only lines come so
        if not carried:
            self.enter(message, time)
        elif kind == "acknowledge" and message.place >= 0:
            self.answered(message.tree, message.place, message, "data" in message.flags, time)
        elif kind == "acknowledge" and counts:
            self.count(line, message, time)
        elif kind == "barrier" and message.place >= 0:
            self.come_up(line, message.place, time)
        elif kind == "barrier" and counts:
            self.gathered(line, time)
        elif message.place >= 0 and self.branches:
            if message.to < self.nodes:
                self.enter(message, time)
            elif kind == "tell":
                self.acknowledge(message, message.to, False, time + self.costs.forward_cycles)
        elif message.place >= 0:
            self.copy(message, time)
        else:
            self.enter(message, time)

    def copy(self, message, time):
        """A copy of a multicast is at a place of its tree."""
        tree, place, after = message.tree, message.place, time + self.costs.forward_cycles
        word = message.kind == "tell" and self.update(message.line)
        flits = "word" if word else "short"
        self.spread(tree, place, message.kind, message.line, message.register, flits, after, here=time)
        if tree.receives[place] and message.to < self.nodes:
            self.enter(message, time)
        elif place not in tree.parent and message.kind == "tell":
            self.acknowledge(message, message.to, False, after)

    def count(self, line, message, time):
        self.left[line] -= 1
        self.latest[line] = max(time, self.latest[line])
        if self.left[line] == 0:
            self.left[line] = 1
            self.local(self.latest[line], "acknowledge", self.home(line), line, message.register)

    def acknowledge(self, message, node, data, time):
        if self.design.acknowledges == "combined" and self.branches:
            self.said(message, node, data, time)
        elif self.design.acknowledges == "combined":
            self.answered(message.tree, message.place, message, data, time)
        else:
            line, home, register = message.line, self.home(message.line), message.register
            flits, flags = ("line", frozenset({"data"})) if data else ("short", frozenset())
            if node != home:
                self.send(time, "acknowledge", node, home, line, register, flits, flags=flags)
            elif self.design.acknowledges == "single":
                self.local(time, "acknowledge", home, line, register)
            else:
                self.count(line, message, time)

    def branch(self, tree, kind, line, register, flits, time):
        """One packet, of which each that takes a copy has it after the same time."""
        for place, to in list(enumerate(tree.router))[1:]:
            self.send(time, kind, tree.router[0], to, line, register, flits, tree=tree, place=place)

    def answered(self, tree, place, message, data, time):
        tally = self.tally[message.register]
        left, latest, had = tally[place]
        left, latest, data = tally[place] = left - 1, max(time, latest), data or had
        if left > 0:
            return
        line, register, parent, here = message.line, message.register, tree.parent[place], tree.router[place]
        if parent >= 0 and tree.router[parent] == here:
            self.answered(tree, parent, message, data, latest)
            return
        if parent < 0:
            self.local(latest, "acknowledge", here, line, register)
            return
        wait = self.costs.forward_cycles if place in tree.parent else 0
        flits, flags = ("line", frozenset({"data"})) if data else ("short", frozenset())
        more = {"flags": flags, "tree": tree, "place": parent}
        self.send(latest + wait, "acknowledge", here, tree.router[parent], line, register, flits, **more)

    # Memory-based processors

    def handling(self, message):
        return self.costs.handlers.get(message.kind, self.costs.occupancy_cycles)

    def enter(self, message, time):
        number = message.line if message.kind in SYNC else self.number_of[message.line]
        server = message.to * self.design.memory_processors + number % self.design.memory_processors
        if server in self.serving:
            self.queue[server].append((time, message))
        else:
            self.serving[server] = message
            start = max(time, self.free_at[server])
            self.counts["waited"] += start - time
            self.at(start + self.handling(message), 1, server)

    def through(self, server, time):
        message, node = self.serving[server], server // self.design.memory_processors
        if self.stage_2.sets and message.kind in REQUESTS[:2] and "walked" not in message.flags:
            page = self.page_of[message.line]
            if node == self.home_of[page] and not self.stage_2.has(node, self.page_number[page]):
                self.counts["stage_2_misses"] += 1
                self.serving[server] = message._replace(flags=message.flags | {"walked"})
                self.at(time + self.costs.stage_2_cycles, 1, server)
                return
        del self.serving[server]
        self.counts["served"] += 1
        time, takes = self.made_anew(message, time)
        free = time
        if takes:
            free = self.handle_sync(node, message, time) if message.kind in SYNC else self.handle(node, message, time)
        self.free_at[server] = free
        if self.queue[server]:
            since, self.serving[server] = self.queue[server].pop(0)
            self.counts["waited"] += free - since
            self.at(free + self.handling(self.serving[server]), 1, server)

    def handle(self, node, message, time):
        kind, line, register, home = message.kind, message.line, message.register, self.home(message.line)
        asker = register[0] // self.cluster
        if kind in REQUESTS:
            if node != home:
                page = self.page_of[line]
                self.pass_on(message, self.believed.get((page, node), self.first_home[page]), time)
                return time
            self.waiting[line].append(message)
        elif kind == "data":
            self.believed[self.page_of[line], node] = message.source
            self.send(self.complete(line, time), "done", node, home, line, register)
        elif kind == "tell":
            after = self.over_bus(node, "request", time) if node != asker else time
            goes = "goes" in message.flags or not self.update(line)
            data = goes and node != asker and self.drop(node, line)
            data = data or (self.dragon and node != asker and self.yield_line(node, line))
            data = data or "data" in message.flags
            if message.rest:
                to, *rest = message.rest
                flits = "line" if data else "word" if self.update(line) else "short"
                more = {"flags": frozenset({"data"} if data else ()), "rest": tuple(rest)}
                self.send(after, "tell", node, to, line, register, flits, **more)
            else:
                self.acknowledge(message, node, data, after)
        elif kind == "acknowledge":
            self.left[line] -= 1
            if self.left[line] == 0 and "goes" in self.current[line].flags:
                self.current[line] = request = self.current[line]._replace(flags=frozenset())
                time = self.write(line, request, time)
            elif self.left[line] == 0:
                self.reply(line, time)
        elif kind == "fetch":
            self.share(node, line)
            self.send(self.over_bus(node, "line", time), "owner's data", node, home, line, register, "line")
        elif kind == "owner's data":
            self.reply(line, time)
        elif kind == "write back done":
            self.settle(node, line, time)
        elif kind == "page":
            self.page_comes(self.page_of[line], time)
        else:
            del self.current[line]
        if node != home or self.page_of[line] in self.moving:
            return time
        while line not in self.current and self.waiting[line]:
            time = self.begin(line, self.waiting[line].pop(0), time)
        self.migrate(line, time)
        return time

    def begin(self, line, request, time):
        """The home turns to a request; returns when its processor is free."""
        node, home, owner = request.register[0] // self.cluster, self.home(line), self.owner.get(line)
        if request.kind == "write back":
            if owner == node and ("dirty" in request.flags or self.state[line] == "E"):
                stays = "last" not in request.flags or self.state[line] == "O"
                self.state[line] = "S" if stays else "U"
                del self.owner[line]
            if "last" in request.flags:
                self.copies[line].discard(node)
            if node == home:
                self.settle(node, line, time)
            else:
                self.send(time, "write back done", home, node, line, request.register)
            return time
        self.current[line] = request
        self.counted(line, node)
        if request.kind == "read request" and not self.single:
            if owner not in (None, home, node):
                self.send(time, "fetch", home, owner, line, request.register)
                return time
            after = time
            if owner == home != node:
                self.share(home, line)
                after = self.over_bus(home, "line", time)
            elif not set(self.listed(line)) - {node} and self.design.protocol in ("mesi", "moesi", "dragon"):
                # In S the home of these believes, until a write, that others have the line.
                believes = self.design.protocol != "moesi" and self.state[line] == "S"
                self.becomes[line] = "S" if believes else "E"
            if self.make_room(line, request, node, time):
                return time
            self.reply(line, after)
            return time
        if self.update(line) and self.make_room(line, request, node, time):
            self.current[line] = request._replace(flags=request.flags | {"goes"})
            return time
        return self.write(line, request, time)

    def write(self, line, request, time):
        """The home tells others of what is asked, and answers if there are none."""
        node, home, owner = request.register[0] // self.cluster, self.home(line), self.owner.get(line)
        asks = self.update(line) or owner != node or self.state[line] == "O"
        asks = asks and not (self.single and owner is None)  # memory has it, and nobody else
        tell, after = set(self.listed(line)) - {node} if asks else set(), time
        if self.dragon:
            has = "has" in request.flags and node in self.copies[line]
            mine = owner == node and self.state[line] in "EM"
            alone = mine or (not tell and (owner == node or has or self.state[line] == "U"))
            self.becomes[line] = "M" if alone else "O"
            self.lacks[line] = not has and owner not in (None, node)
            asks = asks and not alone
        tell = self.told(line, node) if asks else set()
        if tell:
            self.histogram[len(tell)] += 1
            if home in tell:
                after = self.over_bus(home, "request", time)
            if home in tell and not self.update(line):
                self.drop(home, line)
            elif home in tell and self.dragon:
                self.yield_line(home, line)
        nodes = sorted(tell - {home})
        if not nodes:
            self.reply(line, after)
            return time
        return self.tell(line, request, nodes, time, after)

    def tell(self, line, request, nodes, time, after):
        """after: when the home's own copies have been told."""
        home, flits = self.home(line), "word" if self.update(line) else "short"
        self.left[line], self.latest[line] = len(nodes), after
        if self.entries is not None:
            entry = self.page_of[line] if self.design.directory == "page" else line
            if self.entries.chained:
                to, *rest = sorted(nodes, key=lambda node: self.since[entry, node], reverse=True)
                self.left[line] = 1
                self.send(time, "tell", home, to, line, request.register, flits, rest=tuple(rest))
                return time
            everybody = [node for node in range(self.nodes) if node != home]
            nodes = self.entries.named(home, tuple(everybody if entry in self.lost else nodes), self.nodes)
            self.left[line] = len(nodes)
        if self.trees is None:
            for i, to in enumerate(nodes):
                self.send(time + i * self.costs.spacing_cycles, "tell", home, to, line, request.register, flits)
            return time + (len(nodes) - 1) * self.costs.spacing_cycles
        if self.branches:
            tree = self.trees.takers(home, tuple(nodes))
            self.tally[request.register] = len(tree.router) - 1, 0
            self.left[line] = 1 if self.design.acknowledges == "combined" else len(tree.router) - 1
            self.branch(tree, "tell", line, request.register, flits, time)
            return time
        tree = self.trees.tree(home, tuple(nodes))
        below = Counter(tree.parent)
        # Where a branch ends, the cluster answers, or the router where there is no cluster.
        answers = [
            (takes and r < self.nodes) or not below[k]
            for k, (r, takes) in enumerate(zip(tree.router, tree.receives, strict=True))
        ]
        self.tally[request.register] = {k: (below[k] + answers[k], 0, False) for k in range(len(answers))}
        self.left[line] = 1 if self.design.acknowledges == "combined" else sum(answers)
        self.spread(tree, 0, "tell", line, request.register, flits, time)
        return time
