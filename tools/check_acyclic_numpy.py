"""One page that checks long lists of dependencies: `check_acyclic_numpy.py FILE` (Python 3.10 and NumPy).

Of condition `acyclic`: channels have numbers, lie on listed links, and no packet that holds one asks next for one of
the same or a lower number. States of packets are not looked at, which check_acyclic.py does; it says so. It reads whole
sections at once, and is some ten times as fast. Exit status 0, or 1 and the line at fault.
"""

import gzip
import sys
import zlib

import numpy as np

ABOUT = ("jumpnet-certificate", "network", "routing", "condition", "vcs", "routers")
COUNTS = ("sources", "sinks", "links", "channels", "dependencies", "states")
NUMBERS = (*COUNTS, "vcs", "routers")
MOST = 1 << 20  # ports, virtual channels; routers at most the square: so that products fit


REST = b"0123456789 \n"
STATES = b"to ", b"branches\n"


class Refused(Exception):
    """Why a file proves nothing."""


def must(good, why, line=0):
    if not good:
        raise Refused(f"line {line}: {why}" if line else why)


def is_whole(text):
    return text.isascii() and text.isdigit() and len(text) < 19


def is_line(line, word, ends):
    left = line.translate(None, REST).replace(b"+", b"-")
    marked = line.endswith((b" -", b" +")) or ends == word
    return left == ends and line.startswith(word + b" ") and b"  " not in line and line[-1:] != b" " and marked


class Section:
    """All lines that begin with one word, which stand together."""

    def __init__(self, data, word, begin, marked=False):
        self.word, self.begin, self.stop, self.line = word, begin, begin, data.count(b"\n", 0, begin) + 1
        if data.startswith(word + b" ", begin):
            self.stop = data.find(b"\n", data.rfind(b"\n" + word + b" ") + 1) + 1
        text = data[begin : self.stop]
        self.lines = text.count(b"\n")
        ends = word + b"-" * marked
        left, at, marks = text.translate(None, REST), word + b" ", 0
        if marked:  # by a mark at the end of each line, which says nothing of this condition
            left, marks = left.replace(b"+", b"-"), text.count(b" -\n") + text.count(b" +\n")
        begun = text.startswith(at) + text.count(b"\n" + at)
        good = left == ends * self.lines and begun == self.lines and marks == self.lines * marked
        self.numbers = np.zeros(0, np.int64)
        if good:
            plain = text.translate(None, b"+-") if marked else text
            self.numbers = np.fromstring(plain.replace(at, b"-1 "), np.int64, sep=" ")
        if not good or len(self.numbers) != text.count(b" ") + self.lines * (not marked):  # one space before each
            bad = (k for k, one in enumerate(text.split(b"\n")) if not is_line(one, word, ends))
            must(False, f"{word.decode()} and whole numbers expected" + ", then a mark" * marked, self.line + next(bad))
        self.starts = np.flatnonzero(self.numbers == -1)
        self.many = np.diff(self.starts, append=len(self.numbers)) - 1
        must(len(self.starts) == self.lines, f"a line without {word.decode()}", self.line)

    def columns(self, many):
        """So many numbers of each line, (many, lines)."""
        self.hold(self.many == many, f"{many} numbers expected")
        return self.numbers.reshape(self.lines, many + 1).T[1:]

    def hold(self, good, why, each=1):
        """Refuse the first line for which something does not hold; each: how often it is asked of a line."""
        if not good.all():
            first = int(np.argmin(good))
            must(
                False, why, self.line + int(np.searchsorted(np.cumsum(each * np.ones(self.lines, int)), first, "right"))
            )


def heading(text):
    """What the lines before the links say, and how many routers send and receive."""
    said, found = {}, {"source": 0, "sink": 0}
    for line, row in enumerate(text.decode("latin-1").split("\n")[:-1], 1):
        word, *rest = row.split(" ")
        if word in found:
            digits = "".join(rest)
            must(all(rest) and digits.isascii() and digits.isdigit(), "whole numbers expected", line)
            found[word] += len(rest)
        elif not word.startswith("#"):
            must(word in ABOUT + COUNTS and word not in said and rest, "a line that may not stand here", line)
            said[word] = " ".join(rest)
            must(word not in NUMBERS or is_whole(said[word]), "a count is no number", line)
    must(all(name in said for name in ABOUT + COUNTS), "a line of the heading is missing", line + 1)
    must(said["jumpnet-certificate"] == "1" and said["condition"] == "acyclic", "another kind of file", line)
    return said, {"sources": found["source"], "sinks": found["sink"]}


def check(data):
    """What the heading says, where all dependencies that are listed ascend; raises Refused with the line at fault."""
    must(data.endswith(b"\nend\n"), "cut off, or goes on after its end", data.count(b"\n") + 1)
    begin = data.find(b"\nlink ") + 1
    must(begin > 0, "no links", data.count(b"\n"))
    said, found = heading(data[:begin])
    links = Section(data, b"link", begin)
    channels = Section(data, b"channel", links.stop, marked=True)
    wants = Section(data, b"wants", channels.stop)
    router, port, far, _ = links.columns(4)
    links.hold((np.maximum(router, far) < MOST**2) & (port < MOST), "numbers too great")
    order = np.argsort(router * MOST + port, kind="stable")
    place = (router * MOST + port)[order]
    links.hold(np.isin(order, order[1:][place[1:] == place[:-1]], invert=True)[np.argsort(order)], "a link again")
    index, router, port, vc, number = channels.columns(5)
    good = (index == np.arange(len(index))) & (router < MOST**2) & (port < MOST) & (vc < min(int(said["vcs"]), MOST))
    channels.hold(good, "channel expected")
    at = np.searchsorted(place, router * MOST + port) % max(1, len(place))
    channels.hold(place[at] == router * MOST + port, "a channel on no link")
    again = (np.diff(at) < 0) | ((np.diff(at) == 0) & (np.diff(vc) <= 0))
    channels.hold(np.append(True, ~again)[: len(at)], "channels must ascend, none twice")
    is_wanted = wants.numbers >= 0
    is_wanted[wants.starts + 1] = False
    held, wanted, each = (
        wants.numbers[wants.starts + 1].repeat(wants.many - 1),
        wants.numbers[is_wanted],
        wants.many - 1,
    )
    wants.hold(np.maximum(held, wanted) < len(number), "no such channel", each)
    wants.hold(number[held] < number[wanted], "does not ascend", each)
    wants.hold(far[order][at][held] == router[wanted], "does not begin where the other ends", each)
    found |= {"links": links.lines, "channels": channels.lines, "dependencies": len(wanted)}
    last = wants.line + wants.lines
    must(all(int(said[name]) == count for name, count in found.items()), f"other counts found: {found}", last)
    ends = data[wants.stop :] == b"end\n" if int(said["states"]) == 0 else data.startswith(STATES, wants.stop)
    must(ends, "end or states expected", last)
    return said


def main(name):
    """Check the file of that name; what is to be said of it, or 0."""
    try:
        with (gzip.open if name.endswith(".gz") else open)(name, "rb") as file:
            said = check(file.read())
    except (OSError, EOFError, zlib.error, Refused) as why:
        return f"{name}: {why}"
    print("{routing} on {network}: {dependencies} dependencies ascend, packet states not looked at".format(**said))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
