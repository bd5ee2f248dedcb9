"""`jumpnet check`, and `prove --certificate` with a text: endings, JSON, and one line where a file is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jumpnet.analysis.deadlock.certificates import check as certificate_check
from jumpnet.cli import main


def status(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run a command; its exit status."""
    monkeypatch.setattr("sys.argv", ["jumpnet", *map(str, words)])
    with pytest.raises(SystemExit) as caught:
        main()
    return int(caught.value.code or 0)


@pytest.mark.parametrize("name", ["c.cert", "c.cert.gz"])
def test_what_was_written_is_accepted(name: str, tmp_path: Path, monkeypatch, capsys) -> None:
    assert status(monkeypatch, "prove", "mesh:4x4", "--routing", "mesh.duato", "--certificate", tmp_path / name) == 0
    assert not capsys.readouterr().err
    assert status(monkeypatch, "check", tmp_path / name) == 0
    said = capsys.readouterr().out
    assert said.startswith("mesh.duato on mesh:4x4, 2 virtual channels, condition escape: accepted\n")
    assert "and an escape each\n  believed: " in said
    assert status(monkeypatch, "check", tmp_path / name, "--json") == 0
    row = json.loads(capsys.readouterr().out)
    assert row["accepted"] is True and row["channels"] == 96 and row["states"] == 16 * 16


def test_states_are_left_out_when_there_are_more(tmp_path: Path, monkeypatch, capsys) -> None:
    file = tmp_path / "c.cert"
    for states, listed in ((256, 256), (255, 0)):
        assert status(monkeypatch, "prove", "torus:4x4", "--certificate", file, "--states", states) == 0
        assert ("lists dependencies and no packet states" in capsys.readouterr().err) == (not listed)
        assert status(monkeypatch, "check", file, "--json") == 0
        assert json.loads(capsys.readouterr().out)["states"] == listed


def test_a_multicast_and_a_network_with_faults_have_one(tmp_path: Path, monkeypatch, capsys) -> None:
    file, folder = tmp_path / "c.cert.gz", tmp_path / "proofs"
    assert status(monkeypatch, "prove", "prdt:8", "--multicast", "chip", "--certificate", file) == 0
    few = ("--faults", "0,1", "--seeds", 1, "--no-simulate", "--certificates", folder, "--certificates-as", "cert")
    assert status(monkeypatch, "degrade", "torus:4x3", "--kind", "links", *few) == 0
    capsys.readouterr()
    for at, network, states in (
        (file, "prdt:8", True),
        (folder / "links-0-seed-1.cert", "torus:4x3", True),
        (folder / "links-1-seed-1.cert", "torus:4x3 without 1 link", True),
    ):
        assert status(monkeypatch, "check", at, "--json") == 0
        row = json.loads(capsys.readouterr().out)
        assert row["network"] == network and (row["states"] > 0) == states and row["dependencies"] > 0


def test_faults_one_after_another_have_one(tmp_path: Path, monkeypatch, capsys) -> None:
    file, faults = tmp_path / "c.cert", ["--fault", "link=7-8", "--fault", "router=8"]
    words = "prove", "mesh:3x3", "--routing", "lash", "--then", "lash"
    assert status(monkeypatch, *words, *faults, "--certificate", file) == 0
    assert status(monkeypatch, "check", file, "--json") == 0
    row = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert row["accepted"] and row["states"] and row["network"].count(", then ") == 2


def test_a_change_of_routings_has_one(tmp_path: Path, monkeypatch, capsys) -> None:
    file, words = tmp_path / "c.cert", ("prove", "mesh:4x4", "--routing", "mesh.west_first", "--then")
    assert status(monkeypatch, *words, "mesh.dimension_order", "--certificate", file) == 0
    assert capsys.readouterr().out.startswith(
        "mesh.west_first then mesh.dimension_order on mesh:4x4, 1 virtual channel: "
    )
    assert status(monkeypatch, "check", file, "--json") == 0
    assert json.loads(capsys.readouterr().out)["states"] == 2 * 16 * 16
    assert status(monkeypatch, *words, "mesh.north_last") == 0
    assert "shortest cycle, 4 channels" in capsys.readouterr().out


