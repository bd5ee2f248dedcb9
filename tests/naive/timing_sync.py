"""Locks, barriers and flags of the naive timed machine."""

from __future__ import annotations

from collections import Counter, defaultdict


class Sync:
    """Mixed in with `timing.Base`. An object's members: 0 a lock, -1 a flag, else the processors at a barrier."""

    def start_sync(self):
        held = {thing: p for thing, p in enumerate(self.held) if p >= 0}
        self.holder = {thing: p for thing, p in held.items() if self.members[thing] == 0}
        self.line_up, self.opened = defaultdict(list), held.keys() - self.holder.keys()
        self.last_lock, self.gave, self.coming = {}, {}, {}
        self.here, self.meeting, self.come, self.come_latest = (
            defaultdict(list),
            defaultdict(list),
            Counter(),
            Counter(),
        )

    def grant(self, thing, p, time):
        if self.design.synchronisation == "free":
            self.resume(p, time + self.costs.sync_cycles)
        elif p // self.cluster == self.where[thing]:
            self.resume(p, time)
        else:
            self.send(time, "grant", self.where[thing], p // self.cluster, thing, (p, 0))

    def acquire(self, thing, p):
        if self.members[thing] == -1:
            passes = thing in self.opened
        else:
            passes = thing not in self.holder
            if passes:
                self.holder[thing] = p
        if not passes:
            self.line_up[thing].append(p)
        return passes

    def release(self, thing, p, time):
        if self.members[thing] == -1:
            self.opened.add(thing)
            for q in self.line_up.pop(thing, []):
                self.grant(thing, q, time)
        elif self.holder.get(thing) == p:
            del self.holder[thing]
            if self.line_up[thing]:
                self.holder[thing] = self.line_up[thing].pop(0)
                self.grant(thing, self.holder[thing], time)

    def give_back(self, p, lock, time):
        if self.last_lock.get(p) == lock:
            del self.last_lock[p]
        if self.design.synchronisation == "free":
            self.release(lock, p, time)
        else:
            self.by_bus(time, "unlock", p // self.cluster, lock, (p, 0))

    def synchronise(self, p, what, thing, time):
        """Whether the processor goes on."""
        free = self.design.synchronisation == "free"
        line = self.design.synchronisation == "line" and self.members[thing] == sum(map(bool, self.streams))
        if what == "unlock" and self.gave.get(p) == thing:
            del self.gave[p]
            return True
        if what in ("unlock", "post"):
            self.give_back(p, thing, time)
            return True
        if what == "lock" and self.members[thing] != -1:
            self.last_lock[p] = thing
            if self.gave.get(p) == thing:
                del self.gave[p]
        elif what in ("condition", "await") and p in self.last_lock:
            self.gave[p] = self.last_lock[p]
            self.give_back(p, self.last_lock[p], time)
        if what in ("lock", "await") and free and self.acquire(thing, p):
            return True
        self.block(p, "thing", thing, "sync", time)
        if what in ("lock", "await"):
            if not free:
                self.by_bus(time, "lock", p // self.cluster, thing, (p, 0))
        elif free or line:
            self.meeting[thing].append(p)
            if len(self.meeting[thing]) == self.members[thing]:
                for q in self.meeting.pop(thing):
                    if line:
                        self.resume(q, time + self.nodes * self.costs.barrier_line_cycles)
                    else:
                        self.grant(thing, q, time)
        else:
            node = p // self.cluster
            self.here[thing, node].append(p)
            if len(self.here[thing, node]) == self.expected[thing][node]:
                self.by_bus(time, "barrier", node, thing)
        return False

    def let_go(self, thing, node, time):
        for p in self.here.pop((thing, node), []):
            self.resume(p, time)

    def open_barrier(self, thing, time):
        """Returns when the home's processor is free."""
        home = self.where[thing]
        self.let_go(thing, home, time)
        nodes = [node for node, count in enumerate(self.expected[thing]) if count and node != home]
        if self.trees is not None:
            if nodes:
                if self.branches:
                    self.branch(self.trees.takers(home, tuple(nodes)), "release", thing, (0, 0), "short", time)
                else:
                    self.spread(self.trees.tree(home, tuple(nodes)), 0, "release", thing, (0, 0), "short", time)
            return time
        for i, node in enumerate(nodes):
            self.send(time + i * self.costs.spacing_cycles, "release", home, node, thing)
        return time + max(0, len(nodes) - 1) * self.costs.spacing_cycles

    def gathered(self, thing, time):
        """One more node is at a barrier: the router of its home counts, and passes on the last."""
        self.come[thing] += 1
        self.come_latest[thing] = max(time, self.come_latest[thing])
        if self.come[thing] == sum(count > 0 for count in self.expected[thing]):
            home = self.where[thing]
            self.local(self.come_latest.pop(thing), "barrier", home, thing, flags=frozenset({"all"}))
            del self.come[thing]

    def gathering(self, thing):
        """The tree of a barrier, its places that wait for their clusters, and those that wait for anybody."""
        home, expected = self.where[thing], self.expected[thing]
        others = tuple(node for node, count in enumerate(expected) if count and node != home)
        tree = self.trees.tree(home, others) if others else self.trees.tree(home, ((home + 1) % self.nodes,))
        takes = set()
        for k, router in enumerate(tree.router):
            again = any(tree.router[one] == router for one in takes)
            if (k == 0 or tree.receives[k]) and router < self.nodes and expected[router] and not again:
                takes.add(k)
        waiting = set(takes)
        for k in takes:
            while k > 0:
                k = tree.parent[k]
                waiting.add(k)
        return tree, takes, waiting

    def come_up(self, thing, place, time):
        """One of those whom a place waits for at a barrier is there; the last one is told to the place above."""
        tree, takes, waiting = self.gathering(thing)
        below = {k: sum(tree.parent[child] == k for child in waiting) for k in waiting}
        left = self.coming.setdefault(thing, {k: [below[k] + (k in takes), 0] for k in waiting})
        left[place] = [left[place][0] - 1, max(time, left[place][1])]
        if left[place][0] > 0:
            return
        latest, parent, here = left[place][1], tree.parent[place], tree.router[place]
        if parent < 0:
            del self.coming[thing]
            self.local(latest, "barrier", here, thing, flags=frozenset({"all"}))
        elif tree.router[parent] == here:
            self.come_up(thing, parent, latest)
        else:
            wait = self.costs.forward_cycles if below[place] else 0
            self.send(latest + wait, "barrier", here, tree.router[parent], thing, tree=tree, place=parent)

    def handle_sync(self, node, message, time):
        """What a node does with a message about an object; when it is free again."""
        kind, thing, p = message.kind, message.line, message.register[0]
        if kind == "grant":
            self.resume(p, time)
        elif kind == "release":
            if node != self.where[thing]:
                self.let_go(thing, node, time)
        elif kind == "barrier" and self.design.acknowledges == "combined" and "all" not in message.flags:
            tree, takes, _ = self.gathering(thing)
            (place,) = (k for k in takes if tree.router[k] == node)
            self.come_up(thing, place, time)
        elif node != self.where[thing]:
            self.pass_on(message, self.where[thing], time)
        elif kind == "lock":
            if self.acquire(thing, p):
                self.grant(thing, p, time)
        elif kind == "unlock":
            self.release(thing, p, time)
        elif "all" in message.flags:
            return self.open_barrier(thing, time)
        elif self.design.acknowledges != "single":
            self.gathered(thing, time)
        else:
            self.come[thing] += 1
            if self.come[thing] == sum(count > 0 for count in self.expected[thing]):
                del self.come[thing]
                return self.open_barrier(thing, time)
        return time
