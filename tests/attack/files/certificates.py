"""Certificates with changes, through the checkers: `python -m tests.attack.files.certificates --count 2000`.

Each file is a good one of some kind with one to three changes that somebody might make, or that a disk might: a bit,
a number, a word or a line altered, dropped, doubled or put elsewhere, often with counts that fit. What a checker then
accepts is held against the definitions (`tests/naive/certificate.py`). Exit status 1 when one was accepted that is
not so, or when the two checkers of all conditions differ: one accepts it, or they name different lines.
"""

from __future__ import annotations

import argparse
import io
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.attack.files.mutate import spoiled
from tests.naive.certificate import is_true
from tools import check_acyclic, check_certificate

from jumpnet.analysis.deadlock.certificates.text import write_certificate, write_multicast_certificate
from jumpnet.analysis.deadlock.multicast import prove_multicast
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.trees import path_rules
from jumpnet.routings import bind
from jumpnet.topology import build

ROOT = Path(__file__).parents[3]
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover"]
GOOD = {
    "acyclic": ("torus.dateline", "torus:4x3"),
    "escape": ("torus.duato", "torus:3x3"),
    "rings": ("torus.bubble", "torus:4x4"),
    "escape-rings": ("torus.bubble_adaptive", "torus:3x3"),
    "sources apart": ("dragonfly.booksim", "dragonfly:2,p=1,a=3,g=4"),
    "branches": ("multicast torus.dateline", "torus:3x3"),
}
EDITS = ("number", "swap", "drop", "double", "cut", "huge", "kind", "order", "bytes", "lines", "bit", "bare")
Check = Callable[[bytes], bool]


@cache
def certificate(name: str, spec: str, states: int = 10**6) -> bytes:
    """The certificate of a routing on a network."""
    with tempfile.TemporaryDirectory() as folder:
        bound = bind(name.removeprefix("multicast "), build(spec))
        if name.startswith("multicast "):
            rules = path_rules(bound)
            write_multicast_certificate(Path(folder) / "c", rules, prove_multicast(rules), states)
        else:
            write_certificate(Path(folder) / "c", bound, prove(bound), states)
        return (Path(folder) / "c").read_bytes()


def refused_at(data: bytes) -> int:
    """The line that the checker in Python names, which raises nothing else; 0 where it accepts the file."""
    try:
        check_certificate.check(io.BytesIO(data))
    except check_certificate.Refused as why:
        return named_line(str(why))
    return 0


def named_line(reason: str) -> int:
    """The line in what a checker says, which is one line itself; 0 of nothing."""
    found = re.fullmatch(r"(?:-: )?line (\d+): .*\n?", reason)
    assert found or not reason, reason
    return int(found[1]) if found else 0


def accepted(data: bytes) -> bool:
    """What the checker in Python says."""
    return not refused_at(data)


def accepted_by_page(data: bytes) -> bool:
    """What the one page for condition `acyclic` says."""
    try:
        check_acyclic.check(io.StringIO(data.decode("latin-1"), newline="\n"))
    except check_acyclic.Refused as why:
        assert str(why).startswith("line ") and "\n" not in str(why)
        return False
    return True


@cache
def _program(name: str) -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    """A checker in C, built once in a process: it takes as long as fifty files. The folder goes with the process."""
    folder = tempfile.TemporaryDirectory()
    program = Path(folder.name) / "check"
    command = [str(COMPILER), "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-o", str(program)]
    source = str(ROOT / "tools" / f"{name}.c")
    if subprocess.run([*command, *SANITIZED, source], capture_output=True, check=False).returncode:
        subprocess.run([*command, source], check=True)
    return program, folder


def reasons_in_c(name: str) -> Callable[[bytes], str]:
    """Why a checker in C refuses a file, empty where it does not; it ends where it does what C leaves undefined, if the
    compiler can. Memory that it does not give back is looked for at each eighth file: that takes twice the rest."""
    program, files = _program(name)[0], itertools.count()

    def check(data: bytes) -> str:
        given = os.environ | ({} if next(files) % 8 == 0 else {"ASAN_OPTIONS": "detect_leaks=0"})
        ran = subprocess.run([program, "-"], input=data, env=given, capture_output=True, check=False)
        assert ran.returncode in (0, 2), ran.stderr.decode()
        assert ran.returncode == 0 or (ran.stderr.startswith(b"-: line ") and ran.stderr.count(b"\n") == 1)
        return ran.stderr.decode("latin-1")

    return check


def compiled() -> Check:
    """Whether the checker in C accepts a file."""
    reason = reasons_in_c("check_certificate")
    return lambda data: not reason(data)


