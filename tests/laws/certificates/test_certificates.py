"""Certificates in text: every free routing's goes through both checkers, and a damaged one proves nothing untrue."""

from __future__ import annotations

import io
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from tests.attack.files.certificates import (
    COMPILER,
    GOOD,
    Check,
    accepted,
    accepted_by_page,
    certificate,
    compiled,
    count_more,
    damaged,
    named_line,
    reasons_in_c,
    refused_at,
)
from tests.laws.proofs.test_routing_proofs import FREE
from tests.naive.certificate import is_true, listed
from tests.naive.dependency import dependency_sets, extended_set
from tools import check_acyclic
from tools import check_certificate as tool

from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.multicast import branching_states, multicast_dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.trees import path_rules
from jumpnet.errors import JumpnetError
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.routings import bind
from jumpnet.topology import build

ROOT = Path(__file__).parents[3]
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler found: cc, gcc or clang")

SMALL = {
    name: min((spec.replace("rdt:16", "rdt:8") for spec in specs), key=lambda spec: build(spec).routers)
    for name, specs in FREE.items()
}


@pytest.fixture(scope="module")
def in_c() -> Check:
    """The checker in C."""
    return compiled()


@pytest.fixture(scope="module")
def reason_in_c() -> Callable[[bytes], str]:
    """What it says where it refuses a file."""
    return reasons_in_c("check_certificate")


@pytest.mark.parametrize(("name", "spec"), SMALL.items())
def test_every_free_routing_has_one_that_is_accepted(name: str, spec: str) -> None:
    data = certificate(name, spec)
    assert accepted(data) and accepted_by_page(data) == (b"\ncondition acyclic\n" in data)


@needs_compiler
def test_the_checker_in_c_accepts_them_too(in_c: Check) -> None:
    assert not [name for name, spec in SMALL.items() if not in_c(certificate(name, spec))]


def _channels(data: bytes) -> tuple[list[tuple[int, int, int]], set[tuple[int, int]]]:
    found = listed(data.decode())
    return found.channels, found.wants["wants"]


def test_the_dependencies_are_those_of_the_naive_twin() -> None:
    for name, spec in (("torus.dateline", "torus:4x3"), ("mesh.odd_even", "mesh:4x3")):
        channels, wants = _channels(certificate(name, spec))
        used, depends = dependency_sets(bind(name, build(spec)))
        assert set(channels) == used
        assert {(channels[a], channels[b]) for a, b in wants} == depends
    channels, wants = _channels(certificate("torus.duato", "torus:4x3"))
    assert {(channels[a], channels[b]) for a, b in wants} == extended_set(bind("torus.duato", build("torus:4x3")))[1]


@needs_compiler
@pytest.mark.parametrize("kind", GOOD)
def test_a_damaged_one_is_refused_or_still_true(kind: str, reason_in_c: Callable[[bytes], str]) -> None:
    good, passed = certificate(*GOOD[kind]), 0
    for number in range(80):
        spoilt = damaged(good, random.Random(f"{kind}/{number}"))
        line, by_page = refused_at(spoilt), accepted_by_page(spoilt)
        taken = line == 0
        assert line == named_line(reason_in_c(spoilt)), f"the checkers differ on {number}"
        assert by_page or not taken or kind in ("escape", "rings", "escape-rings"), f"the page refuses {number}"
        passed += taken
        if taken or by_page:
            assert is_true(spoilt.decode("latin-1")), number
    assert 0 < passed < 60, "the edits are too weak, or too strong to show anything"


