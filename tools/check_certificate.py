"""Checks a certificate of freedom from deadlock, with the standard library alone: `check_certificate.py FILE` (or -).

The page `docs/certificates.md` has the format, what each condition asks, and what remains to be believed. Exit status 0
and a few lines where the file proves what it says; 2 and one line that names the line of the file where it does not.
"""

import gzip
import sys
import zlib

LONGEST, MOST = 65536, 10**18  # bytes of a line with its end; all numbers are smaller
HEAD = ("network", "routing", "condition", "vcs", "routers")
COUNTS = ("sources", "sinks", "links", "channels", "dependencies", "states")
ROWS = ("", "source", "sink", "link", "channel", "wants", "enters", "to", "end")
PROVED = {
    "acyclic": "they ascend, so none closes a cycle (Dally and Seitz 1987)",
    "escape": "the extended ones between escape channels, and they ascend (Duato 1993)",
    "rings": "they ascend, or go on in a ring that is entered with a bubble (Carrion et al. 1997): free under "
    "cut-through, with packets of one length and buffers of two",
    "escape-rings": "those between escape channels, and they ascend, or go on in a ring that is entered with a bubble "
    "(Puente et al. 2001): free under cut-through, with packets of one length and buffers of two",
}


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
    """A certificate, checked as it is read. `head` is what its first lines say, `blamed` the line that is looked at."""

    def __init__(self, file):
        self.file, self.line, self.blamed, self.row, self.last, self.head = file, 0, 0, "", (), {}
        self.source, self.sink, self.far = set(), set(), {}  # routers that send, that receive; (router, port) -> router
        self.at, self.to, self.order, self.begins = [], [], [], []  # of each channel
        self.wanted, self.out, self.into, self.plain = {}, set(), {}, {}  # dependencies; those in rings, and not
        self.dependencies, self.states = 0, 0
        self.now, self.sender = -1, None  # packets to one sink, from one source or all
        self.begun, self.covered, self.section = set(), set(), []  # routers where they begin; sinks; their states

    def words(self):
        """The words of the next line that is no remark."""
        while True:
            self.line = self.blamed = self.line + 1
            text = self.file.readline(LONGEST)
            must(text.endswith(b"\n"), "cut off, or longer than {} bytes", LONGEST)
            if not text.startswith(b"#"):
                return text[:-1].decode("ascii").split(" ")

    def check(self):
        """Read it all."""
        must(self.words() == ["jumpnet-certificate", "1"], "'jumpnet-certificate 1' expected")
        for name in HEAD + COUNTS:
            word, _, text = " ".join(self.words()).partition(" ")
            must(word == name and text and text.isprintable(), "{} and its value expected", name)
            must(name != "condition" or text in PROVED, "unknown condition")
            self.head[name] = text if name in HEAD[:3] else number(text)
        self.escape, self.rings = (word in self.head["condition"].split("-") for word in ("escape", "rings"))
        while self.row != "end":
            word, *rest = self.words()
            row = "to" if word == "branches" or (word == "state" and self.row == "to") else word
            must(row in ROWS[1:] and ROWS.index(row) >= ROWS.index(self.row), "a line that may not stand here")
            if row != self.row:
                self.row, self.last = row, ()
            getattr(self, "row_" + word)(*rest)
        self.line = self.blamed = self.line + 1
        must(not self.file.read(1), "the file goes on after its end")

    def ascend(self, *row):
        """Lines of a kind stand in ascending order, none twice."""
        must(row > self.last, "not in ascending order")
        self.last = row

    def row_source(self, *words):
        for router in [number(word, self.head["routers"]) for word in words]:
            self.ascend(router)
            getattr(self, self.row).add(router)

    row_sink = row_source

    def row_link(self, router, port, far, far_port):
        self.ascend(number(router, self.head["routers"]), number(port))
        self.far[self.last] = number(far, self.head["routers"])
        number(far_port)

    def row_channel(self, index, router, port, vc, order, begins):
        self.ascend(number(router), number(port), number(vc, self.head["vcs"]))
        must(number(index) == len(self.at) and self.last[:2] in self.far, "channel {} of a link expected", len(self.at))
        must(begins in ("+", "-"), "+ or - expected")
        self.at.append(int(router))
        self.to.append(self.far[self.last[:2]])
        self.order.append(-1 if self.escape and order == "-" else number(order))
        self.begins.append(begins == "+")

    def row_wants(self, held, *words):
        held, enters = number(held, len(self.at)), self.row == "enters"
        must(self.rings >= enters, "a line for condition rings alone")
        must(words, "more values expected")
        for wanted in [number(word, len(self.at)) for word in words]:
            self.ascend(held, wanted)
            along = self.rings and not enters and 0 <= self.order[held] == self.order[wanted]
            must(along or 0 <= self.order[held] < self.order[wanted], "{} to {} does not ascend", held, wanted)
            must(
                self.escape > self.rings or self.to[held] == self.at[wanted],
                "{} does not begin where {} ends",
                wanted,
                held,
            )
            if along:
                must(held not in self.out and wanted not in self.into, "{} to {} is no step in a ring", held, wanted)
                self.out.add(held)
                self.into[wanted] = self.line
            elif not enters:
                self.plain[wanted] = self.line
            if self.head["states"]:
                self.wanted.setdefault(held, set()).add((wanted, enters))
            self.dependencies += 1

    row_enters = row_wants

    def row_branches(self):
        must(self.head["condition"] == "acyclic" and self.now == -1, "no place for packets that branch")
        self.now = None
        self.head["branching"] = True

    def row_to(self, sink, *source):
        must(self.now is not None, "a sink among packets that branch")
        must(not source or (source[0] == "from" and len(source) == 2), "to SINK, or to SINK from SOURCE expected")
        sink, *one = [number(word, self.head["routers"]) for word in (sink, *source[1:])]
        self.close()
        self.ascend(sink, *one)
        if sink != self.now:
            self.finish()
        self.now, self.sender = sink, one[0] if one else None

    def row_state(self, index, router, begins, key, *rest):
        must(number(index) == len(self.section), "state {} expected", len(self.section))
        must(begins in ("+", "-") and len(rest) % 3 == 0, "+ or -, a key, and CHANNEL KIND STATE expected")
        good = begins == "-" or self.sender is None or self.sender == int(router)
        must(good, "packets of source {} begin at {}", self.sender, router)
        router, found = number(router, self.head["routers"]), [number(word) for word in rest]
        moves = list(zip(found[::3], found[1::3], found[2::3], strict=True))
        for channel, kind, _ in moves:
            must(kind < 4 and self.at[channel] == router, "channel {} does not begin here", channel)
            must(not self.escape or not kind & 1 or self.order[channel] >= 0, "escape {} has no number", channel)
            must(not self.escape or not self.rings or kind & 1 == (self.order[channel] >= 0), "an escape is none, too")
            unmarked = self.rings and begins == "+" and self.escape <= kind < 2
            must(not unmarked or self.begins[channel], "packets begin on channel {}, which has no +", channel)
        must(moves or self.now in (None, router), "a packet to {} ends here", self.now)
        must(not self.escape or not moves or any(kind & 1 for _, kind, _ in moves), "no escape candidate")
        self.section.append((self.line, router, moves))
        self.begun.update([router] if begins == "+" else [])
        self.states += 1

    def close(self):
        """Recompute what packets of a section may want, and look for it in the list."""
        states, self.section = self.section, []
        ahead = []
        for self.blamed, _, moves in states:
            ahead.append({(c, self.rings and kind > 1) for c, kind, _ in moves if kind & 1 or not self.escape})
            for channel, _, after in moves:
                must(after < len(states) and states[after][1] == self.to[channel], "state {} is not ahead", after)
        changed = self.escape > self.rings
        while changed:  # escape channels that are come to by normal ones
            changed = False
            for mine, (_, _, moves) in zip(ahead, states, strict=True):
                for _, kind, after in moves:
                    if not kind & 1 and not ahead[after] <= mine:
                        mine |= ahead[after]
                        changed = True
        for self.blamed, _, moves in states:
            for held, _, after in moves:
                lack = ahead[after] - self.wanted.get(held, set()) if self.order[held] >= 0 else ()
                must(not lack, "on channel {} packets may want {}, which is not listed", held, *min(lack, default=()))
                for channel, enters in ahead[after] if self.rings and self.order[held] < 0 else ():
                    must(enters or self.begins[channel], "packets come to channel {}, which has no +", channel)
        self.blamed = self.line

    def finish(self):
        """Packets to a sink, or those that branch, begin at every source."""
        if self.head["states"] and (self.now is None or self.now in self.sink):
            missing = self.source - self.begun - {self.now}
            must(not missing, "no packet from {} to {} so far", min(missing, default=0), self.now)
        self.covered.add(self.now)
        self.begun = set()

    def row_end(self):
        self.close()
        self.finish()
        missing = self.sink - self.covered if self.head["states"] and self.now is not None else ()
        must(not missing, "no packets to {}", min(missing, default=0))
        found = *map(len, (self.source, self.sink, self.far, self.at)), self.dependencies, self.states
        for name, count in zip(COUNTS, found, strict=True):
            must(self.head[name] == count, "{} {} said, {} found", self.head[name], name, count)
        for channel, line in sorted(self.into.items()):
            self.blamed = self.plain.get(channel, line)
            must(channel not in self.plain and not self.begins[channel], "ring at {} entered without bubble", channel)


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
    return made.head


def in_words(head):
    """The same for people: what was checked, and what was not."""
    many = "" if head["vcs"] == 1 else "s"
    yield "{routing} on {network}, {vcs} virtual channel{s}, condition {condition}: accepted".format(s=many, **head)
    yield f"  checked: {head['dependencies']} dependencies; {PROVED[head['condition']]}"
    if head["states"]:
        escapes = ", and an escape each" if "escape" in head["condition"] else ""
        ends = "that branch, from every source" if "branching" in head else "from every source to every sink"
        yield f"  checked: {head['states']} packet states, {ends}, have no others{escapes}"
        yield "  believed: that links and states are those of this network and routing"
    else:
        yield "  not checked: that packets have no other dependencies, as no packet states are listed"


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
