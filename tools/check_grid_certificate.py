"""Checks Duato's condition on a grid, with the standard library alone: `check_grid_certificate.py FILE` (or -).

The page `docs/certificates.md` has the format, and why what is checked here is enough. Exit status 0 and a few lines
where the file proves what it says; 2 and one line that names the line of the file where it does not.
"""

import gzip
import math
import sys
import zlib

LONGEST, MOST, LONGEST_SIDE = 1 << 20, 10**18, 1024  # bytes of a line; all numbers are smaller; coordinates of a side
HEAD = ("network", "routing", "condition", "vcs", "sides", "ports", "cases")
ROWS = ("port", "class", "case", "end")


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


def bits(word, side):
    """Target coordinates as a number in lower-case hexadecimal digits."""
    must(word and set(word) <= set("0123456789abcdef") and len(word) <= 256, "hexadecimal digits expected")
    must(int(word, 16) < 1 << side, "targets below {} expected", side)
    return int(word, 16)


class Certificate:
    """A certificate, checked as it is read. `blamed` is the line that is looked at."""

    def __init__(self, file):
        self.file, self.line, self.blamed, self.row, self.head, self.sides = file, 0, 0, "port", {}, ()
        self.ports = []  # (dimension, new coordinate by the old one, None where there is no link)
        self.classes = {}  # (port, vc): (line, numbers by the coordinate along the port)
        self.cases = []  # (line, targets by coordinate for each dimension, ways)

    def words(self):
        """The words of the next line that is no remark."""
        while True:
            self.line = self.blamed = self.line + 1
            text = self.file.readline(LONGEST)
            must(text.endswith(b"\n"), "cut off, or longer than {} bytes", LONGEST)
            if not text.startswith(b"#"):
                return text[:-1].decode("ascii").split(" ")

    def check(self):
        """Read it all, then what all cases together must fulfil."""
        must(self.words() == ["jumpnet-grid-certificate", "1"], "'jumpnet-grid-certificate 1' expected")
        for name in HEAD:
            word, _, text = " ".join(self.words()).partition(" ")
            must(word == name and text and text.isprintable(), "{} and its value expected", name)
            self.head[name] = text if name in (*HEAD[:3], "sides") else number(text, 1 << 12)
            must(name != "condition" or text == "escape", "condition escape expected")
            if name == "sides":
                self.sides = [number(word, LONGEST_SIDE + 1) for word in text.split(" ")]
                must(len(self.sides) <= 64 and 0 < math.prod(self.sides) < 1 << 30, "sides of fewer routers expected")
        while self.row != "end":
            word, *rest = self.words()
            row = "case" if word in ("pairs", "take") and self.row == "case" else word
            must(row in ROWS and ROWS.index(row) >= ROWS.index(self.row), "a line that may not stand here")
            self.row = row
            getattr(self, "row_" + word)(*rest)
        self.line = self.blamed = self.line + 1
        must(not self.file.read(1), "the file goes on after its end")

    def row_port(self, index, dimension, *to):
        d = number(dimension, len(self.sides))
        must(number(index) == len(self.ports), "port {} expected", len(self.ports))
        must(len(to) == self.sides[d], "{} coordinates expected", self.sides[d])
        self.ports.append((d, [None if word == "-" else number(word, self.sides[d]) for word in to]))

    def row_class(self, port, vc, *numbers):
        key = number(port, len(self.ports)), number(vc, self.head["vcs"])
        must(key not in self.classes and len(numbers) == self.sides[self.ports[key[0]][0]], "a number for each place")
        self.classes[key] = self.line, [number(word) for word in numbers]

    def row_case(self, index):
        self.close()
        must(number(index) == len(self.cases), "case {} expected", len(self.cases))
        self.cases.append((self.line, [], []))

    def row_pairs(self, dimension, *rows):
        _, pairs, takes = self.cases[-1]
        must(number(dimension) == len(pairs) < len(self.sides) and not takes, "dimension {} expected", len(pairs))
        must(len(rows) == self.sides[len(pairs)], "{} rows expected", self.sides[len(pairs)])
        pairs.append([bits(word, len(rows)) for word in rows])

    def row_take(self, port, vc, kind):
        _, pairs, takes = self.cases[-1]
        port, vc, kind = number(port, len(self.ports)), number(vc, self.head["vcs"]), number(kind, 2)
        must(len(pairs) == len(self.sides), "pairs of every dimension expected")
        d, to = self.ports[port]
        must(all(to[x] is not None for x, row in enumerate(pairs[d]) if row), "port {} has no link there", port)
        must(not kind or (port, vc) in self.classes, "an escape without a class")
        takes.append((port, vc, kind))

    def close(self):
        """The last case: whole, and packets without a way are where they should be, others have an escape."""
        if self.cases:
            self.blamed, pairs, takes = self.cases[-1]
            whole = len(pairs) == len(self.sides) and all(any(rows) for rows in pairs)
            must(whole, "pairs of every dimension expected")
            home = all(not row & ~(1 << x) for rows in pairs for x, row in enumerate(rows))
            must(takes or home, "packets without a way that have not arrived")
            must(not takes or any(kind for _, _, kind in takes), "no escape candidate")
            self.blamed = self.line

    def row_end(self):
        self.close()
        must(len(self.ports) == self.head["ports"] and len(self.cases) == self.head["cases"], "other counts were said")
        whole, found = math.prod(self.sides) ** 2, 0
        for i, (line, pairs, _) in enumerate(self.cases):
            self.blamed = line
            found += math.prod(sum(bin(row).count("1") for row in rows) for rows in pairs)
            for _, others, _ in self.cases[:i]:
                apart = (all(not a & b for a, b in zip(*rows, strict=True)) for rows in zip(pairs, others, strict=True))
                must(any(apart), "pairs that are in another case")
        must(found == whole, "{} of {} pairs are in a case", found, whole)
        self.ascend()

    def hull(self, key, kinds):
        """Targets by coordinate for each dimension: at least the pairs that take a channel as one of these kinds."""
        made = [[0] * k for k in self.sides]
        for _, pairs, takes in self.cases:
            if any((port, vc) == key and kind in kinds for port, vc, kind in takes):
                made = [[a | b for a, b in zip(*rows, strict=True)] for rows in zip(made, pairs, strict=True)]
        return made

    def reach(self, d):
        """For coordinates x and y the targets for which normal hops lead from x to y in one dimension."""
        k, hops = self.sides[d], {}
        for _, pairs, takes in self.cases:
            for to in (self.ports[port][1] for port, _, kind in takes if not kind and self.ports[port][0] == d):
                for x, row in enumerate(pairs[d]):
                    hops[x, to[x]] = hops.get((x, to[x]), 0) | row if row else hops.get((x, to[x]), 0)
        order = sorted((x, z, row) for (x, z), row in hops.items() if row)
        made, changed = [[(1 << k) - 1 if x == y else 0 for y in range(k)] for x in range(k)], True
        while changed:
            changed = False
            for x, z, row in order:
                more = [a | (b & row) for a, b in zip(made[x], made[z], strict=True)]
                changed |= more != made[x]
                made[x] = more
            order.reverse()
        return made

    def ascend(self):
        """From each escape class to each that packets on it may ask for, over normal hops, numbers must grow."""
        reach = [self.reach(d) for d in range(len(self.sides))]
        asked = {key: self.hull(key, (1,)) for key in self.classes}
        for (port, vc), (_, low) in self.classes.items():
            begin, (held, to) = self.hull((port, vc), (0, 1)), self.ports[port]
            for (other, other_vc), end in asked.items():
                ways = []
                for d, (rows, ends) in enumerate(zip(begin, end, strict=True)):
                    after = [to[x] if d == held and rows[x] else x for x in range(len(rows))]
                    ways.append(
                        [
                            {y for y, last in enumerate(ends) if row & last & reach[d][after[x]][y]} if row else set()
                            for x, row in enumerate(rows)
                        ]
                    )
                if not all(any(way) for way in ways):
                    continue
                self.blamed, high = self.classes[other, other_vc]
                along, last = ways[held], set().union(*ways[self.ports[other][0]])
                for x, row in enumerate(along):
                    row = row if self.ports[other][0] == held else last if row else ()
                    must(all(low[x] < high[y] for y in row), "port {} vc {} at {} does not ascend to it", port, vc, x)


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
    yield "{routing} on {network}, {vcs} virtual channel{many}, condition {condition} on a grid: accepted".format(
        many=many, **head
    )
    yield f"  checked: {head['cases']} cases hold all pairs of routers of a grid of {head['sides']}, and an escape each"
    yield "  checked: the extended dependencies between classes of escape channels ascend (Duato 1993)"
    yield "  believed: that ports and cases are those of this network and routing"


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