def test_branches_and_acknowledges_are_those_of_the_multicast() -> None:
    """Dependencies found by following headers with the channel held, and those that the listed states have."""
    for rules in (chip_rules(build("prdt:8")), path_rules(bind("torus.dateline", build("torus:3x3")))):
        net, vcs, found = rules.network, rules.vcs, branching_states(rules)
        made = multicast_dependencies(rules)
        forward = sum(found.key[:, 0] >= 0)
        left, channel, _, after = found.ways.T
        assert set(channel[left < forward].tolist()) == made.used and (after < len(found.router)).all()
        ahead = {n: channel[left == n].tolist() for n in range(len(found.router))}
        assert {(c, wanted) for c, n in zip(channel.tolist(), after.tolist(), strict=True) for wanted in ahead[n]} == (
            made.edges
        )
        back = {(c // vcs // net.ports, c // vcs % net.ports) for c in channel[left >= forward].tolist()}
        assert back == {
            (net.neighbor[r, p], net.far_port[r, p]) for r, p in {divmod(c // vcs, net.ports) for c in made.used}
        }
        assert {tree.local for tree in (rules.fork(*start) for start in rules.starts())} == {
            bool(k) for k in found.key[:forward, 1][found.begins[:forward]]
        }


@needs_compiler
def test_packets_that_branch_stand_alone_and_begin_everywhere(in_c: Check, tmp_path: Path) -> None:
    good = certificate(*GOOD["branches"])
    assert accepted(good) and in_c(good) and accepted_by_page(good) and is_true(good.decode())
    (tmp_path / "c.cert").write_bytes(good)
    assert "that branch, from every source" in check_certificate(tmp_path / "c.cert").words[2]
    lines = good.decode().splitlines()
    at = lines.index("branches")
    begins = next(i for i, line in enumerate(lines) if re.match(r"state \d+ 4 \+ \d", line))
    forward = [i for i, line in enumerate(lines) if re.match(r"state \d+ 4 \+ ", line)]
    silent = [line.replace(" + ", " - ") if i in forward else line for i, line in enumerate(lines)]
    for spoilt in (
        silent,
        [*lines[:at], "to 3", *lines[at:]],
        [*lines[:at], "branches", *lines[at:]],
        [*lines[:begins], "to 3", *lines[begins:]],
        [re.sub("^condition acyclic$", "condition rings", re.sub("^(channel .*) -$", r"\1 +", line)) for line in lines],
        [*lines[:at], "to 3", *lines[at + 1 :]],
    ):
        data = ("\n".join(spoilt) + "\n").encode()
        assert not accepted(data) and not in_c(data) and not accepted_by_page(data)


@needs_compiler
def test_sections_that_list_no_states_change_nothing(in_c: Check) -> None:
    bare = certificate(*GOOD["acyclic"], 0)
    for section in (b"to 3\n", b"to 3 from 1\nto 4\n"):
        spoilt = bare.replace(b"\nend\n", b"\n" + section + b"end\n")
        assert accepted(spoilt) and in_c(spoilt)


def _passed_off(data: bytes, gone: int) -> bytes:
    """Without the packets of one source to a sink; those of others that come by are said to begin there instead."""
    head, *sections = re.split(r"(?m)^(?=to )", data.decode())
    come_by = re.compile(rf"(?m)^(state \d+ {gone}) - ")
    sinks = {section.split()[1] for section in sections if section.split()[3] != str(gone) and come_by.search(section)}
    kept, lost = [head], 0
    for section in sections:
        sink, _, source = section.split()[1:4]
        if source == str(gone) and sink in sinks - {source}:
            lost += section.count("\nstate")
        else:
            kept.append(come_by.sub(r"\1 + ", section) if sink != str(gone) else section)
    lines = "".join(kept).splitlines()
    assert lost
    count_more(lines, "states", -lost)
    return ("\n".join([*lines, *["end"] * (lines[-1] != "end")]) + "\n").encode()


@needs_compiler
def test_packets_of_one_source_begin_there_alone(in_c: Check, tmp_path: Path) -> None:
    good = certificate(*GOOD["sources apart"])
    for source in range(12):
        forged = _passed_off(good, source)
        assert not accepted(forged) and not in_c(forged) and not accepted_by_page(forged)
        assert not is_true(forged.decode())
    (tmp_path / "c.cert").write_bytes(_passed_off(good, 0))
    with pytest.raises(JumpnetError, match=r"packets of source \d+ begin at 0"):
        check_certificate(tmp_path / "c.cert")
    nowhere = good.replace(b"\nend\n", b"\nto 11 from 12\nend\n")  # there are 12 routers
    assert not accepted(nowhere) and not in_c(nowhere)


def _round_a_ring(more: str) -> bytes:
    """Packets that all go to the right round a ring of three, which deadlocks; more: what stands after its first two
    dependencies, in place of the one that closes the circle."""
    links = [line for r in range(3) for line in (f"link {r} 0 {(r + 1) % 3} 1", f"link {r} 1 {(r + 2) % 3} 0")]
    channels = [f"channel {c} {c // 2} {c % 2} 0 {order} -" for c, order in enumerate((1, 0, 2, 0, 3, 0))]
    states = [
        line
        for to in range(3)
        for line in (
            f"to {to}",
            *(f"state {r} {r} " + ("- x" if r == to else f"+ x {2 * r} 0 {(r + 1) % 3}") for r in range(3)),
        )
    ]
    head = ["jumpnet-certificate 1", "network n", "routing r", "condition acyclic", "vcs 1", "routers 3"]
    head += [
        "sources 3",
        "sinks 3",
        "links 6",
        "channels 6",
        "dependencies 3",
        "states 9",
        "source 0 1 2",
        "sink 0 1 2",
    ]
    return "\n".join([*head, *links, *channels, "wants 0 2", "wants 2 4", more, *states, "end\n"]).encode()


@needs_compiler
def test_a_line_without_dependencies_lets_none_be_taken_for_those_of_another_channel(in_c: Check) -> None:
    """After `wants 4` alone the checker in C took that of channel 3 for one of channel 4, and accepted the circle."""
    for more in ("wants 4\nwants 3 0", "wants 4 0", "wants 3 0", "wants 3 0\nwants 4"):
        forged = _round_a_ring(more)
        assert not is_true(forged.decode())
        assert not in_c(forged) and not accepted(forged) and not accepted_by_page(forged), more
    good = certificate(*GOOD["acyclic"], 0)
    spoilt = re.sub(rb"\n(wants \d+) ", rb"\n\1\n\1 ", good, count=1)
    assert good != spoilt and accepted(good) and in_c(good)
    assert not accepted(spoilt) and not in_c(spoilt)


def _on_a_line(*body: str, dependencies: int, states: int) -> bytes:
    """Packets from 0 to 2 on one-way links 0, 1, 2, 3, a channel each, whose numbers ascend; body: the lines after."""
    counts = {"sources": 1, "sinks": 1, "links": 3, "channels": 3, "dependencies": dependencies, "states": states}
    head = ["jumpnet-certificate 1", "network n", "routing r", "condition acyclic", "vcs 1", "routers 4"]
    head += [*(f"{name} {many}" for name, many in counts.items()), "source 0", "sink 2"]
    links, channels = (f"link {r} 0 {r + 1} 1" for r in range(3)), (f"channel {r} {r} 0 0 {r} -" for r in range(3))
    return "\n".join([*head, *links, *channels, *body, "end\n"]).encode()


START, ON, LAST = "state 0 0 + x 0 0 1", "state 1 1 - x 1 0 2", "state 2 2 - x"
MISLED = [
    (22, "begins? elsewhere|does not begin", ["to 2", "state 0 0 + x 1 0 1", "state 1 2 - x"], 0),
    (21, "does not begin", ["wants 0 2"], 1),
    (23, "is not ahead", ["wants 0 1", "to 2", START, "state 1 2 - x"], 1),
    (24, "a packet to 2 ends here", ["wants 0 1", "to 2", START, "state 1 1 - x"], 1),
    (24, "state (1 )?expected", ["wants 0 1", "to 2", START, ON.replace("1 1", "2 1"), LAST], 1),
    (26, "counts found|dependencies said", ["wants 0 1", "to 2", START, ON, LAST], 2),
    (21, "too late|may not stand", ["link 3 0 0 1"], 0),
]


@needs_compiler
def test_a_packet_takes_channels_where_it_is(in_c: Check) -> None:
    """Numbers ascend in all of these; each has one fault: a channel or a state elsewhere, an end too early, counts."""
    true = _on_a_line("wants 0 1", "to 2", START, ON, LAST, dependencies=1, states=3)
    assert accepted(true) and accepted_by_page(true) and in_c(true) and is_true(true.decode())
    for at, why, body, dependencies in MISLED:
        states = sum(line.startswith("state") for line in body)
        wrong = _on_a_line(*body, dependencies=dependencies, states=states)
        wrong = wrong.replace(b"links 3", b"links %d" % (3 + sum(line.startswith("link") for line in body)))
        assert not in_c(wrong), body
        for check, refused, file in (
            (check_acyclic.check, check_acyclic.Refused, io.StringIO(wrong.decode())),
            (tool.check, tool.Refused, io.BytesIO(wrong)),
        ):
            with pytest.raises(refused, match=f"^line {at}: .*({why})"):
                check(file)


def test_the_naive_check_sees_what_is_not_true() -> None:
    """The same dependencies with a cycle closed, numbers untouched."""
    good = certificate(*GOOD["acyclic"], 0).decode()
    assert is_true(good)
    row = next(line for line in good.splitlines() if line.startswith("wants "))
    _, held, wanted = row.split(" ")[:3]
    assert not is_true(good.replace(row, f"{row}\nwants {wanted} {held}"))
    states = certificate(*GOOD["acyclic"]).decode()
    assert is_true(states) and not is_true(states.replace(" + ", " - "))
    bubble = certificate(*GOOD["rings"]).decode()
    assert is_true(bubble) and not is_true(bubble.replace(" 2 ", " 0 "))
    duato = certificate(*GOOD["escape"]).decode()
    assert is_true(duato) and not is_true(duato.replace(" 1 ", " 0 "))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("jumpnet-certificate 1", "jumpnet-certificate 2", "line 1: 'jumpnet-certificate 1' expected"),
        ("condition acyclic", "condition cyclic", "line 8: unknown condition"),
        ("routers 12", "routers 1e3", "line 10: a whole number below"),
        ("\nend\n", "\n", "cut off"),
        ("\nend\n", "\nend\nend\n", "the file goes on after its end"),
        ("\nto 3\n", "\nto 2\n", "not in ascending order"),
        ("\nto 3\n", "\nto 3 from\n", "to SINK, or to SINK from SOURCE expected"),
        ("dependencies ", "dependencies 9", "dependencies said,"),
    ],
)
def test_what_is_refused_names_its_line(old: str, new: str, why: str, tmp_path: Path) -> None:
    text = certificate(*GOOD["acyclic"]).decode()
    assert text.count(old) == 1
    (tmp_path / "c.cert").write_text(text.replace(old, new), encoding="ascii")
    with pytest.raises(JumpnetError, match=rf"^{tmp_path}/c.cert: line \d+: ") as refused:
        check_certificate(tmp_path / "c.cert")
    assert why in str(refused.value)


def test_a_missing_dependency_is_refused_at_the_state_that_has_it(tmp_path: Path) -> None:
    lines = certificate(*GOOD["acyclic"]).decode().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("wants ") and len(line.split(" ")) == 4)
    _, held, first, second = lines[at].split(" ")
    lines[at] = f"wants {held} {first}"
    count_more(lines, "dependencies", -1)
    (tmp_path / "c.cert").write_text("\n".join(lines) + "\n", encoding="ascii")
    with pytest.raises(JumpnetError, match=f"on channel {held} packets may want {second}, which is not listed") as no:
        check_certificate(tmp_path / "c.cert")
    line = int(str(no.value).split("line ")[1].split(":")[0])
    assert lines[line - 1].startswith("state ") and f" {held} " in lines[line - 1]


@needs_compiler
def test_a_mark_that_is_missing_among_escapes_is_refused_where_it_is(in_c: Check, tmp_path: Path) -> None:
    """Each kind of move altered in some states: entries of rings unmarked, escapes that are none, none that are."""
    lines = certificate(*GOOD["escape-rings"]).decode().splitlines()
    states = [i for i, line in enumerate(lines) if line.startswith("state ") and len(line.split(" ")) > 5]
    reasons: Counter[str] = Counter()
    for i in random.Random(5).sample(states, 16):
        words = lines[i].split(" ")
        for k in range(6, len(words), 3):
            for kind, begins in product(sorted({"0", "1", "2", "3"} - {words[k]}), "+-"):
                altered = " ".join([*words[:3], begins, *words[4:k], kind, *words[k + 1 :]])
                spoilt = [*lines[:i], altered, *lines[i + 1 :]]
                data = ("\n".join(spoilt) + "\n").encode()
                try:
                    tool.check(io.BytesIO(data))
                except tool.Refused as why:
                    line, reason = str(why).removeprefix("line ").split(": ", 1)
                    assert spoilt[int(line) - 1].startswith(("state", "to", "end"))
                    reasons[re.sub(r"\d+", "N", reason)] += 1
                else:
                    reasons["accepted"] += 1
                    assert is_true(data.decode())
                if reasons.total() % 30 == 0:
                    assert in_c(data) == accepted(data)
    wanted = {"an escape is none, too", "packets come to channel N, which has no +"}
    wanted |= {"packets begin on channel N, which has no +", "on channel N packets may want N, which is not listed"}
    assert wanted <= set(reasons), reasons


def test_without_states_it_says_what_it_did_not_check(tmp_path: Path) -> None:
    (tmp_path / "c.cert").write_bytes(certificate(*GOOD["acyclic"], 0))
    assert "not checked: that packets have no other dependencies" in check_certificate(tmp_path / "c.cert").words[-1]
    (tmp_path / "c.cert").write_bytes(certificate(*GOOD["acyclic"]))
    assert "believed" in check_certificate(tmp_path / "c.cert").words[-1]


def test_a_routing_that_is_not_free_has_none(tmp_path: Path) -> None:
    bound = bind("torus.dateline", build("torus:4x4"), 1)
    with pytest.raises(JumpnetError, match="is not proved free of deadlock: no certificate"):
        write_certificate(tmp_path / "c.cert", bound, prove(bound))


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    """Copied elsewhere, with no way to find the package."""
    shutil.copy(ROOT / "tools" / "check_certificate.py", tmp_path)
    (tmp_path / "c.cert").write_bytes(certificate(*GOOD["rings"]))
    command = [sys.executable, "-I", "-S", "check_certificate.py", "c.cert"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and ran.stdout.startswith(
        "torus.bubble on torus:4x4, 1 virtual channel, condition rings"
    )
    (tmp_path / "c.cert").write_bytes(certificate(*GOOD["rings"])[:-9])
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and ran.stderr.startswith("c.cert: line ") and ran.stderr.count("\n") == 1
