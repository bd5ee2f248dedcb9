"""One page that checks a certificate of condition `acyclic`: `check_acyclic.py FILE` (Python 3.10 and nothing else).

Channels have numbers, and no packet that holds one asks next for one of the same or a lower number: so none closes a
cycle of packets that wait (Dally and Seitz 1987). `docs/certificates.md` has the format and what is left to believe.
Exit status 0, or 1 and the line at fault. What is form alone, as the order of lines, is left to check_certificate.py,
which knows all conditions.
"""

import gzip
import sys
import zlib

ABOUT = ("jumpnet-certificate", "network", "routing", "condition", "vcs", "routers")
ALL = "all that it branches to"
COUNTS = ("sources", "sinks", "links", "channels", "dependencies", "states")


class Refused(Exception):
    """Why a file proves nothing."""


def must(good, why):
    if not good:
        raise Refused(why)


def numbers(words):
    must(all(word.isascii() and word.isdigit() for word in words), "whole numbers expected")
    return list(map(int, words))


class Certificate:
    def __init__(self):
        self.line, self.said, self.found = 0, {}, dict.fromkeys(COUNTS, 0)
        self.routers = {"source": set(), "sink": set()}  # those that send, and those that receive
        self.far, self.channels = {}, []  # (router, port) -> router; (router, port, vc), router ahead, number
        self.sink, self.source, self.states = None, [], []  # of packets to a sink, from one source if any is named
        self.begun = set()  # (router, sink)

    def read(self, word, rest):
        """Take in a line, and check what it says by itself."""
        if word in self.routers:
            self.routers[word].update(numbers(rest))
            self.found[word + "s"] += len(rest)
        elif word == "link":
            router, port, far, _ = numbers(rest)
            must((router, port) not in self.far and not self.channels, "a link again, or too late")
            self.far[router, port] = far
        elif word == "channel":
            index, router, port, vc, number = numbers(rest[:-1])
            must(index == len(self.channels) and vc < int(self.said["vcs"]), "channel expected")
            must(not index or (router, port, vc) > self.channels[-1][0], "channels must ascend, none twice")
            self.channels.append(((router, port, vc), self.far[router, port], number))
        elif word == "wants":
            for wanted in numbers(rest)[1:]:
                self.ascends(int(rest[0]), wanted)
                self.found["dependencies"] += 1
        elif word in ("to", "branches"):
            self.close()
            must(self.sink != ALL and (word == "to" or self.sink is None), "no place for packets that branch")
            self.sink, self.source, self.states = numbers(rest[:1])[0] if word == "to" else ALL, numbers(rest[2:]), []
        elif word == "state":
            (index, router), ways = numbers(rest[:2]), numbers(rest[4:])
            must(index == len(self.states) and len(ways) % 3 == 0 and self.sink is not None, "state expected")
            must(rest[2] != "+" or self.source in ([], [router]), f"packets of source {self.source} begin elsewhere")
            must(ways or self.sink in (router, ALL), f"a packet to {self.sink} ends here")
            must(all(self.channels[held][0][0] == router for held in ways[::3]), "a channel begins elsewhere")
            self.states.append((self.line, router, list(zip(ways[::3], ways[2::3], strict=True))))
            self.begun.update([(router, self.sink)] if rest[2] == "+" else [])
        else:
            must(word in ABOUT + COUNTS and word not in self.said and rest, "a line that may not stand here")
            self.said[word] = " ".join(rest)
        if word in ("link", "channel", "state"):
            self.found[word + "s"] += 1

    def ascends(self, held, wanted):
        must(self.channels[held][2] < self.channels[wanted][2], f"{held} to {wanted} does not ascend")
        must(self.channels[held][1] == self.channels[wanted][0][0], f"{wanted} does not begin where {held} ends")

    def close(self):
        """Whatever packets to one sink may want next has a greater number than what they hold."""
        now = self.line
        for line, _, ways in self.states:
            self.line = line
            for held, after in ways:
                must(self.states[after][1] == self.channels[held][1], f"state {after} is not ahead")
                for wanted, _ in self.states[after][2]:
                    self.ascends(held, wanted)
        self.line = now

    def end(self):
        """The whole is there, and where states are listed, packets of every source to every sink are among them."""
        self.close()
        must(self.said["jumpnet-certificate"] == "1" and self.said["condition"] == "acyclic", "another kind of file")
        must(all(int(self.said[name]) == self.found[name] for name in COUNTS), f"other counts found: {self.found}")
        sinks = {ALL} if self.sink == ALL else self.routers["sink"]
        for sink in sinks if self.found["states"] else ():
            missing = {source for source in self.routers["source"] - {sink} if (source, sink) not in self.begun}
            must(not missing, f"no packets from {missing} to {sink}")


def check(lines):
    """What a certificate says, all of which is proved; raises Refused with the line that is wrong."""
    made, ended = Certificate(), False
    try:
        for line, text in enumerate(lines, 1):
            made.line = line
            must(not ended and text.endswith("\n"), "cut off, or goes on after its end")
            word, *rest = text[:-1].split(" ") if text[0] != "#" else "#"
            ended = word == "end"
            made.end() if ended else word != "#" and made.read(word, rest)
        must(ended, "cut off")
    except (Refused, ValueError, IndexError, KeyError) as why:
        said = why if isinstance(why, Refused) else "not a line of this format"
        raise Refused(f"line {made.line}: {said}") from None
    return made.said


def main(name):
    """Check the file of that name; what is to be said of it, or 0."""
    try:
        with (gzip.open if name.endswith(".gz") else open)(name, "rt", encoding="latin-1", newline="\n") as lines:
            said = check(lines)
    except (OSError, EOFError, zlib.error, Refused) as why:
        return f"{name}: {why}"
    print("{routing} on {network}: {dependencies} dependencies ascend, {states} packet states looked at".format(**said))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
