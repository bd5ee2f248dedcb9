"""Our model checker held against Rumur, which runs the models that `jumpnet protocol --export` writes.

Compared are the numbers of states and steps with caches told apart (no reduction by symmetry), the number of states
when those that differ by an exchange of caches are one (exhaustive reduction), and whether there is a fault of safety.
Needs `rumur` and a C compiler; without them it says so. By name, for all protocols:
`python -m tests.agree.murphi --caches 2 3`.
"""

from __future__ import annotations

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import NamedTuple

from jumpnet.coherence.check import ACKNOWLEDGES, ORDERS, check_protocol
from jumpnet.coherence.liveness import check_liveness
from jumpnet.coherence.murphi.export import murphi_model
from jumpnet.coherence.protocol import Protocol, protocols

OPTIONS = ("--deadlock-detection", "off", "--threads", "1")


class Verdict(NamedTuple):
    """What a checker found of a model."""

    states: int
    steps: int
    """All steps; of states that stand for others not those that an exchange of caches makes equal."""
    fault: str
    path: int
    """Steps from the start to the fault."""


def missing() -> str:
    """What is not installed of what Rumur needs, or empty."""
    return ", ".join(program for program in ("rumur", "cc") if shutil.which(program) is None)


def by_rumur(model: str, symmetry: str, optimise: str = "-O0") -> Verdict:
    """Rumur's verdict on the text of a model; symmetry: off or exhaustive."""
    with tempfile.TemporaryDirectory() as folder:
        text, code, verifier = (str(Path(folder) / name) for name in ("model.m", "model.c", "model"))
        Path(text).write_text(model, encoding="utf-8")
        subprocess.run(["rumur", *OPTIONS, "--symmetry-reduction", symmetry, "--output", code, text], check=True)
        width = ["-mcx16"] if platform.machine().lower() in ("x86_64", "amd64") else []
        libraries = ["-lpthread", "-latomic"]
        subprocess.run(["cc", "-std=c11", optimise, "-w", *width, code, "-o", verifier, *libraries], check=True)
        said = subprocess.run([verifier], capture_output=True, text=True, check=False).stdout
    counts = re.findall(r"(\d+) states, (\d+) rules fired", said)
    faults = re.findall(r"error trace for the error:\s*(.*)", said)
    assert counts, said
    assert bool(faults) != ("No error found" in said), said
    path = len(re.findall(r"^Rule .* fired\.$", said, re.MULTILINE))
    return Verdict(int(counts[-1][0]), int(counts[-1][1]), next(iter(faults), ""), path)


def differences(protocol: Protocol, caches: int, order: str, acknowledges: str, symmetry: str) -> str:
    """What Rumur has otherwise than we, or empty. Numbers are compared where neither finds a fault."""
    words = {"order": order, "acknowledges": acknowledges}
    ours = check_protocol(protocol, caches, **words)
    theirs = by_rumur(murphi_model(protocol, caches, **words), symmetry)
    if bool(theirs.fault) != bool(ours.fault):
        return f"ours: {ours.fault or 'no fault'}, Rumur: {theirs.fault or 'no fault'}"
    if ours.fault:
        return ""
    apart = check_liveness(protocol, caches, **words)
    numbers = (
        [(ours.all_states, theirs.states, "states"), (apart.steps, theirs.steps, "steps")]
        if symmetry == "off"
        else [(ours.states, theirs.states, "states")]
    )
    return ", ".join(f"ours: {a:,} {what}, Rumur: {b:,}" for a, b, what in numbers if a != b)


def main(words: list[str]) -> int:
    """All protocols in all networks; the number of differences."""
    parser = argparse.ArgumentParser(prog="tests.agree.murphi", description=__doc__)
    parser.add_argument("--caches", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--symmetry", nargs="+", default=["off", "exhaustive"])
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(words)
    if missing():
        print(f"not installed: {missing()}")
        return 1
    wrong = 0
    chosen = [made for name, made in sorted(protocols().items()) if not options.names or name in options.names]
    for made, *rest in product(chosen, options.caches, ORDERS, ACKNOWLEDGES, options.symmetry):
        found = differences(made, *rest)
        wrong += bool(found)
        print(made.name, *rest, found or "the same", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
