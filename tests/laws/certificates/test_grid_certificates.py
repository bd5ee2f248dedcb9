"""Certificates of Duato's condition by cases of pairs: two checkers, the definitions, and files with changes."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attack.files.certificates import COMPILER, ROOT, reasons_in_c
from tests.attack.files.mutate import spoiled
from tests.naive.dependency import candidates
from tests.naive.grid_certificate import is_true_on_grid
from tools import check_grid_certificate as tool

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.grid import grid_lines
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes_module
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.routings import bind
from jumpnet.topology import build

SMALL = [
    ("torus.duato", "torus:4x3"),
    ("torus.duato", "torus:5"),
    ("torus.duato", "torus:3x3x2"),
    ("mesh.duato", "mesh:3x4"),
    ("mesh.duato", "mesh:2x3x2"),
    ("mesh.duato", "cmesh:4x4"),
]
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler found: cc, gcc or clang")


def certificate(name: str, spec: str) -> str:
    """The certificate of a routing on a grid."""
    lines = grid_lines(bind(name, build(spec)))
    assert lines is not None
    return "".join(lines)


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
    reason = reasons_in_c("check_grid_certificate")
    return lambda text: reason(text.encode("latin-1"))


@needs_compiler
@pytest.mark.parametrize(("name", "spec"), SMALL)
def test_what_is_written_is_accepted_and_true(name: str, spec: str, in_c: Callable[[str], str]) -> None:
    text = certificate(name, spec)
    assert not refused(text) and not in_c(text) and is_true_on_grid(text)


def test_what_it_rests_on_are_the_candidates_of_the_routing() -> None:
    """Each pair's candidates in the file are those that the routing gives."""
    text, bound = certificate("torus.duato", "torus:4x3"), bind("torus.duato", build("torus:4x3"))
    cases, rows = [], [line.split(" ") for line in text.splitlines()]
    for word, *rest in rows:
        if word == "case":
            cases.append(([], []))
        elif word in ("pairs", "take"):
            cases[-1][word == "take"].append([int(number, 16) for number in rest])
    for here in range(12):
        for to in range(12):
            pair = list(zip((here % 4, here // 4), (to % 4, to // 4), strict=True))
            (found,) = [c for c in cases if all(c[0][d][1 + x] >> e & 1 for d, (x, e) in enumerate(pair))]
            given = candidates(bound, here, to, here, -1, -1, 0, -1)
            assert sorted((port, vc, kind) for port, vc, _, kind in given) == sorted(map(tuple, found[1]))


def damaged(text: str, draw: random.Random) -> str:
    """One change that somebody might make: a number, a digit, a word or a line altered, dropped, doubled, exchanged."""
    lines, way = text.splitlines(), draw.choice(["digit", "number", "swap", "drop", "double", "lines", "kind", "bytes"])
    if way == "bytes":
        return spoiled([text.encode()], "none", str(draw.random())).decode("latin-1")
    i = draw.randrange(9, len(lines) - 1)
    words = lines[i].split(" ")
    k = draw.randrange(1, len(words))
    if way == "digit" and words[0] == "pairs":
        words[max(2, k)] = f"{draw.randrange(1 << 4):x}"
    elif way == "number":
        words[k] = str(draw.choice([0, 1, 2, draw.randrange(60), 10**17, 2**64]))
    elif way == "swap":
        words[k], words[1] = words[1], words[k]
    elif way == "drop":
        words = []
    elif way == "double":
        lines.insert(i, lines[draw.randrange(9, len(lines) - 1)])
    elif way == "lines":
        j = draw.choice([j for j in range(9, len(lines) - 1) if lines[j].split(" ")[0] == words[0]])
        lines[j], words = lines[i], lines[j].split(" ")
    elif way == "kind" and words[0] == "take":
        words[3] = str(1 - int(words[3]))
    lines[i : i + 1] = [" ".join(words)] if words else []
    return "\n".join(lines) + "\n"


@needs_compiler
@pytest.mark.parametrize(("name", "spec"), [SMALL[0], SMALL[3]])
def test_a_damaged_one_is_refused_or_still_true(name: str, spec: str, in_c: Callable[[str], str]) -> None:
    good, passed = certificate(name, spec), 0
    for number in range(150):
        spoilt = damaged(good, random.Random(f"{name}/{number}"))
        why = refused(spoilt)
        assert bool(why) == bool(in_c(spoilt)), f"the checkers differ on {number}: {why}"
        if not why:
            passed += 1
            assert is_true_on_grid(spoilt), number
    assert 0 < passed < 75, "the edits are too weak, or too strong to show anything"


@needs_compiler
@pytest.mark.parametrize("more", ["10", "100000000000000000", "f" * 17, "0"])
def test_targets_beyond_the_side_are_refused_however_long(more: str, in_c: Callable[[str], str]) -> None:
    """Of more than 64 targets the checker in C forgot the first digit where the second was 0."""
    good = certificate("torus.duato", "torus:70")
    row = next(line for line in good.splitlines() if line.startswith("pairs 0 "))
    words = row.split(" ")
    words[2] = more + "0" * (32 - len(words[2])) + words[2]
    spoilt = good.replace(row, " ".join(words), 1)
    assert not refused(good) and not in_c(good)
    assert bool(refused(spoilt)) == bool(in_c(spoilt)) == (more != "0")


def test_each_reason_is_named_with_its_line() -> None:
    good = certificate("torus.duato", "torus:4x3").splitlines()
    seen: Counter[str] = Counter()

    def tried(at: int, line: str, blamed: str | tuple[str, ...]) -> None:
        why = refused("\n".join([*good[:at], *([line] if line else []), *good[at + 1 :]]) + "\n")
        if why:
            number, reason = why.removeprefix("line ").split(": ", 1)
            assert (good if line else [*good[:at], *good[at + 1 :]])[int(number) - 1].startswith(blamed), why
            seen[re.sub(r"\d+", "N", reason)] += 1

    for at, line in enumerate(good):
        words = line.split(" ")
        if words[0] == "class":
            tried(at, " ".join([*words[:3], *("0" for _ in words[3:])]), "class")
        elif words[0] == "take":
            tried(at, " ".join([*words[:3], "0"]), "case")
            tried(at, f"take {words[1]} {words[2]} 1", "take")
            tried(at, "", "case")
        elif words[0] == "pairs":
            tried(at, " ".join([*words[:2], *("f" if words[1] == "0" else "7" for _ in words[2:])]), "c")
            tried(at, "", ("pairs", "take", "case"))
        elif words[0] == "port":
            tried(at, " ".join([*words[:3], *("-" for _ in words[3:])]), "take")
    wanted = {"port N vc N at N does not ascend to it", "no escape candidate", "pairs that are in another case"}
    assert wanted | {"an escape without a class", "packets without a way that have not arrived"} <= set(seen), seen


def test_numbers_of_a_circle_are_refused_whatever_they_are() -> None:
    """The classes of one channel: the escapes of a torus with their datelines taken away wait in a circle."""
    text = re.sub(r"(?m)^take (\d+) 1 1$", r"take \1 0 1", certificate("torus.duato", "torus:4x3"))
    assert "does not ascend" in refused(text) and not is_true_on_grid(text)


def test_large_grids_get_one_and_the_verb_checks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dependency_module, "GRID_ROUTERS", 0)
    monkeypatch.setattr(escapes_module, "MANY_STEPS", 0)
    bound = bind("torus.duato", build("torus:4x3"))
    held = write_certificate(tmp_path / "c.cert.gz", bound, prove(bound))
    assert (held.condition, held.states, held.cases) == ("escape", 0, 23)
    checked = check_certificate(tmp_path / "c.cert.gz")
    assert checked.head["cases"] == 23 and "a grid of 4 3" in checked.words[1]
    (tmp_path / "c.cert").write_text(certificate("mesh.duato", "mesh:3x4").replace("take 0 0 1", "take 0 0 0"))
    with pytest.raises(JumpnetError, match=rf"^{tmp_path}/c.cert: line \d+: no escape candidate$"):
        check_certificate(tmp_path / "c.cert")


def test_the_checker_runs_alone(tmp_path: Path) -> None:
    (tmp_path / "c.cert").write_text(certificate("mesh.duato", "mesh:3x4"))
    command = [sys.executable, "-I", "-S", str(ROOT / "tools" / "check_grid_certificate.py"), str(tmp_path / "c.cert")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and ran.stdout.startswith("mesh.duato on mesh:3x4, 2 virtual channels, condition escape")
