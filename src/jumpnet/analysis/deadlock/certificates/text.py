"""Certificates as text that others check: `write_certificate`. The page `docs/certificates.md` has the format.

Links, channels with their numbers, dependencies, and the states of packets, from which `tools/check_certificate.py`
and its twin in C make the dependencies again. Called by `cli/prove`; user-facing too.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.certificates.grid import grid_lines
from jumpnet.analysis.deadlock.certificates.orbit import orbit_certificate
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.conditions.rings import Marked
from jumpnet.analysis.deadlock.confirmed import confirmed_by, confirmed_of
from jumpnet.analysis.deadlock.cycles.checker import accepts
from jumpnet.analysis.deadlock.dependency import dependencies, dependencies_again
from jumpnet.analysis.deadlock.graph import Dependencies, require_made_of
from jumpnet.analysis.deadlock.multicast import branching_states, multicast_dependencies
from jumpnet.analysis.deadlock.proof import Condition, Proof
from jumpnet.analysis.deadlock.rows.compressed_rows import holders
from jumpnet.analysis.deadlock.walks.packet_states import Section, nearest_first, sections
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.files import replaced
from jumpnet.multicast.forwarding import Forwarding
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64, Array

__all__ = ["MOST_STATES", "Written", "write_certificate", "write_changeover_certificate", "write_multicast_certificate"]

MOST_STATES = 1_000_000
"""Most states of packets that are written by default, some 40 bytes each."""
OF_MORE = ("kinds", "covers")
"""How a proof looks at packets (`Proof.by`), where there may be some among them that no router sends."""
MOST_EXTENDED = 1 << 36
"""Pairs of routers times escape channels up to which a list of extended dependencies is made (a minute)."""
WANTED_A_LINE = 24
REMARKS = """\
# Checked by check_certificate.py and check_certificate.c of jumpnet; its page of certificates has the format.
# link ROUTER PORT FAR-ROUTER FAR-PORT; channel ID ROUTER PORT VC NUMBER, + if packets begin on it unmarked
# wants HELD WANTED...: packets on a channel may want these next (escape: later); enters: likewise, entering a ring
# to SINK, or branches: all ways; state ID ROUTER, + if packets begin so, STATE,INTERMEDIATE,ARRIVAL, CHANNEL KIND NEXT
"""


class Written(NamedTuple):
    """What a certificate holds."""

    condition: Condition
    """acyclic, escape, rings or escape-rings."""
    dependencies: int
    states: int
    """0 where there are more than were asked for: none are written then."""
    cases: int = 0
    """Of pairs of routers, in place of dependencies and states, for Duato's condition on a large grid."""
    orbits: int = 0
    """Of routers, in place of dependencies, where Duato's condition is certified on another large network."""


@dataclass(frozen=True, eq=False)
class _Content:
    """What is proved of which channels."""

    condition: Condition
    lists: dict[str, tuple[I64, I64]]
    """(holder, wanted) by the first word of their lines, in ascending order."""
    begins: Array
    """(C,) whether packets may begin on a channel without the mark ENTERS, where that matters."""

    @property
    def count(self) -> int:
        """How many dependencies are listed."""
        return sum(len(holder) for holder, _ in self.lists.values())


def _content(made: Dependencies, proof: Proof) -> _Content:
    """The condition that holds by the numbers of a proof, and the dependencies that it is about."""
    assert proof.certificate is not None
    none = np.zeros(len(made.used), bool)
    indptr, wanted = made.rows
    holder = holders(indptr)
    if accepts(proof.certificate, holder, wanted):
        return _Content("acyclic", {"wants": (holder, wanted)}, none)
    if proof.condition == "escape-rings":
        among = escape_dependencies(made)
        assert among is not None, "the escapes of a proof are found again"
        return _Content("escape-rings", _by_mark(among[0]), among[0].unmarked & among[1])
    if proof.escape_channels is not None:
        return _Content("escape", {"wants": extended_dependencies(made).pairs}, none)
    marked = marked_dependencies(made)
    return _Content("rings", _by_mark(marked), marked.unmarked)


def _by_mark(marked: Marked) -> dict[str, tuple[I64, I64]]:
    """The lists of dependencies, those that enter a ring apart."""
    kinds = (("wants", ~marked.enters), ("enters", marked.enters))
    return {word: (marked.holder[kind], marked.wanted[kind]) for word, kind in kinds}


@dataclass(frozen=True, eq=False)
class _About:
    """What a certificate is of."""

    network: Network
    spec: str
    """Its name, of all where one takes the place of another."""
    routing: str
    vcs: int
    number: I64
    """(C,) numbers of the channels."""
    used: I64
    """The channels that are listed."""

    @cached_property
    def place(self) -> I64:
        """(C,) place of each channel in the list, -1 of those that are not in it."""
        place = np.full(len(self.number), -1, np.int64)
        place[self.used] = np.arange(len(self.used))
        return place