def count_more(lines: list[str], name: str, more: int) -> None:
    """Let the head say what fits the edit, so that it is not refused for that alone."""
    for i, line in enumerate(lines):
        if line.startswith(f"{name} "):
            lines[i] = f"{name} {int(line.split(' ')[1]) + more}"


def without_a_part(words: list[str], k: int, lines: list[str]) -> list[str]:
    """The words of a line without one, with the count in the head; without three of a state; or without any."""
    if words[0] in ("wants", "enters") and len(words) > 2:
        count_more(lines, "dependencies", -1)
        k = max(2, k)
        return words[:k] + words[k + 1 :]
    return words[:-3] if words[0] == "state" and len(words) > 8 else []


def damaged(data: bytes, draw: random.Random) -> bytes:
    """A certificate with one edit that somebody might make, or that a disk might; often with counts that fit."""
    way = draw.choice(EDITS)
    if way in ("bytes", "bit"):
        at = draw.randrange(8 * len(data))
        return (
            spoiled([data], "none", str(draw.random()))
            if way == "bytes"
            else data[: at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1 :]
        )
    lines = data.decode("latin-1").splitlines()
    body = [i for i, line in enumerate(lines) if line[:4] in ("link", "chan", "want", "ente", "stat", "to 0", "bran")]
    if not body:
        return data[: len(data) // 2]
    i = draw.choice(body)
    words = lines[i].split(" ")
    k = draw.randrange(1, max(2, len(words)))
    if way == "number" and k < len(words):
        words[k] = str(draw.choice([0, 1, 2, draw.randrange(80), 10**9, 10**17, 2**64]))
    elif way == "swap":
        j = draw.choice([j for j in body if lines[j].split(" ")[0] == words[0]])
        other = lines[j].split(" ")
        k = min(k, len(other) - 1, len(words) - 1)
        words[k], other[k] = other[k], words[k]
        lines[j] = " ".join(other)
    elif way == "drop":
        words = without_a_part(words, k, lines)
    elif way == "double":
        lines.insert(i, lines[draw.choice(body)])
    elif way == "cut":
        return "\n".join(lines).encode("latin-1")[: draw.randrange(len(data))]
    elif way == "huge":
        j = draw.randrange(9, 17) % len(lines)
        lines[j] = f"{lines[j].split(' ')[0]} {draw.choice([10**9, 10**17, 0, 10**30])}"
    elif way == "bare":
        lines.insert(draw.choice(body), " ".join(words[:2]))
    elif way == "kind" and words[0] == "state" and len(words) > 5:
        words[6] = str(draw.randrange(5))
    elif way == "order" and words[0] == "channel" and len(words) > 5:
        words[5] = draw.choice(["-", "0", "1", str(draw.randrange(40))])
    elif way == "lines":
        j = draw.choice(body)
        lines[j], words = lines[i], lines[j].split(" ")
    lines[i : i + 1] = [" ".join(words)] if words else []
    return ("\n".join(lines) + "\n").encode("latin-1")


def run(count: int, seed: str, in_c: Callable[[bytes], str]) -> int:
    """Spoil so many of each kind; the number of files that were accepted and are not so, or told apart."""
    kinds = {kind: certificate(*of) for kind, of in GOOD.items()}
    kinds["acyclic, no states"] = certificate(*GOOD["acyclic"], 0)
    kinds["escape, no states"] = certificate(*GOOD["escape"], 0)
    wrong = 0
    for kind, good in kinds.items():
        tally: Counter[str] = Counter()
        for number in range(count):
            draw, spoilt = random.Random(f"{seed}/{kind}/{number}"), good
            for _ in range(draw.choice((1, 1, 2, 3))):
                spoilt = damaged(spoilt, draw)
            lines = refused_at(spoilt), named_line(in_c(spoilt))
            said = not lines[0], accepted_by_page(spoilt), not lines[1]
            apart = lines[0] != lines[1] or (said[0] and kind.startswith("acyclic") and not said[1])
            untrue = any(said) and not is_true(spoilt.decode("latin-1"))
            tally[f"accepted, {'NOT ' * untrue}true" if said[0] else "refused"] += 1
            tally["accepted by the page alone"] += said[1] > said[0]
            if apart or untrue:
                wrong += 1
                print(f"{kind} {number}: {said}, lines {lines}, {'not true' if untrue else 'true'}")
        print(f"{kind}: {', '.join(f'{number} {name}' for name, number in sorted(tally.items()) if number)}")
    return wrong


def main() -> None:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", default="0")
    asked = parser.parse_args()
    sys.exit(1 if run(asked.count, asked.seed, reasons_in_c("check_certificate")) else 0)


if __name__ == "__main__":
    main()
