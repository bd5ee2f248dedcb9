"""Certificates of Duato's condition by orbits: two checkers, the definitions, and files with changes."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tests.attack.files.certificates import COMPILER, ROOT, reasons_in_c
from tests.attack.files.mutate import spoiled
from tests.naive.dependency import candidates
from tests.naive.orbit_certificate import Channel, Listed, extended, is_true_by_orbits, ways_of
from tools import check_orbit_certificate as tool

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.orbit import orbit_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.translation import dependencies_by_translation
from jumpnet.analysis.deadlock.ways_to_graph.orbits.graph import dependencies_by_orbit
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import STATE, new_head
from jumpnet.topology import build

SMALL = {
    "by orbits": ("rdt.duato", "rdt:8"),
    "one destination": ("hypercube.duato", "hypercube:3"),
    "others": ("hyperx.adaptive", "hyperx:3x2"),
    "all packets": ("mesh.duato", "mesh:3x2"),
}
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler found: cc, gcc or clang")


def looked_at(kind: str, bound: BoundRouting) -> Dependencies:
    """The dependencies of a routing, found in one way."""
    made, job = dependencies(bound, apart=False), job_of(bound)
    if kind == "by orbits":
        there = dependencies_by_orbit(bound, job)
        assert there is not None
        return replace(made, by="orbits", moved=there.moved)
    if kind == "all packets":
        return made
    assert dependencies_by_translation(bound, job) is not None
    return replace(made, by="translation")


@cache
def certificate(kind: str) -> str:
    """The certificate of a routing on a small network."""
    name, spec = SMALL[kind]
    bound = bind(name, build(spec))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(escapes_module, "MANY_STEPS", 0)
        made = looked_at(kind, bound)
        numbers = prove(bound, made=made).certificate
    assert numbers is not None
    found = orbit_certificate(bound, made, numbers, 10**6)
    assert found is not None
    return "".join(found.lines())


def refused(text: str) -> str:
    """Why the checker in Python refuses a file; empty where it does not."""
    try:
        tool.check(io.BytesIO(text.encode("latin-1")))
    except tool.Refused as why:
        assert re.match(r"line \d+: ", str(why)) and "\n" not in str(why)
        return str(why)
    return ""


@pytest.fixture(scope="module")
def in_c() -> Callable[[str], str]:
    """Why the checker in C refuses a file."""
    reason = reasons_in_c("check_orbit_certificate")
    return lambda text: reason(text.encode("latin-1"))


@needs_compiler
@pytest.mark.parametrize("kind", SMALL)
def test_what_is_written_is_accepted_and_true(kind: str, in_c: Callable[[str], str]) -> None:
    text = certificate(kind)
    assert not refused(text) and not in_c(text) and is_true_by_orbits(text)


@pytest.mark.parametrize("kind", SMALL)
def test_what_it_rests_on_are_the_candidates_of_the_routing(kind: str) -> None:
    """At every router, those of each state carried there."""
    name, spec = SMALL[kind]
    listed, bound = Listed(certificate(kind)), bind(name, build(spec))
    keys = [int(line.split(" ")[5]) for line in certificate(kind).splitlines() if line.startswith("state ")]
    for move in sorted(listed.group):
        for (router, target, _, words), key in zip(listed.states, keys, strict=True):
            here, ways = move[router], list(zip(words[::3], words[1::3], strict=True))
            found = [(*listed.asks(here, by, vc), int(vc == "e")) for by, vc in ways]
            given = candidates(bound, here, move[target], here, -1, -1, key, -1)
            assert sorted((port, vc, kind & 1) for port, vc, _, kind in given) == sorted(found)


def damaged(text: str, draw: random.Random) -> str:
    """One change that somebody might make: a number, a word or a line altered, dropped, doubled, exchanged."""
    lines, way = text.splitlines(), draw.choice(["number", "word", "way", "lines", "drop", "double", "bytes", "vcs"])
    if way == "bytes":
        return spoiled([text.encode()], "none", str(draw.random())).decode("latin-1")
    kinds = {"word": "move ,carry,product,row ,number", "way": "state", "vcs": "row ", "number": "number"}
    begins = tuple(kinds.get(way, "links,move,carry,number,row,state").split(","))
    i = draw.choice([i for i, line in enumerate(lines) if line.startswith(begins)] or [len(lines) - 1])
    words = lines[i].split(" ")
    k = draw.randrange(1, max(2, len(words)))
    if way in ("number", "vcs", "word") and k < len(words):
        words[k] = str(draw.choice([0, 1, 2, draw.randrange(60), 10**17, 2**64, "-"]))
    elif way == "way" and len(words) > 6:
        at = 6 + 3 * draw.randrange((len(words) - 6) // 3)
        words[at : at + 3] = draw.choice([[], [*words[at : at + 2], "3"], ["0", "e", words[at + 2]], ["1", "1", "0"]])
    elif way == "drop":
        words = []
    elif way == "double":
        lines.insert(i, lines[draw.randrange(9, len(lines) - 1)])
    elif way == "lines":
        j = draw.choice([j for j in range(9, len(lines)) if lines[j].split(" ")[0] == words[0]])
        lines[j], words = lines[i], lines[j].split(" ")
    lines[i : i + 1] = [" ".join(words)] if words else []
    return "\n".join(lines) + "\n"


@needs_compiler
@pytest.mark.parametrize(("kind", "count"), [("by orbits", 50), ("others", 120)])
def test_a_damaged_one_is_refused_or_still_true(kind: str, count: int, in_c: Callable[[str], str]) -> None:
    good, passed = certificate(kind), 0
    for number in range(count):
        spoilt = damaged(good, random.Random(f"{kind}/{number}"))
        why = refused(spoilt)
        assert bool(why) == bool(in_c(spoilt)), f"the checkers differ on {number}: {why}"
        if not why:
            passed += 1
            assert is_true_by_orbits(spoilt), number
    assert 0 < passed < count / 2, "the edits are too weak, or too strong to show anything"


@needs_compiler
def test_each_reason_is_named_with_its_line(in_c: Callable[[str], str]) -> None:
    """Each kind of line altered in each way that matters; what is accepted all the same is true."""
    good = certificate("others").splitlines()
    seen: Counter[str] = Counter()

    def tried(at: int, line: str) -> None:
        text = "\n".join([*good[:at], line, *good[at + 1 :]]) + "\n"
        why = refused(text)
        said = in_c(text)
        assert bool(why) == bool(said), (line, why, said)
        seen[re.sub(r"\d+", "N", why.partition(": ")[2])] += 1
        assert why or is_true_by_orbits(text), line
        if line.startswith(("move", "carry 1 ")) and why:
            assert why.startswith(f"line {at + 1}: ") and said.startswith(f"-: line {at + 1}: ")

    for at, line in enumerate(good):
        words = line.split(" ")
        if words[0] == "links" and at % 2:
            tried(at, " ".join([*words[:2], words[3], words[2], *words[4:]]))
        elif words[0] == "move":
            tried(at, " ".join([*words[:2], words[3], words[2], *words[4:]]))
            tried(at, " ".join([*words[:3], words[2], *words[4:]]))
        elif words[0] == "carry":
            tried(at, f"carry {words[1]} 0")
            tried(at, "# no carry")
        elif words[0] == "number":
            tried(at, " ".join([*words[:4], "0"]))
            tried(at, " ".join([*words[:4], "-"]))
        elif words[0] == "row":
            tried(at, " ".join([*words[:4], "1"]))
            tried(at, " ".join([*words[:3], str(1 - int(words[3])), *words[4:]]))
        elif words[0] == "state":
            tried(at, " ".join([*words[:4], "-", *words[5:]]))
            tried(at, " ".join(words[:6]))
            tried(at, " ".join([*words[:3], "3", *words[4:]]))
            tried(at, " ".join(word for k, word in enumerate(words) if k < 6 or words[k - (k - 6) % 3 + 1] != "e"))
    wanted = {
        "router N does not take its links along, port by port",
        "each router once expected",
        "router N is not carried to the least of its orbit",
        "router N is not carried",
        "row N to N, at router N, does not ascend",
        "an escape without a number",
        "no packet from N to N",
        "a packet to N ends here",
        "state N is not ahead",
        "no escape candidate",
    }
    assert wanted <= set(seen), wanted - set(seen)


def numbered(pairs: set[tuple[Channel, Channel]], escapes: list[Channel]) -> dict[Channel, int] | None:
    """Numbers that ascend along some pairs, if there are any."""
    order, left = dict[Channel, int](), list(escapes)
    while left:
        ready = [c for c in left if not any(a in left for a, b in pairs if b == c)]
        if not ready:
            return None
        order[ready[0]] = len(order)
        left.remove(ready[0])
    return order


@pytest.mark.parametrize("kind", SMALL)
def test_packets_begin_as_the_routing_lets_them(kind: str) -> None:
    name, spec = SMALL[kind]
    bound = bind(name, build(spec))
    for line in certificate(kind).splitlines():
        words = line.split(" ")
        if words[0] == "state" and words[2] == words[3]:
            assert words[4] == "-", line
        elif words[0] == "state":
            head = new_head(int(words[2]), int(words[3]))
            if bound.routing.start is not None:
                bound.routing.start(bound.view, head, 0, np.zeros(bound.network.ports, np.int64))
            assert (words[4] == "+") == (head[STATE] == int(words[5])), line


def test_what_has_no_place_in_the_file_is_not_written() -> None:
    """Channels taken as escapes and otherwise; more states than were asked for."""
    bound = bind("mesh.duato", build("mesh:3x2"))
    made = dependencies(bound, apart=False)
    numbers = prove(bound, made=made).certificate
    assert numbers is not None and orbit_certificate(bound, made, numbers, 35) is None
    assert orbit_certificate(bound, made, np.arange(len(made.used)), 36) is None
    assert orbit_certificate(bound, made, numbers, 36) is not None


@needs_compiler
def test_moves_must_keep_those_who_send(in_c: Callable[[str], str]) -> None:
    """A source that stands for all others taken out, and with it the states in which its packets begin."""
    lines = certificate("one destination").replace("sources 8", "sources 7").replace("source 0 1", "source 1")
    spoilt = lines.replace(" + ", " - ")
    assert "are carried elsewhere" in refused(spoilt) and "are carried elsewhere" in in_c(spoilt)


@needs_compiler
@pytest.mark.parametrize("hops", [0, 1])
def test_numbers_must_ascend_over_normal_hops_too(hops: int, in_c: Callable[[str], str]) -> None:
    """Numbers that ascend from escape to escape over so many hops, and not over more: states in order, and reversed."""
    text = walked("mesh:3x3")
    ways = ways_of(Listed(text))
    near, whole = extended(ways, hops), extended(ways)
    escapes = sorted({c for found in ways.values() for c, escape, _ in found if escape})
    tried = 0
    for a, b in sorted(whole - near):
        order = numbered({*near, (b, a)}, escapes)
        if order is None:
            continue
        tried += 1
        lines = [line.split(" ") for line in text.splitlines()]
        for words in lines:
            if words[0] == "number":
                words[4:] = [str(order[int(words[1]), int(words[2]), int(words[3])])]
        spoilt = "\n".join(map(" ".join, lines)) + "\n"
        for one in (spoilt, reversed_states(spoilt)):
            assert "does not ascend" in refused(one) and "does not ascend" in in_c(one)
        if tried == 8:
            break
    assert tried
    assert not refused(reversed_states(text)) and not in_c(reversed_states(text))


def reversed_states(text: str) -> str:
    """The same with the last state first."""
    lines = [line.split(" ") for line in text.splitlines()]
    states = [words for words in lines if words[0] == "state"]
    for words in states:
        words[1] = str(len(states) - 1 - int(words[1]))
        words[8::3] = [str(len(states) - 1 - int(after)) for after in words[8::3]]
    rest = [words for words in lines[:-1] if words[0] != "state"]
    return "\n".join(map(" ".join, [*rest, *reversed(states), lines[-1]])) + "\n"


@cache
def walked(spec: str) -> str:
    """A certificate of all packets of `mesh.duato`."""
    bound = bind("mesh.duato", build(spec))
    made = dependencies(bound, apart=False)
    numbers = prove(bound, made=made).certificate
    assert numbers is not None
    found = orbit_certificate(bound, made, numbers, 10**6)
    assert found is not None
    return "".join(found.lines())


def test_large_networks_get_one_and_the_verb_checks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "ORBITS_ROUTERS", 0)
    bound = bind("rdt.duato", build("rdt:8"))
    held = write_certificate(tmp_path / "c.cert.gz", bound, prove(bound))
    checked = check_certificate(tmp_path / "c.cert.gz")
    assert (held.condition, held.orbits) == ("escape", checked.head["orbits"]) and 1 < held.orbits < 64
    assert checked.head["states"] == held.states and "believed: that links and states" in checked.words[-1]
    (tmp_path / "c.cert").write_text(certificate("by orbits").replace(" e ", " 0 "))
    with pytest.raises(JumpnetError, match=rf"^{tmp_path}/c.cert: line \d+: an escape is none, too$"):
        check_certificate(tmp_path / "c.cert")


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    (tmp_path / "c.cert").write_text(certificate("one destination"))
    command = [sys.executable, "-I", "-S", str(ROOT / "tools" / "check_orbit_certificate.py"), str(tmp_path / "c.cert")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and ran.stdout.startswith(
        "hypercube.duato on hypercube:3, 2 virtual channels, condition"
    )
