"""Holds `prove` against a search of all buffer states: `python -m tests.agree.campaign --count 1000`.

The instances are those of `instances`, the states those of `tests/naive/buffers.py`. One line for each instance where
the two differ, then a table of all, by kind. Exit status 1 when a verdict differs in the direction that matters: said
free, and a deadlock is reached. With `--certificates` those said to be free are certified, and a file that a checker
refuses, or that is not true, counts as well.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.agree.certified import Checkers
from tests.agree.instances import KINDS, instance
from tests.naive.buffers import Buffers, Flow, Found, Places, explore, places_of, search

from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import prove

ONE, TWO = "cut-through, one packet a buffer", "cut-through, two packets a buffer"
EMPTY, TAIL = "wormhole, buffers given when empty", "wormhole, buffers given behind the tail"
BUBBLE = "bubbles, two packets a buffer"
FLOWS = {
    ONE: Flow(1),
    TWO: Flow(2),
    EMPTY: Flow(1, lengths=(1, 2, 3), empty=True),
    TAIL: Flow(2, lengths=(2, 3)),
    BUBBLE: Flow(2, bubble=True),
}
"""Under cut-through a packet is in one buffer and counts as one flit; buffers of one flit are empty behind a tail."""
MOST = {ONE: 50_000, TWO: 20_000, EMPTY: 30_000, TAIL: 3_000, BUBBLE: 200_000}
"""States that are looked at, in each part of a network."""
FEW_PLACES, FEW_STATES = 20, 10_000
"""Up to so many places the states of all packets are searched too, whether or not they could stand in a deadlock."""


class Compared(NamedTuple):
    """What `prove` says of an instance, and what was reached."""

    number: int
    kind: str
    what: str
    proof: Proof
    found: dict[str, Found]
    """By flow control; of a verdict for bubbles that alone."""
    whole: int
    """Of these searches, those done once more with all packets, to the end and with the same result."""
    certificates: int = 0
    """Files written."""
    refused: tuple[str, ...] = ()
    """What is wrong with them."""

    @property
    def said(self) -> str:
        """The verdict, and of a free one the condition."""
        words = {"bubble": "bubbles", "Duato's": "Duato", "acyclic": "acyclic"}
        return f"free ({words[self.proof.method.split()[0]]})" if self.proof.deadlock_free else self.proof.verdict

    @property
    def reached(self) -> str:
        """`deadlock` under some flow control, else `over` where one has too many states, else `none`."""
        verdicts = {found.verdict for found in self.found.values()}
        return next(verdict for verdict in ("deadlock", "over", "none") if verdict in verdicts)

    @property
    def differs(self) -> bool:
        """Whether it is said to be free, and a deadlock is reached."""
        return self.proof.deadlock_free and any(
            found.verdict == "deadlock" for flow, found in self.found.items() if flow in _spoken_of(self.proof)
        )

    def __str__(self) -> str:
        """One line."""
        each = ", ".join(f"{flow}: {found.verdict} ({found.states} states)" for flow, found in self.found.items())
        return f"{self.number} ({self.kind}; {self.what}): {self.said}; {each}"


def _spoken_of(proof: Proof) -> list[str]:
    """The flow controls under which a verdict says something."""
    if "bubble" in proof.method:
        return [BUBBLE]
    return [ONE, TWO, EMPTY] if "Duato" in proof.method else [ONE, TWO, EMPTY, TAIL]


def _once_more(places: Places, flow: Flow, found: Found, share: float) -> bool:
    """Whether the states of all packets were searched to the end; raises AssertionError when that ends otherwise."""
    if len(places.channel) > FEW_PLACES or found.verdict == "over":
        return False
    again = search(Buffers(places, flow, lean=False), round(FEW_STATES * share))
    assert again.verdict in ("over", found.verdict), f"{again.verdict} of all packets, {found.verdict} of some"
    return again.verdict != "over"


def compare(number: int, seed: int, share: float = 1.0, kind: str = "", checkers: Checkers | None = None) -> Compared:
    """One instance. Of a verdict `deadlock` flow controls are tried until one has a deadlock; else all of them."""
    made = instance(number, seed, kind)
    proof, places, found, whole = prove(made.bound), places_of(made.bound), {}, 0
    for flow in [BUBBLE] if "bubble" in proof.method else [ONE, TWO, EMPTY, TAIL]:
        found[flow] = explore(places, FLOWS[flow], round(MOST[flow] * share))
        whole += _once_more(places, FLOWS[flow], found[flow], share)
        if proof.verdict == "deadlock" and found[flow].verdict == "deadlock":
            break
    what = f"{made.bound.name} on {made.bound.network.spec}, {made.bound.vcs} virtual channels"
    files, wrong = checkers.refused(made.bound, proof) if checkers is not None and proof.deadlock_free else (0, [])
    return Compared(number, made.kind, what, proof, found, whole, files, tuple(wrong))


def _rows(all_of: list[Compared]) -> Iterator[list[object]]:
    """The table: for each kind, and for all."""
    for kind in [*KINDS, "all"]:
        mine = [one for one in all_of if kind in (one.kind, "all")]
        if not mine:
            continue
        said = Counter(one.said for one in mine)
        yield [
            kind,
            len(mine),
            *(said[f"free ({how})"] for how in ("acyclic", "Duato", "bubbles")),
            said["deadlock"],
            sum(one.said == "deadlock" and one.reached == "deadlock" for one in mine),
            said["unproved"],
        ]


def report(all_of: list[Compared]) -> str:
    """Tables of what was said and reached."""
    head = ["kind", "drawn", "acyclic", "Duato", "bubbles", "said `deadlock`", "reached", "`unproved`"]
    lines = [head, ["---"] * len(head), *_rows(all_of)]
    text = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    text += ["", "| verdict | flow control | no deadlock | deadlock | too many states |", "|---|---|---|---|---|"]
    for said in sorted({one.said for one in all_of}):
        for flow in FLOWS:
            ends = Counter(one.found[flow].verdict for one in all_of if one.said == said and flow in one.found)
            if ends:
                text.append(f"| {said} | {flow} | {ends['none']} | {ends['deadlock']} | {ends['over']} |")
    text += [
        "",
        "| `unproved`, by kind | flow control | no deadlock | deadlock | too many states |",
        "|---|---|---|---|---|",
    ]
    for kind in KINDS:
        for flow in FLOWS:
            mine = [one for one in all_of if one.said == "unproved" and one.kind == kind and flow in one.found]
            ends = Counter(one.found[flow].verdict for one in mine)
            if ends:
                text.append(f"| {kind} | {flow} | {ends['none']} | {ends['deadlock']} | {ends['over']} |")
    return "\n".join(text)


def main() -> int:
    """Compare what the options name, and say what differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="Instances.")
    options.add_argument("--first", type=int, default=0, help="Number of the first one.")
    options.add_argument("--seed", type=int, default=0, help="Another seed, other instances.")
    options.add_argument("--only", choices=KINDS, default="", help="One kind; all in turn if left out.")
    options.add_argument("--share", type=float, default=1.0, help="Of the states that are looked at otherwise.")
    options.add_argument("--certificates", action="store_true", help="Of the free ones, through all checkers.")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return _run(given, Checkers(Path(folder)) if given.certificates else None)


def _run(given: argparse.Namespace, checkers: Checkers | None) -> int:
    began, all_of = time.process_time(), list[Compared]()
    for number in range(given.first, given.first + given.count):
        all_of.append(compare(number, given.seed, given.share, given.only, checkers))
        one = all_of[-1]
        if one.refused:
            print("REFUSED", one, *one.refused, flush=True)
        if one.differs or (one.said == "deadlock" and one.found[ONE].verdict != "deadlock"):
            print("DIFFERS" if one.differs else "not with one packet a buffer", one, flush=True)
    print(report(all_of))
    states = sum(found.states for one in all_of for found in one.found.values())
    wrong = sum(one.differs for one in all_of)
    searches, whole = sum(len(one.found) for one in all_of), sum(one.whole for one in all_of)
    print(f"\n{len(all_of)} instances, {searches} searches, {whole} of them once more with all packets")
    refused = sum(bool(one.refused) for one in all_of)
    if checkers is not None:
        print(f"{sum(one.certificates for one in all_of)} certificates written, those of {refused} instances refused")
    print(f"{states} states, {time.process_time() - began:.0f} CPU s, {wrong} differ")
    return 1 if wrong or refused else 0


if __name__ == "__main__":
    sys.exit(main())
