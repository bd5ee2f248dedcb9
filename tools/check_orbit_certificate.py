"""Checks Duato's condition from one router of each orbit, with the standard library: `check_orbit_certificate.py FILE`.

The page `docs/certificates.md` has the format, and why what is checked here is enough. Exit status 0 and a few lines
where the file proves what it says; 2 and one line that names the line of the file where it does not.
"""

import gzip
import sys
import zlib

LONGEST, MOST = 1 << 22, 10**18  # bytes of a line with its end; all numbers are smaller
HEAD = ("network", "routing", "condition", "vcs", "routers", "ports", "sources", "sinks", "moves", "rows", "states")
KINDS = ("links", "source", "sink", "move", "carry", "number", "row", "state", "end")


class Refused(Exception):
    """Why a file proves nothing."""


def must(good, why, *shown):
    """Refuse what is not good."""
    if not good:
        raise Refused(why.format(*shown))


def number(word, below=MOST):
    """A whole number."""
    if not (word.isdigit() and len(word) <= 18 and int(word) < below):
        raise Refused(f"a whole number below {below} expected")
    return int(word)


class Certificate:
    """A certificate, checked as it is read. `blamed` is the line that is looked at."""

    def __init__(self, file):
        self.file, self.line, self.blamed, self.kind, self.head = file, 0, 0, "links", {}
        self.source, self.sink = [], []  # routers that send, and those that receive
        self.far, self.moves, self.given = [], [], []  # far router by port, None without link; permutations of routers
        self.name, self.place, self.orbit = [], [], {}  # least router of an orbit, place in it; routers of each
        self.carried, self.numbers, self.rows = {}, {}, []  # rows: router, port, and numbers all over the orbit
        self.states, self.begun = [], set()  # line, router, target, ways [(row or port, is escape, next)]

    def words(self):
        """The words of the next line that is no remark."""
        while True:
            self.line = self.blamed = self.line + 1
            text = self.file.readline(LONGEST)
            must(text.endswith(b"\n"), "cut off, or longer than {} bytes", LONGEST)
            if not text.startswith(b"#"):
                return text[:-1].decode("ascii").split(" ")

    def check(self):
        """Read it all, then what all states together must fulfil."""
        must(self.words() == ["jumpnet-orbit-certificate", "1"], "'jumpnet-orbit-certificate 1' expected")
        for name in HEAD:
            word, _, text = " ".join(self.words()).partition(" ")
            must(word == name and text and text.isprintable(), "{} and its value expected", name)
            self.head[name] = text if name in HEAD[:3] else number(text, 1 << (12 if name in ("vcs", "ports") else 31))
        must(self.head["condition"] == "escape", "condition escape expected")
        while self.kind != "end":
            word, *rest = self.words()
            kind = "move" if word in ("inverse", "product") else word
            must(kind in KINDS and KINDS.index(kind) >= KINDS.index(self.kind), "a line that may not stand here")
            must(kind == "links" or len(self.far) == self.head["routers"], "links of every router expected")
            if KINDS.index(kind) > 3 and not self.name:
                self.join()
            self.kind = kind
            getattr(self, "line_" + word)(*rest)
        self.line = self.blamed = self.line + 1
        must(not self.file.read(1), "the file goes on after its end")

    def router(self, word):
        """A router that is the least of its orbit."""
        router = number(word, self.head["routers"])
        must(self.name[router] == router, "{} found, the least router of an orbit expected", router)
        return router

    def line_links(self, router, *far):
        must(number(router, self.head["routers"]) == len(self.far), "router {} expected", len(self.far))
        must(len(far) == self.head["ports"], "{} routers expected", self.head["ports"])
        self.far.append([None if word == "-" else number(word, self.head["routers"]) for word in far])

    def line_source(self, *routers):
        found = getattr(self, self.kind)
        for router in [number(word, self.head["routers"]) for word in routers]:
            must(not found or router > found[-1], "not in ascending order")
            found.append(router)

    line_sink = line_source

    def line_move(self, index, *to):
        to = [number(word, self.head["routers"]) for word in to]
        must(number(index) == len(self.moves) == len(self.given), "move {} expected", len(self.moves))
        must(len(to) == len(self.far) == len(set(to)), "each router once expected")
        for router, far in enumerate(self.far):
            kept = self.far[to[router]] == [None if there is None else to[there] for there in far]
            must(kept, "router {} does not take its links along, port by port", router)
        for ends in (self.source, self.sink):
            must({to[router] for router in ends} == set(ends), "routers that send or receive are carried elsewhere")
        self.moves.append(to)
        self.given.append(to)

    def line_inverse(self, index, move):
        must(number(index) == len(self.moves), "move {} expected", len(self.moves))
        made, move = [0] * len(self.far), self.moves[number(move)]
        for router, to in enumerate(move):
            made[to] = router
        self.moves.append(made)

    def line_product(self, index, first, second):
        must(number(index) == len(self.moves), "move {} expected", len(self.moves))
        second = self.moves[number(second)]
        self.moves.append([second[to] for to in self.moves[number(first)]])

    def join(self):
        """The orbits, when all moves are there."""
        self.name, self.place = [None] * len(self.far), [0] * len(self.far)
        for least in range(len(self.far)):
            if self.name[least] is None:
                self.name[least], found = least, [least]
                for router in found:
                    for to in {move[router] for move in self.given}:
                        if self.name[to] is None:
                            self.name[to] = least
                            found.append(to)
                self.orbit[least] = sorted(found)
                for place, router in enumerate(self.orbit[least]):
                    self.place[router] = place

    def line_carry(self, router, move):
        router, move = number(router, self.head["routers"]), self.moves[number(move)]
        must(move[router] == self.name[router], "router {} is not carried to the least of its orbit", router)
        self.carried[router] = move

    def line_number(self, router, port, vc, *numbers):
        key = self.router(router), number(port, self.head["ports"]), number(vc, self.head["vcs"])
        must(key not in self.numbers, "a second number")
        must(len(numbers) in (1, len(self.orbit[key[0]])), "one number, or one for each of its orbit expected")
        self.numbers[key] = [None if word == "-" else number(word) for word in numbers]

    def line_row(self, index, router, port, *vcs):
        must(number(index) == len(self.rows), "row {} expected", len(self.rows))
        router, port, found = self.router(router), number(port, self.head["ports"]), []
        must(self.far[router][port] is not None, "port {} has no link", port)
        must(len(vcs) in (1, len(self.orbit[router])), "one channel, or one for each of its orbit expected")
        for place in range(len(self.orbit[router])):
            numbers = self.numbers.get((router, port, number(vcs[place % len(vcs)])), [None])
            found.append(numbers[place % len(numbers)])
        must(None not in found, "an escape without a number")
        self.rows.append((router, port, found, min(found), max(found)))

    def line_state(self, index, router, target, begins, key, *rest):
        must(number(index) == len(self.states), "state {} expected", len(self.states))
        must(begins in ("+", "-") and len(rest) % 3 == 0, "+ or -, a key, and ways of three words expected")
        router, target, ways = self.router(router), number(target, self.head["routers"]), []
        for by, vc, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            if vc == "e":
                must(self.rows[number(by)][0] == router, "row {} is not of this router", by)
            else:
                port, channel = number(by, self.head["ports"]), number(vc, self.head["vcs"])
                must(self.far[router][port] is not None, "port {} has no link", port)
                must((router, port, channel) not in self.numbers, "an escape is none, too")
            ways.append((int(by), vc == "e", number(after)))
        must(ways or router == target, "a packet to {} ends here", target)
        must(not ways or any(escape for _, escape, _ in ways), "no escape candidate")
        self.states.append((self.line, router, target, ways))
        if begins == "+":
            self.begun.add((router, target))

    def line_end(self):
        found = self.source, self.sink, self.moves, self.rows, self.states
        for name, many in zip(HEAD[6:], map(len, found), strict=True):
            must(self.head[name] == many, "{} {} said, {} found", self.head[name], name, many)
        for router in self.orbit.keys() & set(self.source):
            for target in self.sink:
                must(router == target or (router, target) in self.begun, "no packet from {} to {}", router, target)
        for line, router, target, ways in self.states:
            self.blamed = line
            for by, escape, after in ways:
                far = self.far[router][self.rows[by][1] if escape else by]
                move = self.carried.get(far)
                must(move or self.name[far] == far, "router {} is not carried", far)
                ahead = (self.name[far], move[target] if move else target)
                must(after < len(self.states) and self.states[after][1:3] == ahead, "state {} is not ahead", after)
        self.ascend(self.least_ahead())

    def least_ahead(self):
        """The least number of an escape, wherever, that a packet in each state may still ask for over normal hops."""
        ahead = [min((self.rows[by][3] for by, escape, _ in state[3] if escape), default=MOST) for state in self.states]
        changed = True
        while changed:
            changed = False
            for state, (_, _, _, ways) in enumerate(self.states):
                least = min((ahead[after] for _, escape, after in ways if not escape), default=MOST)
                if least < ahead[state]:
                    ahead[state], changed = least, True
        return ahead

    def ascend(self, ahead):
        """From each escape to each that packets on it may ask for over normal hops, numbers grow at all routers."""
        seen, todo, pairs = set(), [], set()

        def follow(row, there, state, way):
            if ahead[state] <= self.rows[row][4] and (row, there, state) not in seen:
                seen.add((row, there, state))
                todo.append((row, there, state, way))

        for _, router, _, ways in self.states:
            for row, escape, after in ways:
                if escape:
                    follow(row, self.far[router][self.rows[row][1]], after, (self.rows[row][1],))
        for row, there, state, way in todo:
            for by, escape, after in self.states[state][3]:
                if not escape:
                    follow(row, self.far[there][by], after, (*way, by))
                elif self.rows[by][3] <= self.rows[row][4] and (row, there, by) not in pairs:
                    pairs.add((row, there, by))
                    self.blamed = self.states[state][0]
                    self.ascends(row, way, by)

    def ascends(self, row, way, wanted):
        """The same of two rows and the ports from one to the other, at each router of the orbit."""
        router, _, low, _, _ = self.rows[row]
        high = self.rows[wanted][2]
        for place, at in enumerate(self.orbit[router]):
            for port in way:
                at = self.far[at][port]
            must(low[place] < high[self.place[at]], "row {} to {}, at router {}, does not ascend", row, wanted, at)


