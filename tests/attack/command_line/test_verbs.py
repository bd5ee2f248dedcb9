"""Every verb on spoiled files and on drawn options, a few; more by name: `mutate --verbs`, `options`, `kills`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.attack.command_line.command import HANGS, jumpnet, refused
from tests.attack.command_line.options import LEFT_OUT, drawn_verbs
from tests.attack.command_line.verb_files import NO_FILE, verb_files
from tests.attack.command_line.verbs import Said, fall_of
from tests.attack.ends import kills
from tests.attack.files.mutate import attack

from jumpnet import cli
from jumpnet.analysis.reconfigure import array_for
from jumpnet.errors import JumpnetError
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.topology import build


def test_every_verb_is_attacked() -> None:
    assert {words.split()[1] for words in verb_files()} | NO_FILE == set(cli.verbs())
    assert set(drawn_verbs()) | LEFT_OUT.keys() >= set(cli.verbs())


def test_no_spoiled_file_is_more_than_one_line_of_a_verb() -> None:
    falls, read = attack(list(verb_files()), 3)
    assert not falls
    assert read == 3 * len(verb_files())


def test_no_options_are_more_than_one_line() -> None:
    """In a process of its own, which may be ended where a command hangs."""
    found = subprocess.run(
        [sys.executable, "-m", "tests.attack.command_line.options", "--examples", "15"], capture_output=True, text=True,
        timeout=2 * HANGS, env=os.environ, check=False,
    )  # fmt: skip
    assert found.returncode == 0, f"{found.stdout}\n{found.stderr[-2000:]}"
    assert found.stdout == f"15 commands of each of {len(drawn_verbs())} verbs, 0 verbs fell\n"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Said(0, "fine", ""), ""),
        (Said(2, "", "jumpnet: no"), ""),
        (Said(70, "", "jumpnet: an error of jumpnet's own"), "status 70"),
        (Said(1, "", ""), "status 1"),
        (Said(2, "", ""), "status 2 without a line"),
        (Said(2, "", "jumpnet: one\njumpnet: two"), "several lines"),
        (Said(0, "Traceback (most recent call last)", ""), "a traceback"),
    ],
)
def test_falls_are_seen(said: Said, why: str) -> None:
    assert fall_of(said).startswith(why) and bool(fall_of(said)) == bool(why)


def test_sweeps_that_are_ended_leave_whole_stores() -> None:
    done, wrong, stores = kills.attack(1, 1, 1, time.monotonic() + HANGS)
    assert not wrong
    assert done["full disk"] == 1 and done.total() == 2 and stores == 1


NO_ADDRESS = "local or an address and port expected"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("x", NO_ADDRESS),
        ("[red]", NO_ADDRESS),
        ("tls://", "no answer"),
        ("http://x", "no answer"),
        ("://", "no answer"),
    ],
)
def test_a_scheduler_that_is_none(tmp_path: Path, address: str, why: str) -> None:
    (tmp_path / "s.toml").write_text(kills.STUDY)
    words = ["sweep", "s.toml", "--workers", "1", "--trust-scheduler", "--scheduler", address]
    assert why in refused(*words, folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} - {"s.sqlite"} == {"s.toml"}


@pytest.mark.parametrize("words", [["results", ""], ["plot", ""]])
def test_a_study_without_a_name(words: list[str]) -> None:
    assert refused(*words) == "jumpnet: '.' found, a study file expected"


def test_a_name_that_is_too_long_for_a_file() -> None:
    assert refused("replay", "aa", "--store", "x" * 3000).endswith("file name too long, the name of a file expected")


def test_names_that_are_no_text(tmp_path: Path) -> None:
    """Bytes of a command that are no UTF-8: written, and drawn, as what stands for them."""
    name = os.fsdecode(b"net\xff")
    assert "net" in jumpnet("draw", "torus:4x4", "--title", name, "--out", f"{name}.svg", folder=tmp_path).stdout
    assert "net?" in (tmp_path / f"{name}.svg").read_text()


def test_numbers_of_thousands_of_digits() -> None:
    many = "9" * 5000
    for words in (["degrade", "torus:4x4", "--faults", many], ["simulate", "torus:4x4", "--fault", f"cycle={many}"],
                  ["simulate", "torus:4x4", "--traffic", f"hotspot:nodes={many}"]):  # fmt: skip
        assert "expected" in refused(*words)


def test_lengths_are_bounded_before_they_are_listed() -> None:
    with pytest.raises(JumpnetError, match=r"packet_flits '1\.\.9+' found"):
        packet_lengths("1..999999999999")


def test_a_network_that_is_no_grid_is_no_wafer() -> None:
    with pytest.raises(JumpnetError, match="a two-dimensional torus, mesh or srt2d expected"):
        array_for(build("kautz:2,n=2,directed=true"))
