"""`jumpnet prove --explain` and `--replay`: the words, the JSON, the trace that `simulate` repeats, one-line errors."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from jumpnet.analysis.deadlock import explain as explain_module
from jumpnet.cli import run_words
from jumpnet.errors import JumpnetError
from jumpnet.replay import deadlock as deadlock_replay

RING = ["prove", "torus:4x4", "--routing", "torus.dimension_order"]
NEARER = """
from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, NORMAL, PORT, VC, Routing


def relation(net, here, head, out):
    count = 0
    for d in range(net.coord.shape[1]):
        away = net.coord[head[DESTINATION], d] - net.coord[here, d]
        if away != 0:
            out[count, PORT] = 2 * d if away > 0 else 2 * d + 1
            out[count, VC] = out[count, NEXT_STATE] = 0
            out[count, KIND] = NORMAL
            count += 1
    return count


FREE = Routing(name="all.turns", relation=relation, adaptive=True)
"""


def _row(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run_words([*words, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_words_for_a_cycle_and_for_an_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_words([*RING, "--explain"]) == 0
    said = capsys.readouterr().out
    assert "packet from 3 to 1 holds 3 -> 0 (dimension 0 +, vc 0) and waits for 0 -> 1 (dimension 0 +, vc 0)" in said
    assert "none can move" in said and "━" not in said
    assert run_words(["prove", "torus:4x4", "--explain"]) == 0
    said = capsys.readouterr().out
    assert "Dally and Seitz" in said and "4. dimension 1 +, vc 1" in said and "coordinate 1 rises" in said


def test_where_no_packet_moves_nothing_waits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run_words(["prove", "torus:1x1", "--explain", "--certificate", str(tmp_path / "one.cert")]) == 0
    said = capsys.readouterr()
    assert "No packet asks for a channel" in said.out and "chain" not in said.out
    assert "more than" not in said.err  # it has all states: none


def test_the_same_as_objects(capsys: pytest.CaptureFixture[str]) -> None:
    said = _row([*RING, "--explain"], capsys)["explanation"]
    assert said["waiting"] == "stuck" and len(said["packets"]) == 4
    first = said["packets"][0]
    assert (first["source"], first["destination"], first["routers"], first["or_for"]) == (0, 2, [0, 1], [])
    assert first["waits_for"] == said["packets"][1]["holds"]
    free = _row(["prove", "torus:4x4", "--explain"], capsys)["explanation"]
    assert free["packets"] == [] and free["waiting"] is None and free["longest_chain"]
    assert [group["step"] for group in free["groups"]] == sorted(group["step"] for group in free["groups"])


def test_words_and_a_run_need_no_search_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (explain_module, deadlock_replay):
        monkeypatch.delattr(module, "dependencies")
    assert run_words([*RING, "--explain", "--replay"]) == 0
    said = capsys.readouterr().out
    assert "none can move" in said and "run into a deadlock" in said


@pytest.mark.parametrize(
    "words",
    [
        RING,
        ["prove", "srt2d:16", "--routing", "srt.hierarchical"],
        ["prove", "mesh:3x3", "--routing", "all.turns", "--load", "nearer.py"],
    ],
    ids=["torus", "srt", "own"],
)
def test_simulate_repeats_the_run(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nearer.py").write_text(NEARER)
    run = _row([*words, "--replay", "--packets", "packets.csv"], capsys)["replay"]
    assert run["found"] and run["how"] == "timed" and run["ring_of_the_proof"]
    command = shlex.split(run["command"])
    assert command[:2] == ["jumpnet", "simulate"] and "packets.csv" in command
    own = words[words.index("--load") :] if "--load" in words else []
    assert run_words([*command[1:], *own, "--json"]) == 0
    said = capsys.readouterr()
    ring = {(c["router"], c["port"], c["vc"]) for c in run["ring"]}
    assert json.loads(said.out)["deadlocked"] is True
    assert all(str(channel) in said.err for channel in ring) and said.err.startswith("jumpnet: deadlock: ")


def test_packets_that_are_not_there_are_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "packets.csv"
    for name, none in (("TIMED", 0), ("REPEATED", 0), ("HEAVY", ())):
        monkeypatch.setattr(deadlock_replay, name, none)
    assert run_words(["prove", "torus:4", *RING[2:], "--replay", "--packets", str(file)]) == 0
    assert f"{file} is not written: no run into a deadlock was found" in capsys.readouterr().err and not file.exists()


def test_a_person_reads_settings_packets_and_ring(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_words([*RING, "--replay"]) == 0
    said = capsys.readouterr().out
    assert (
        "replay: 4 packets of 20 flits, each sent once, run into a deadlock by cycle 64 (run 1 of those tried)" in said
    )
    assert "settings: vcs=1, buffer_flits=2" in said and "3-0 (vc 0) -> 0-1 (vc 0)" in said
    assert "write its packets with --packets FILE" in said
    assert run_words(["prove", "torus:5", "--routing", "torus.dateline", "--vcs", "1", "--replay"]) == 0
    assert "by this command only; simulate takes no fewer than 2 virtual channels" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["torus:4x4", "--replay"], "is free of deadlock: there is none to run into"),
        (["torus:4x4", "--packets", "some.csv"], "--packets some.csv without --replay found"),
        (["torus:4x4", "--least-vcs", "--explain"], "--explain together with --least-vcs found"),
        (["rdt:8", "--multicast", "chip", "--replay"], "--replay together with --multicast found"),
    ],
)
def test_errors_in_one_line(words: list[str], message: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        run_words(["prove", *words])
    assert message in str(caught.value) and "\n" not in str(caught.value)