def check(file):
    """What a certificate says, all of which is proved; raises Refused. `file` is open for reading bytes."""
    made = Certificate(file)
    try:
        made.check()
    except (OSError, EOFError, zlib.error):
        said = "a file that can be read, and is packed where its name says so, expected"
        raise Refused(f"line {made.line}: {said}") from None
    except (Refused, ValueError, IndexError, TypeError) as why:
        said = why if isinstance(why, Refused) else "not a line of this format"
        raise Refused(f"line {made.blamed}: {said}") from None
    return {**made.head, "orbits": len(made.orbit)}


def in_words(head):
    """The same for people: what was checked, and what was not."""
    many = "" if head["vcs"] == 1 else "s"
    yield "{routing} on {network}, {vcs} virtual channel{many}, condition {condition} by orbits: accepted".format(
        many=many, **head
    )
    yield f"  checked: moves keep links, and make {head['orbits']} orbits of {head['routers']} routers"
    yield f"  checked: {head['states']} packet states, from one router of each orbit to all, have an escape each"
    yield "  checked: the extended dependencies between escape channels, at all routers, ascend (Duato 1993)"
    yield "  believed: that links and states are those of this network and routing, and states alike all over an orbit"


def main(name="-"):
    """Check the file of that name; the exit status."""
    try:
        with sys.stdin.buffer if name == "-" else (gzip.open if name.endswith(".gz") else open)(name, "rb") as file:
            print(*in_words(check(file)), sep="\n")
    except (OSError, Refused) as why:
        print(f"{name}: {why}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
