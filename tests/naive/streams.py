"""Naive twin of the timed machine's streams: the whole trace in lists, each question asked of all records at once."""

from __future__ import annotations

from collections import Counter

READ, WRITE, LOCK, UNLOCK, BARRIER, CONDITION, POST, AWAIT = range(8)


class WrongError(Exception):
    """What cannot be."""


def _of_data(rows, line_bytes):
    """(processor, line, is write) of all lines of an access."""
    for p, address, size, write, _ in rows:
        for line in range(address // line_bytes, (address + size - 1) // line_bytes + 1):
            yield p, line, int(write)


class Objects:
    """Locks, barriers and flags, from all records about them: (number in the trace, processor, address, kind)."""

    def __init__(self, records, everyone, clusters_of, nodes):
        self.records = records
        self.address = sorted({address for _, _, address, _ in records})
        self.members, self.below = [0] * len(self.address), len(self.address)
        self.flag_row, self.first_flag = [], []  # the row of each flag
        self.barriers, self.holder = {}, {}
        self.thing = [self.address.index(address) for _, _, address, _ in records]
        self.what = [kind for *_, kind in records]
        for number in range(len(self.address)):
            of = [k for k, t in enumerate(self.thing) if t == number and self.what[k] in (BARRIER, CONDITION)]
            if of:
                self._meeting(number, of, everyone)
        handed = self._locks()
        starts = {number: self._hand_over(number) for number in sorted(handed)}
        self.first = [0] * len(self.address)
        for k in reversed(range(len(records))):
            if self.thing[k] >= 0:
                row = self.flag_row[self.thing[k] - self.below] if self.thing[k] >= self.below else self.thing[k]
                self.first[row] = records[k][1]
        for number, (row, p) in starts.items():
            self.first[number] = self.first[row] = p
        self.expected = [
            [sum(p // clusters_of == node for p in who) for node in range(nodes)] for who in self.barriers.values()
        ]

    def _meeting(self, number, of, everyone):
        """A barrier, or a condition whose records are about flags."""
        times = Counter(self.records[k][1] for k in of)
        least, most = min(sorted(times), key=times.get), max(sorted(times), key=times.get)
        if self.what[of[0]] == BARRIER and times[least] != times[most]:
            found = f"barrier passed {times[least]} times by processor {least} and {times[most]} by {most}"
            raise WrongError(f"{found}, as often expected")
        if times[least] == times[most] and (self.what[of[0]] == BARRIER or len(times) == everyone):
            self.members[number], self.barriers[number] = len(times), list(times)
            return
        owner = [self.records[k][1] for k in of if times[self.records[k][1]] == times[most]][-1]
        opens = [k for k in of if self.records[k][1] == owner]
        flag = {}  # of the openings that somebody waits for
        awaited = sorted({sum(o < k for o in opens) for k in of if k not in opens} - {len(opens)})
        if awaited:
            self._new_row(number)
        for opening in awaited:
            flag[opening] = self._new()
        for k in of:
            self.thing[k], self.what[k] = flag.get(sum(o < k for o in opens), -1), POST if k in opens else AWAIT

    def _new_row(self, number):
        """The flags of an address, none yet."""
        self.first_flag.append(self.below + len(self.flag_row))
        self.holder[len(self.address)] = self.first_flag[-1]
        self.address.append(self.address[number])
        self.members.append(-1)

    def _new(self):
        """A new flag."""
        self.flag_row.append(len(self.address) - 1)
        return self.below + len(self.flag_row) - 1

    def _hand_over(self, number):
        """The records of a lock become those of flags; their row, and the processor of the first record."""
        of = [k for k, t in enumerate(self.thing) if t == number and self.what[k] in (LOCK, UNLOCK)]
        self._new_row(number)
        self.holder[number], self.members[number] = self.first_flag[-1], -1
        flag = number
        for k in of:
            if self.what[k] == UNLOCK:
                flag = self._new()
            self.thing[k] = flag
        return len(self.address) - 1, self.records[of[0]][1]

    def _locks(self):
        """Which locks are handed over; sets who holds the others at the start."""
        handed = set()
        while True:
            holder, found, wrong = self._walk(handed)
            if found <= handed:
                break
            handed |= found
        if wrong:
            k, lock, words = wrong[0]
            used = [j for j in range(k) if self.thing[j] == lock and self.what[j] in (LOCK, UNLOCK)]
            since = f", last used at record {self.records[used[-1]][0]}" if used else ""
            raise WrongError(f"record {self.records[k][0]}: {words}, at address {self.records[k][2]:#x}{since}")
        self.holder |= holder
        return handed

    def _walk(self, handed):
        last, gave, holders, start, found, wrong = {}, set(), {}, {}, set(), []
        taken = {t for t, w in zip(self.thing, self.what, strict=True) if w == LOCK}
        for k, (_, p, _, _) in enumerate(self.records):
            lock, what = self.thing[k], self.what[k]
            if what == LOCK:
                if lock in handed and holders.get(lock):
                    wrong.append((k, lock, f"processor {p} takes a lock that {holders[lock][0]} holds"))
                elif lock not in handed:
                    last[p] = lock
                gave.discard((p, lock))
                holders.setdefault(lock, []).append(p)
                continue
            if what in (CONDITION, AWAIT) and lock >= 0 and p in last:
                lock = last.pop(p)
                gave.add((p, lock))
            elif what != UNLOCK:
                continue
            elif (p, lock) in gave:
                gave.discard((p, lock))
                continue
            elif last.get(p) == lock:
                del last[p]
            if lock not in holders:
                start[lock], holders[lock] = p, []
            elif p in holders[lock]:
                holders[lock].remove(p)
            elif holders[lock]:
                found.add(lock)
                holders[lock].pop(0)
            elif lock in taken:
                found.add(lock)
                wrong.append((k, lock, f"processor {p} gives back a lock that is free"))
        return start, found, wrong


def streams(rows, processors, clusters_of=1, line_bytes=32, page_bytes=4096, placement="first-touch"):
    """What `Streams` has, by name, as lists; codes by processor. rows: (processor, address, bytes, is write, kind)."""
    data = list(_of_data([row for row in rows if row[4] <= WRITE], line_bytes))
    nodes = -(-processors // clusters_of)
    lines = sorted({line for _, line, _ in data})
    page_of = [line * line_bytes // page_bytes for line in lines]
    pages = sorted(set(page_of))
    touches = [(line * line_bytes // page_bytes, p) for p, line, _ in data]
    order = list(dict.fromkeys(page for page, _ in touches))
    home = {
        "first-touch": [next(p for page, p in touches if page == number) // clusters_of for number in pages],
        "round-robin": [order.index(page) % nodes for page in pages],
        "interleaved": [page % nodes for page in pages],
    }[placement]
    records = [(number, p, address, kind) for number, (p, address, _, _, kind) in enumerate(rows) if kind > WRITE]
    made = Objects(records, len({row[0] for row in rows}), clusters_of, nodes)
    code, done = [[] for _ in range(processors)], iter(zip(made.thing, made.what, strict=True))
    for row in rows:
        if row[4] <= WRITE:
            code[row[0]] += [lines.index(line) << 3 | write for _, line, write in _of_data([row], line_bytes)]
        elif (object_ := next(done))[0] >= 0:
            code[row[0]].append(object_[0] << 3 | object_[1])
    where = [
        home[pages.index(address // page_bytes)] if address // page_bytes in pages else made.first[k] // clusters_of
        for k, address in enumerate(made.address)
    ]
    barriers = list(made.barriers)
    return {
        "code": code,
        "page": [pages.index(page) for page in page_of],
        "number": lines,
        "page_number": pages,
        "home": home,
        "members": made.members,
        "barrier": [barriers.index(k) if k in barriers else -1 for k in range(len(made.members))],
        "expected": made.expected,
        "where": where,
        "holder": [made.holder.get(k, -1) for k in range(len(made.members))],
        "first_flag": made.first_flag,
    }