def _section_lines(section: Section, place: I64) -> Iterator[str]:
    """States by their distance to the destination, so that a checker seldom looks twice."""
    one = f"to {section.sink}\n" if section.source < 0 else f"to {section.sink} from {section.source}\n"
    yield one if section.sink >= 0 else "branches\n"
    count, (left, channel, kind, after) = len(section.router), section.ways.T
    order, new = nearest_first(left, after, count)
    ways = zip(place[channel].tolist(), kind.tolist(), new[after].tolist(), strict=True)
    way = [f" {channel} {kind} {after}" for channel, kind, after in ways]
    at = section.first.tolist()
    router, begins, keys = section.router.tolist(), section.begins.tolist(), section.key.tolist()
    for k, n in enumerate(order.tolist()):
        state, intermediate, arrival = keys[n]
        by = place[arrival] if arrival >= 0 else "-"
        begin = "+" if begins[n] else "-"
        yield f"state {k} {router[n]} {begin} {state},{intermediate},{by}{''.join(way[at[n] : at[n + 1]])}\n"


def _count(all_sections: Iterator[Section], most: int) -> int:
    """Number of states, or 0 where there are more than `most`."""
    total = 0
    for section in all_sections:
        total += len(section.router)
        if total > most:
            return 0
    return total


def _rows(word: str, first: list[int], rest: list[int]) -> Iterator[str]:
    """Lines `word FIRST REST...` of pairs in order, those with the same first number together."""
    ends = np.flatnonzero(np.diff(first)).tolist() if first else []
    begin = 0
    for end in [*(k + 1 for k in ends), len(first)]:
        for k in range(begin, end, WANTED_A_LINE):
            yield f"{word} {first[k]} {' '.join(map(str, rest[k : min(end, k + WANTED_A_LINE)]))}\n"
        begin = end


def _routers(word: str, routers: list[int]) -> Iterator[str]:
    for k in range(0, len(routers), WANTED_A_LINE):
        yield f"{word} {' '.join(map(str, routers[k : k + WANTED_A_LINE]))}\n"


def _lines(about: _About, content: _Content, packets: Iterator[Section], count: int) -> Iterator[str]:
    """The whole file; `count` states are listed."""
    net, vcs, used = about.network, about.vcs, about.used
    sources, sinks = (np.flatnonzero(many > 0).tolist() for many in (net.terminals, net.sinks))
    router, port, far = net.channel_ends
    yield "jumpnet-certificate 1\n" + REMARKS
    for name, text in (("network", about.spec), ("routing", about.routing), ("condition", content.condition)):
        yield f"{name} {text.encode('unicode_escape').decode('ascii')}\n"
    yield f"vcs {vcs}\nrouters {net.routers}\nsources {len(sources)}\nsinks {len(sinks)}\nlinks {len(router)}\n"
    yield f"channels {len(used)}\ndependencies {content.count}\nstates {count}\n"
    yield from _routers("source", sources)
    yield from _routers("sink", sinks)
    columns = router, port, far, net.far_port[router, port]
    for link in zip(*(column.tolist() for column in columns), strict=True):
        yield "link {} {} {} {}\n".format(*link)
    order = about.number[used]
    order = np.where(order >= 0, order, -1) if "escape" in content.condition else order - order.min(initial=0)
    rows = zip(used.tolist(), order.tolist(), content.begins[used].tolist(), strict=True)
    for index, (channel, number, begins) in enumerate(rows):
        place = f"{channel // (net.ports * vcs)} {channel // vcs % net.ports} {channel % vcs}"
        yield f"channel {index} {place} {number if number >= 0 else '-'} {'+' if begins else '-'}\n"
    for word, (holder, wanted) in content.lists.items():
        yield from _rows(word, about.place[holder].tolist(), about.place[wanted].tolist())
    for section in packets if count else ():
        yield from _section_lines(section, about.place)
    yield "end\n"


