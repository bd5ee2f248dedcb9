"""Whole numbers that no machine word holds, and those that compiled code cannot do with: one line each."""

from __future__ import annotations

import json

import pytest
import typer
from tests.attack.command_line.verbs import say

from jumpnet import cli
from jumpnet.settings.settings import settings_of
from jumpnet.topology import families

BEYOND = str(2**63)
MACHINE = "machine workload:lu,n=8,processors=4 --network rdt:4"
REMAKE = "multicast rdt:8 --source 0 --to 60 --to 3 --cycles --scheme REMAKE --json --remake-cycles"


def _whole(verb: str) -> list[str]:
    """The options of a verb that take a whole number."""
    made = typer.main.get_command(cli.app(verb))
    params = getattr(made, "commands", {verb: made})[verb].params
    kinds = [
        getattr(getattr(p, "type_descriptor", None), "annotation", None) or getattr(p, "type", None) for p in params
    ]
    return [
        p.opts[0]
        for p, kind in zip(params, kinds, strict=True)
        if p.opts[0].startswith("--") and (kind is int or getattr(kind, "name", "") == "integer")
    ]


def test_every_option_refuses_what_no_word_holds() -> None:
    arguments = {
        "new": ["topology", "abc"],
        "search": ["rdt:8"],
        "paper": [],
        "sweep": ["s.toml"],
        "machine": ["t.din"],
    }
    arguments |= {"multicast": ["rdt:4", "--source", "0"], "route": ["torus:4x4", "0", "1"], "chip": ["load", "rdt:4"]}
    found = 0
    for verb in cli.verbs():
        for option in _whole(verb):
            needed = arguments.get(verb, [] if verb in ("compile", "protocol", "workload") else ["torus:4x4"])
            said = say([verb, *needed, f"{option}={BEYOND}"])
            assert said.status == 2 and said.err.startswith(f"jumpnet: {option} {BEYOND} found, "), (verb, said)
            found += 1
    assert found > 20


def test_every_family_refuses_what_no_word_holds() -> None:
    for family in families().values():
        spec = next(iter(family.samples), "")
        for name, setting in settings_of(family).items():
            if not setting.required and setting.kind is int:
                said = say(["metrics", f"{spec},{name}={BEYOND}"])
                assert said.status == 2 and BEYOND in said.err, said


@pytest.mark.parametrize(
    "words",
    [
        f"{MACHINE} --place best --seed -1",
        "chip load rdt:4 --seed -1",
        f"chip load rdt:4 --clocks {2**63 - 1}",
        f"metrics random:64,d=4,t={2**31}",
        "simulate torus:4x4 --load 0.1 --cycles 60 --traffic uniform:self=2",
        f"simulate torus:4x4 --load 0.1 --cycles 60 --traffic uniform:self={2**63 - 1}",
        f"{REMAKE} {2**63 - 1}",
        f"prove torus:3x3 --protocol msi --networks {'9' * 5000}",
    ],
)
def test_numbers_that_nothing_can_be_done_with(words: str) -> None:
    said = say(words.split())
    assert said.status == 2 and len(said.err.splitlines()) == 1, said


def test_a_multicast_is_followed_to_its_end() -> None:
    """It was ended after 100,000 cycles, and its arrival given as -1 without a word."""
    times = [json.loads(say([*REMAKE.split(), str(cycles)]).out)["last_arrival_cycles"] for cycles in (0, 10**6)]
    assert times[0] + 10**6 <= times[1] <= times[0] + 2 * 10**6 + 100
