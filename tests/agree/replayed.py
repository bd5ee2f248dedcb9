"""What the timed machine does to a line, as steps of the protocol's tables: see `steps`.

Both take the same steps at the same places in the same order. An owner who is told of a write may be fetched from in
the tables: where its answer brings the line it does so in both (`gives`). The machine goes another way in one thing:
an entry of a page names nodes that have no copy of the line, which are told and acknowledge (`superfluous`).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State, Step
from jumpnet.machine.timed.kernels.layout import line_of
from jumpnet.machine.timed.kernels.tables import listed


class Mismatch(AssertionError):
    """The machine did what the tables do not."""


class Replay:
    """A line, by the tables."""

    def __init__(self, protocol: Protocol, nodes: int, events: list[Any], home: int, update: bool) -> None:
        self.protocol, self.events, self.home, self.nodes = protocol, events, home, nodes
        self.model = Model(protocol, nodes, False, False, in_place=True)
        self.state: State = self.model.start
        if update:
            self.state = self._only(0, "switch", False).after
        rows = protocol.home_rows.values()
        self.tells = {m for row in rows for action, m in row.actions if action in ("multicast", "tell")}
        self.fetches = {m for row in rows for action, m in row.actions if action == "fetch"}
        self.brings = {
            row.event for row in protocol.cache_rows.values() if any(m in protocol.lines for _, m in row.actions)
        }
        self.told: list[list[int]] = [[]]
        """Nodes that are told of each request, in order."""
        for event in events:
            if event.what in ("turns to", "at home"):
                self.told.append([])
            elif event.what == "told":
                self.told[-1].append(event.node)
        self.turn = 0
        self.counts: Counter[str] = Counter()
        self.done: list[str] = []

    # What is known of the state.

    def cache(self, node: int) -> Any:
        return self.model.records[self.state[node + 1]]

    def has(self, node: int) -> bool:
        """Whether a node has a copy that may be read, and does not wait for another one."""
        return self.cache(node).state in self.protocol.readable

    def wrong(self, what: str) -> Mismatch:
        states = " ".join(self.cache(node).state for node in range(self.nodes))
        home = self.model.homes[self.state[0]].state
        return Mismatch("\n".join([*self.done[-30:], f"{what}: home {home} of node {self.home}, caches {states}"]))

    def steps(self, cache: int, event: str, delivers: bool) -> list[Step]:
        return [s for s in self.model.steps(self.state) if (s.cache, s.event, s.delivers) == (cache, event, delivers)]

    def _only(self, cache: int, event: str, delivers: bool) -> Step:
        found = self.steps(cache, event, delivers)
        if len(found) != 1:
            raise self.wrong(f"{event} of node {cache - 1} is {len(found)} steps of the tables")
        return found[0]

    # Steps.

    def take(self, step: Step) -> None:
        self.state = step.after
        self.done.append(f"    {step.label} (node {step.cache - 1})")
        self.counts["steps"] += 1

    def home_takes(self) -> None:
        """The home takes all answers that have been sent."""
        while True:
            for node in range(self.nodes):
                if self.cache(node).up:
                    self.take(self._only(node + 1, self.cache(node).up[0][0], True))
                    break
            else:
                return

    def receive(self, node: int, names: set[str]) -> str:
        """A node receives one of these messages, if it is under way; which one."""
        cache = self.cache(node)
        name = next((name for name, _ in (*cache.down, *cache.side) if name in names), "")
        if not name:
            return ""
        found = [s for s in self.steps(node + 1, name, True) if s.label.startswith(f"{name} at a cache")]
        following = self._following(node)
        if len(found) > 1 or following >= 0:
            found = [s for s in found if self._is_passed(s, following)] or found[:1]
        self.take(found[0])
        return name

    def _following(self, node: int) -> int:
        """Who is told after a node, of those that the home still lists; -1 for nobody."""
        told = self.told[self.turn]
        rest = told[told.index(node) + 1 :] if node in told else []
        return next((other for other in rest if self.cache(other).listed), -1)

    def _is_passed(self, step: Step, to: int) -> bool:
        record = self.model.records[step.after[to + 1]] if to >= 0 else None
        return record is not None and len(record.side) > len(self.cache(to).side)

    # What the machine did.

    def run(self) -> None:
        for event in self.events:
            self.done.append(f"{event.what} {event.detail} (node {event.node})")
            self.counts[event.what] += 1
            getattr(self, "_" + event.what.replace(" ", "_"))(event.node, event.detail)
            self.home_takes()

    def _hit(self, node: int, access: str) -> None:
        row = self.protocol.cache_rows.get((self.cache(node).state, access))
        if row is None or any(action == "send" for action, _ in row.actions):
            raise self.wrong(f"a {access} of node {node} asks nobody")
        if access == "write":
            self.take(self._only(node + 1, access, False))

    def _at_home(self, node: int, _: Any) -> None:
        """The home writes a line of which it has the only copy: it asks itself in one cycle, and nobody is told."""
        self._ask(node, "write")
        self._turns_to(node, 0)
        self._answers(node, None)
        self._answered(node, True)

    def _ask(self, node: int, access: str) -> None:
        step = self._only(node + 1, access, False)
        self.take(step)
        if not self.cache(node).asked:
            raise self.wrong(f"a {access} of node {node} asks the home")

    def _evict(self, node: int, sent: bool) -> None:
        self.take(self._only(node + 1, "evict", False))
        if bool(self.cache(node).asked) != sent:
            raise self.wrong(f"a line that node {node} gives up {'with' if sent else 'without'} a word")

    def _request(self, node: int) -> None:
        asked = self.cache(node).asked
        if not asked or self.model.homes[self.state[0]].state in self.protocol.busy:
            raise self.wrong(f"the home cannot turn to node {node}")
        found = [s for s in self.steps(node + 1, asked[0][0], True) if "at the home" in s.label]
        if len(found) > 1:  # of those listed one is told
            first = next((other for other in self.told[self.turn] if self.cache(other).listed), -1)
            found = [s for s in found if first >= 0 and self._is_struck(s, first)]
        if not found:
            raise self.wrong(f"the home does not tell those whom it tells in the tables for node {node}")
        self.take(found[0])

    def _is_struck(self, step: Step, node: int) -> bool:
        return self.cache(node).listed and not self.model.records[step.after[node + 1]].listed

    def _turns_to(self, node: int, kind: int) -> None:
        self.turn += 1
        self._request(node)

    def _told(self, node: int, gives: bool) -> None:
        """Of a write: one message of the tables, and the line goes home with its answer in both or in none."""
        name = self.receive(node, self.tells | self.fetches)
        if gives != (name in self.fetches & self.brings):
            raise self.wrong(f"node {node} {'gives' if gives else 'keeps'} the line, and not in the tables")
        self.counts["gives"] += gives
        if not name:
            self.counts["superfluous"] += 1
            if self.has(node) and node != self.asker():
                raise self.wrong(f"node {node} is told of a write, and not in the tables")

    def asker(self) -> int:
        """Whom the home serves."""
        return next((node for node in range(self.nodes) if self.cache(node).waits), -1)

    def _fetched(self, node: int, _: Any) -> None:
        if not self.receive(node, self.fetches):
            raise self.wrong(f"node {node} is asked for its line, and not in the tables")

    def _answers(self, node: int, _: Any) -> None:
        """All whom the tables' home tells have been told."""
        if not self._answer(node):
            raise self.wrong(f"the home answers node {node} before all are told")

    def _answer(self, node: int) -> set[str]:
        return {name for name, _ in self.cache(node).down} - self.tells - self.fetches - {"PutAck"}

    def _answered(self, node: int, has: bool) -> None:
        if has and not self.has(node):
            raise self.wrong(f"node {node} gets no line, and has none")
        if not self.receive(node, self._answer(node)):
            raise self.wrong(f"node {node} is answered, and not in the tables")

    def _put_done(self, node: int, _: Any) -> None:
        if not self.receive(node, {"PutAck"}):
            raise self.wrong(f"the home has taken a line of node {node}, and not in the tables")

    # The end.

    def end(self, m: Any, line: int, rules: Any) -> None:
        """Both are in the same state. Raises Mismatch."""
        if not self.model.at_rest(self.state):
            raise self.wrong("the machine is at rest, and the tables are not")
        owner = next((node for node in range(self.nodes) if self.cache(node).owner), -1)
        name = self.model.homes[self.state[0]].state, self.cache(owner).state if owner >= 0 else ""
        found = rules.names[line_of(m, line).state], int(line_of(m, line).owner)
        if found != (name, owner):
            raise self.wrong(f"the machine ends in {found}, the tables in {(name, owner)}")
        for node in range(self.nodes):
            cache, is_listed = self.cache(node), bool(listed(m, line, node))
            if is_listed != (cache.listed or cache.owner):
                raise self.wrong(f"the machine's home {'lists' if is_listed else 'does not list'} node {node}")