def test_a_proof_is_kept_and_gone_on_with(tmp_path: Path, monkeypatch, capsys) -> None:
    said = []
    for _ in range(2):
        words = ("--checkpoint", tmp_path / "p.npz", "--checkpoint-every", 0, "--json")
        assert status(monkeypatch, "prove", "torus:5x4", "--routing", "lash", *words) == 0
        said.append(capsys.readouterr().out)
        assert (tmp_path / "p.npz").exists()
    assert said[0] == said[1]
    assert status(monkeypatch, "prove", "torus:4x4", "--routing", "lash", *words) == 2
    assert "a checkpoint of another proof or version found" in capsys.readouterr().err


def test_no_proof_no_certificate(tmp_path: Path, monkeypatch, capsys) -> None:
    file = tmp_path / "c.cert"
    assert status(monkeypatch, "prove", "torus:5", "--vcs", 1, "--certificate", file) == 0
    assert "is not written: not proved free of deadlock" in capsys.readouterr().err
    assert not file.exists()


def test_a_refused_file_is_one_line_with_its_line(tmp_path: Path, monkeypatch, capsys) -> None:
    file = tmp_path / "c.cert"
    assert status(monkeypatch, "prove", "torus:4x4", "--certificate", file) == 0
    capsys.readouterr()
    lines = file.read_text(encoding="ascii").splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("wants "))
    held = lines[at].split(" ")[1]
    lines[at] = f"wants {held} {held}"
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    assert status(monkeypatch, "check", file) == 2
    assert capsys.readouterr().err == f"jumpnet: {file}: line {at + 1}: {held} to {held} does not ascend\n"


def test_very_much_text_is_left_to_the_other_checker(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(certificate_check, "MOST_BYTES", 1 << 20)
    (tmp_path / "c.cert").write_bytes(b"jumpnet-certificate 1\n" + b"#\n" * (1 << 19))
    with pytest.raises(certificate_check.JumpnetError, match="more than 1 MiB of text, for which check_certificate"):
        certificate_check.check_certificate(tmp_path / "c.cert")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["prove", "torus:4x4", "--certificate", "c.txt"], "a file ending in .npy, .cert or .cert.gz expected"),
        (
            ["prove", "rdt:8", "--multicast", "chip", "--states", "5"],
            "--states without --certificate FILE.cert found, both expected",
        ),
        (["prove", "torus:4", "--checkpoint-every", "1"], "--checkpoint-every without --checkpoint found"),
        (["prove", "torus:4", "--checkpoint", "no/p.npz"], "folder no not found, an existing one expected"),
        (["prove", "torus:4", "--checkpoint", "p", "--all-sizes"], "--all-sizes together with --checkpoint found"),
        (["prove", "torus:4", "torus:5", "--checkpoint", "p"], "--checkpoint together with several networks found"),
        (["prove", "mesh:4x4", "--then", "lash", "--replay"], "--replay together with --then found"),
        (
            ["prove", "mesh:4x4", "--then", "mesh.odd_even"],
            "mesh.odd_even found in a changeover, a routing expected that",
        ),
        (["degrade", "torus:4", "--certificates-as", "cert"], "--certificates-as without --certificates found"),
        (["degrade", "torus:4", "--certificates-as", "crt"], "unknown --certificates-as"),
        (
            ["prove", "torus:4x4", "--states", "5"],
            "--states without --certificate FILE.cert found, both expected",
        ),
        (
            ["prove", "torus:4x4", "--certificate", "c.npy", "--states", "5"],
            "--states without --certificate FILE.cert found",
        ),
        (["prove", "torus:4x4", "--certificate", "c.cert", "--states", "-1"], "--states -1 found, at least 0 expected"),
        (["check", "no.cert"], "no such file or directory, a certificate expected"),
        (["check", "."], "not a regular file; a certificate expected"),
    ],
)
def test_errors_in_one_line(words: list[str], message: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    assert status(monkeypatch, *words) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1