@public
def write_certificate(
    path: str | Path,
    bound: BoundRouting,
    proof: Proof,
    most_states: int = MOST_STATES,
    made: Dependencies | None = None,
) -> Written:
    """Write the certificate of a proof as text, packed where the name ends in .gz; what it holds.

    The states of packets are written unless there are more than `most_states`, or the proof is by the dependencies of
    another routing (`Routing.among`), where nobody has counted them. Duato's condition on a network that is
    too large for a list of extended dependencies is said by cases of pairs on grids (`grid`), else by
    states of packets from one router of each orbit (`orbit`). Raises JumpnetError where
    the proof has no certificate, where it was changed or is of a routing bound elsewhere and is not what comes out
    where this one is proved (`confirmed`), and when the disk refuses. `made`: the dependencies of the proof, if there
    already. Cost: the proof's walks twice, three times of a changed one, and some 2 microseconds a line.
    """
    if proof.certificate is None:
        raise JumpnetError(f"{proof.routing} on {proof.spec} is not proved free of deadlock: no certificate")
    proof = confirmed_of(bound, proof)
    assert proof.certificate is not None, "numbers that are confirmed are there"
    if made is not None:
        require_made_of(bound, made)
    if made is None or (proof.basis.whole and not made.whole):
        made = dependencies_again(bound, proof.basis)
    if proof.escape_channels is not None and proof.escape_dependencies is None:
        lines = grid_lines(bound)
        if lines is not None:
            held = list(lines)
            _write(path, iter(held))
            return Written("escape", 0, 0, sum(line.startswith("case ") for line in held))
        by_orbits = orbit_certificate(bound, made, proof.certificate, most_states)
        if by_orbits is not None:
            _write(path, by_orbits.lines())
            return Written("escape", 0, by_orbits.states, 0, by_orbits.orbits)
        if proof.by in OF_MORE:
            if bound.network.routers**2 * proof.escape_channels > MOST_EXTENDED:
                raise JumpnetError(
                    f"{proof.routing} on {proof.spec}: the proof is of more packets than there are, which no "
                    "certificate of Duato's condition shows; prove a smaller member of the family"
                )
            made = dependencies(bound)
    content = _content(made, proof)
    about = _About(
        bound.network, bound.network.spec, bound.name, bound.vcs, proof.certificate, np.flatnonzero(made.used)
    )
    job = job_of(bound)
    count = 0 if made.among is not None or made.by == "ways" else _count(sections(bound, job), most_states)
    _write(path, _lines(about, content, sections(bound, job), count))
    return Written(content.condition, content.count, count)


def write_multicast_certificate(
    path: str | Path, rules: Forwarding, proof: Proof, most_states: int = MOST_STATES
) -> Written:
    """As `write_certificate`, of a multicast, whose packets take all ways of their states, and of its acknowledges.

    The dependencies are those with buffers for whole packets: where a packet waits for several channels at once, each
    is one of them. Raises JumpnetError where the proof has no certificate, and when the disk refuses.
    """
    made = multicast_dependencies(rules)
    indptr, wanted = made.rows
    holder = holders(indptr)
    if proof.certificate is None or not accepts(proof.certificate, holder, wanted):
        raise JumpnetError(f"{proof.routing} on {proof.spec} is not proved free of deadlock: no certificate")
    section = branching_states(rules)
    used = np.unique(section.ways[:, 1])
    assert made.used <= set(used.tolist())
    about = _About(rules.network, proof.spec, proof.routing, rules.vcs, proof.certificate, used)
    content = _Content("acyclic", {"wants": (holder, wanted)}, np.zeros(len(proof.certificate), bool))
    count = len(section.router) if len(section.router) <= most_states else 0
    _write(path, _lines(about, content, iter((section,)), count))
    return Written("acyclic", len(wanted), count)


def write_changeover_certificate(
    path: str | Path, change: Changeover, proof: Proof, most_states: int = MOST_STATES
) -> Written:
    """As `write_certificate`, of a change from one routing to another; the packets are those of both, and those turned.

    Raises JumpnetError where the proof has no certificate, where it is of another change or was changed and is not what
    comes out where this change is proved (`confirmed_by`), and when the disk refuses.
    """
    if proof.certificate is None:
        raise JumpnetError(f"{proof.routing} on {proof.spec} is not proved free of deadlock: no certificate")
    proof = confirmed_by(proof, partial(prove_changeover, change), (change.spec, change.name, change.vcs), change)
    assert proof.certificate is not None, "numbers that are confirmed are there"
    pairs, used, states = change.dependencies()
    about = _About(change.old.network, change.spec, change.name, change.vcs, proof.certificate, used)
    escapes, held, wanted = proof.escape_channels is not None, pairs[:, 0], pairs[:, 1]
    if escapes and not proof.of_bubbles:
        held, wanted = change.extended().pairs
    condition: Condition = "escape" if escapes else "acyclic"
    content = _Content(condition, {"wants": (held, wanted)}, np.zeros(len(proof.certificate), bool))
    if proof.of_bubbles:
        marked, condition = change.rings(escapes).marked, "escape-rings" if escapes else "rings"
        content = _Content(condition, _by_mark(marked), marked.unmarked)
    count = states if states <= most_states else 0
    _write(path, _lines(about, content, change.sections(escapes), count))
    return Written(condition, content.count, count)


def _write(path: str | Path, lines: Iterator[str]) -> None:
    """Write a file, packed where its name ends in .gz."""
    with replaced(path) as file:
        if Path(path).suffix == ".gz":
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                packed.writelines(map(str.encode, lines))
        else:
            file.writelines(map(str.encode, lines))
