"""Certificates with one fault each, as somebody might make it who wants a routing believed: both checkers refuse them,
for the reason that is meant, and say the same of numbers altered one by one."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from tests.attack.files.certificates import COMPILER, GOOD, certificate, named_line, reasons_in_c
from tests.laws.certificates.test_grid_certificates import certificate as grid_certificate
from tests.laws.certificates.test_orbit_certificates import certificate as orbit_certificate
from tools import check_certificate, check_grid_certificate, check_orbit_certificate

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler found: cc, gcc or clang")
Reasons = Callable[[str], tuple[str, str]]
"""What the checkers in Python and in C say of a file, '' where they accept it."""


@pytest.fixture(scope="module")
def reasons() -> Callable[[str], Reasons]:
    """Both of a kind."""
    tools = {
        "check_certificate": check_certificate,
        "check_grid_certificate": check_grid_certificate,
        "check_orbit_certificate": check_orbit_certificate,
    }

    def of(name: str) -> Reasons:
        in_c, tool = reasons_in_c(name), tools[name]

        def said(text: str) -> tuple[str, str]:
            try:
                tool.check(io.BytesIO(text.encode()))
            except tool.Refused as why:
                return str(why), in_c(text.encode()).removeprefix("-: ").strip()
            return "", in_c(text.encode())

        return said

    return of


def test_rings_that_are_entered_without_bubble(reasons: Callable[[str], Reasons]) -> None:
    """Marks taken off: of a dependency that leads into a ring, and of packets that begin in one."""
    good, said = certificate(*GOOD["rings"], 0).decode().splitlines(), reasons("check_certificate")
    assert said("\n".join(good) + "\n") == ("", "")
    wants = {words[1]: at for at, words in enumerate(line.split(" ") for line in good) if words[0] == "wants"}
    number = {line.split(" ")[1]: line.split(" ")[5] for line in good if line.startswith("channel ")}
    asked = {held: good[at].split(" ")[2:] for held, at in wants.items()}
    ring = {channel for held, some in asked.items() for channel in some if number[held] == number[channel]}
    tried: Counter[str] = Counter()
    for at, line in list(enumerate(good))[::2]:
        words, spoilt = line.split(" "), list(good)
        entered = [channel for channel in words[2:] if channel in ring]
        if words[0] == "enters" and words[1] in wants and entered:
            rest = [channel for channel in words[2:] if channel != entered[0]]
            spoilt[at] = " ".join([*words[:2], *rest]) if rest else "# none"
            both = sorted([*asked[words[1]], entered[0]], key=int)
            spoilt[wants[words[1]]] = " ".join(["wants", words[1], *both])
        elif words[0] == "channel" and words[1] in ring:
            spoilt[at] = " ".join([*words[:6], "+"])
        else:
            continue
        tried[words[0]] += 1
        why, in_c = said("\n".join(spoilt) + "\n")
        assert why.endswith("entered without bubble") and in_c == why, line
    assert min(tried.values()) > 5 and len(tried) == 2, tried


def test_escapes_that_are_none(reasons: Callable[[str], Reasons]) -> None:
    """A channel that is an escape is taken otherwise as well, or a state is left without its escape."""
    good, said = orbit_certificate("others").splitlines(), reasons("check_orbit_certificate")
    assert said("\n".join(good) + "\n") == ("", "")
    rows = [line.split(" ") for line in good if line.startswith("row ")]
    found: Counter[str] = Counter()
    for at, line in enumerate(good):
        words = line.split(" ")
        if at % 2 or words[0] != "state" or "e" not in words[7::3]:
            continue
        k = 7 + 3 * words[7::3].index("e")
        row, after = rows[int(words[k - 1])], words[k + 1]
        otherwise = [*words[: k - 1], row[3], row[4], after, *words[k - 1 :]]
        without = [*words[: k - 1], *words[k + 2 :]]
        for reason, spoilt in (("an escape is none, too", otherwise), ("no escape candidate", without)):
            if spoilt is without and len(words) == 9:
                continue  # its only way
            why, in_c = said("\n".join([*good[:at], " ".join(spoilt), *good[at + 1 :]]) + "\n")
            assert why == in_c == f"line {at + 1}: {reason}", line
            found[reason] += 1
    assert min(found.values()) > 3 and len(found) == 2, found


def turned(lines: list[str]) -> list[str]:
    """The same with the candidates of each case in another order, and the cases too."""
    first = next(at for at, line in enumerate(lines) if line.startswith("case "))
    cases: list[list[str]] = []
    for line in lines[first:-1]:
        if line.startswith("case "):
            cases.append([])
        cases[-1].append(line)
    made = []
    for k, case in enumerate(reversed(cases)):
        pairs = [line for line in case if line.startswith("pairs ")]
        takes = [line for line in case if line.startswith("take ")]
        made += [f"case {k}", *pairs, *reversed(takes)]
    return [*lines[:first], *made, lines[-1]]


def altered(lines: list[str]) -> Iterator[list[str]]:
    """One number of a class or one kind of a candidate altered."""
    for at, line in enumerate(lines):
        words = line.split(" ")
        if words[0] == "class":
            for k in range(3, len(words)):
                for value in {0, max(0, int(words[k]) - 1), int(words[k]) + 1, 10**6}:
                    yield [*lines[:at], " ".join([*words[:k], str(value), *words[k + 1 :]]), *lines[at + 1 :]]
        elif words[0] == "take":
            yield [*lines[:at], " ".join([*words[:3], str(1 - int(words[3]))]), *lines[at + 1 :]]


@pytest.mark.parametrize(("name", "spec"), [("torus.duato", "torus:4x3")])
def test_numbers_on_a_grid_ascend_or_not_in_both(name: str, spec: str, reasons: Callable[[str], Reasons]) -> None:
    good, said = grid_certificate(name, spec).splitlines(), reasons("check_grid_certificate")
    found: Counter[str] = Counter()
    for lines in (good, turned(good)):
        assert said("\n".join(lines) + "\n") == ("", "")
        for spoilt in random.Random(name).sample(list(altered(lines)), 40):
            why, in_c = said("\n".join(spoilt) + "\n")
            assert why == in_c, (why, in_c)
            found[why.rpartition(" ")[2]] += 1
    assert min(found[""], found["it"], found["class"]) > 1, found


def edited(good: str, draw: random.Random) -> str:
    """One edit of any line of a file of any format."""
    lines = good.splitlines() or ["empty"]
    at, way = draw.randrange(len(lines)), draw.choice(("number", "number", "swap", "move", "drop", "cut", "word"))
    words = lines[at].split(" ")
    k = draw.choice([k for k, word in enumerate(words) if word.isdigit()] or [0])
    if way == "number":
        values = ["0", "1", "2", f"{int(words[k]) + 1 if words[k].isdigit() else 9}", str(10**9), str(2**64)]
        lines[at] = " ".join([*words[:k], draw.choice(values), *words[k + 1 :]])
    elif way == "swap":
        alike = [j for j, line in enumerate(lines) if line.split(" ")[0] == words[0]]
        other = draw.choice(alike)
        lines[at], lines[other] = lines[other], lines[at]
    elif way == "move":
        lines.insert(draw.randrange(len(lines)), lines.pop(at))
    elif way == "drop":
        lines[at] = " ".join(words[:k] + words[k + 1 :])
    elif way == "word":
        lines[at] = " ".join([*words, draw.choice(words)])
    return good[: draw.randrange(len(good) + 1)] if way == "cut" else "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["check_certificate", "check_grid_certificate", "check_orbit_certificate"])
def test_both_name_the_same_line(name: str, reasons: Callable[[str], Reasons]) -> None:
    """Files with one to three edits of any kind, several faults at once among them: the first is the same."""
    goods = {
        "check_certificate": [certificate(*GOOD[kind]).decode() for kind in ("sources apart", "rings")],
        "check_grid_certificate": [grid_certificate("torus.duato", "torus:4x3")],
        "check_orbit_certificate": [orbit_certificate("by orbits"), orbit_certificate("others")],
    }[name]
    said, found = reasons(name), Counter[bool]()
    for number in range(120):
        draw = random.Random(f"{name}/{number}")
        spoilt = draw.choice(goods)
        for _ in range(draw.choice((1, 2, 3))):
            spoilt = edited(spoilt, draw)
        lines = [named_line(why) for why in said(spoilt)]
        assert lines[0] == lines[1], number
        found[lines[0] > 0] += 1
    assert found[True] > 60, found
