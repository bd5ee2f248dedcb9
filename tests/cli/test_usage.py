"""Wrong command lines: one line on the error stream, exit status 2, the nearest valid name, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jumpnet.cli import main, verbs
from jumpnet.cli._command.output import print_rows
from jumpnet.notices import QUIET
from jumpnet.topology.rdt import Rdt
from jumpnet.topology.torus import Torus

WRONG = [
    (["lsit"], "unknown verb 'lsit'; did you mean 'list'?"),
    (["list", "--jsn"], "did you mean '--json'?"),
    (["list", "famly"], "did you mean 'family'?"),
    (["list", "a", "b", "c"], "unexpected extra argument"),
    (["list", "routing", "rdt.floting"], "unknown routing 'rdt.floting'; did you mean 'rdt.floating'?"),
    (["list", "scheme", "SM"], "unknown kind with settings 'scheme'; expected one of family,"),
    (["list", "routing", "foo"], "known ones is close, see `jumpnet list routing`"),
    (["simulate", "torus:4x4", "--set", "foo=1"], "known ones is close, see `jumpnet list setting`"),
    (["list", "routing", "minimal", "--for", "torus:4x4"], "--for with minimal found, one of them expected"),
    (["simulate", "torus:4x4", "--set", "vcs=1", "--set", "vcs=2"], "--set vcs=2 found, one value of each setting"),
    (
        [
            "machine",
            "workload:fft,processors=16",
            "--timed",
            "--network",
            "torus:4x4",
            "--cost",
            "data=1",
            "--cost",
            "data=2",
        ],
        "cost 'data=2' found, one value of each cost expected",
    ),
    (["booksim", "none", "seed=1", "seed=2"], "'seed=2' found, one value of each key expected"),
    (["simulate", "torus:4x4", "--set", "allocator=islp"], "unknown value of allocator 'islp'; did you mean 'islip'?"),
    (["paper", "yang2001rtd"], "did you mean 'yang2001rdt'?"),
    (["paper", "--only", "tabel_2"], "did you mean 'table_2'?"),
    (["paper", "yang2001rdt", "--only", "list"], "unknown section 'list'; expected one of"),
    (["draw"], "no SPEC found, one expected: Network, e.g. rdt:64 or torus:8x8."),
    (["metrics"], "no SPEC found, one expected"),
    (["replay", "abc"], "no --store found, one expected"),
    (["route", "torus:4x4", "0", "1", "--vcs", "two"], "--vcs 'two' found, a whole number expected"),
    (["simulate", "torus:4x4", "--set", "vcs=two"], "vcs 'two' found, a whole number expected"),
    (["simulate", "torus:4x4", "--vcs", "2"], "unknown option '--vcs'; did you mean '--set vcs=...'?"),
    (["simulate", "torus:4x4", "--rate", "0.1"], "unknown option '--rate'; did you mean '--load'?"),
    (["simulate", "torus:4x4", "--injection-rate", "0.1"], "did you mean '--load'?"),
    (["simulate", "torus:4x4", "--num-vcs", "2"], "unknown option '--num-vcs'; did you mean '--set vcs=...'?"),
    (["simulate", "torus:4x4", "--set", "vc_buf_size=4"], "BookSim's vc_buf_size is 'buffer_flits' here"),
    (["simulate", "mesh:4x4", "--set", "preset=jump1"], "--set preset=jump1 found, --preset jump1 expected"),
    (["simulate", "mesh:4x4", "--set", "routing=lash"], "--set routing=lash found, --routing lash expected"),
    (["simulate", "mesh:4x4", "--set", "name=jump1"], "--set name=jump1 found, a setting expected"),
    (["simulate", "mesh:4x4", "--multicast", "paths", "--set", "multicast=chip"], "--multicast chip expected"),
    (["simulate", "mesh:4x4", "--multicast", "paths", "--set", "num_vcs=2"], "BookSim's num_vcs is 'vcs' here"),
    (["simulate", "mesh:4x4", "--multicast", "paths", "--set", "vct=1"], "BookSim's vct is 'flow_control' here"),
    (
        ["simulate", "mesh:4x4", "--fault", "cycle=10,link=0-1", "--set", "num_vcs=2"],
        "BookSim's num_vcs is 'vcs' here",
    ),
    (
        ["simulate", "mesh:4x4", "--multicast", "paths", "--set", "foo=2"],
        "unknown setting 'foo'; none of the known ones is close, see `jumpnet list setting`",
    ),
    (["simulate", "torus:4x4", "--routing", "ugal"], "unknown routing 'ugal'; did you mean 'torus.ugal'?"),
    (
        ["prove", "dragonfly:2", "--routing", "adaptive"],  # hyperx.adaptive would not fit
        "unknown routing 'adaptive'; `jumpnet list routing --for dragonfly:2` shows those that fit",
    ),
    (["simulate", "mesh:4x4", "--routing", "dor"], "unknown routing 'dor'; did you mean 'mesh.dimension_order'?"),
    (["simulate", "rdt:8", "--routing", "torus.fixd"], "unknown routing 'torus.fixd'; did you mean 'rdt.fixed'?"),
    (["list", "traffic", "--for", "torus:4x4"], "--for with traffic found, routing expected"),
    (["simulate", "torus:4x4", "--load", "1.5"], "load 1.5 found, 0.0 to 1.0 expected"),
    (["simulate", "torus:4x4", "--load=much"], "--load 'much' found, a number expected"),
    (["simulate", "torus:4x4", "--load", "0.1", "--load=0.2"], "--load 0.1 and --load 0.2 found, one expected"),
    (["simulate", "torus:4x4@", "--load", "0.1,0.2"], "torus:4x4@ found, a routing expected after the @"),
    (["sweep", "study.toml", "--scheduler", "lokal"], "local or an address and port expected; did you mean 'local'?"),
    (["sweep", "study.toml", "--scheduler", "far"], "scheduler 'far' found, local or an address and port expected"),
    (["simulate", "torus:4x4", "--load"], "--load: a value expected, none found"),
    (["metrics", "torus:4x4", "--load"], "--load: a value expected, none found"),
    (["--load"], "--load: a value expected, none found"),
    (["--digits"], "--digits: a value expected, none found"),
    (["metrics", "torus:4x4", "--digit", "3"], "unknown option '--digit'; did you mean '--digits'?"),
    (["metrics", "torus:4x4", "--laod", "a.py"], "unknown option '--laod'; did you mean '--load'?"),
    (["metrics", "torus:4x4", "--quite"], "unknown option '--quite'; did you mean '--quiet'?"),
    (["simulate", "torus:4x4", "--buffer", "2"], "unknown option '--buffer'; did you mean '--set buffer_flits=...'?"),
    (["simulate", "torus:4x4", "--packet", "2"], "unknown option '--packet'; did you mean '--packet-flits'?"),
    (["simulate", "torus:4x4", "--routing"], "--routing: a value expected, none found"),
    (["simulate", "torus:4x4", "--set"], "--set: a value expected, none found"),
    (["sweep", "study.toml", "--workers"], "--workers: a value expected, none found"),
    (["simulate", "torus:4x4", "--quiet"], "no --load found, an offered load such as 0.1 expected with --quiet"),
    (["simulate", "rdt:4", "--quiet", "--multicast", "paths"], "no --load found"),
    (["metrics", "torus:4x4", "--json=yes"], "--json: no value expected"),
    (["draw", "rdtt:16"], "did you mean 'rdt'?"),
    (["route", "rdt:16", "0", "-1"], "unknown option '-1' found, one of `jumpnet route --help` expected"),
    (["prove", "torus:4x4", "--buffers", "flit"], "--buffers without --multicast found, both expected"),
    (["prove", "torus:4x4", "--least-vcs", "--vcs", "2"], "--vcs together with --least-vcs found"),
    (["multicast", "rdt:16", "--source", "0", "--to", "1", "--model", "all-port"], "--model without --broadcast found"),
    (["workload", "--out", "lu.parquet"], "--out without a workload found, both expected"),
    (["metrics", "torus:4x4", "--bisection"], "unknown option '--bisection'; did you mean '--structure'?"),
    (["metrics", "torus:4x4", "--bisecton"], "unknown option '--bisecton'; did you mean '--structure'?"),
    (["metrics", "torus:4x4", "--jso"], "unknown option '--jso'; did you mean '--json'?"),
    (["simulate", "torus:4x4", "--set", "warmup=3"], "unknown setting 'warmup'; did you mean 'warmup_cycles'?"),
    (
        ["workload", "a.csv", "torus:4x4"],
        "'torus:4x4' found, `jumpnet workload NAME` expected; `jumpnet workload NAME --out",
    ),
    (["workload", "torus:4x4"], "unknown workload 'torus': `jumpnet workload NAME --out FILE` writes a trace"),
    (["replay", "torus:4x4", "a.csv"], "a trace by `jumpnet simulate SPEC --trace FILE`"),
    (["machine", "a.csv", "torus:4x4"], "`jumpnet machine FILE --network SPEC` sends a trace over a network"),
    (["prove", "torus:4x4", "torus.dateline"], "'torus.dateline': it is a routing, --routing torus.dateline"),
    (["simulate", "transpose", "--load", "0.1"], "'transpose': it is a traffic pattern, --traffic transpose"),
    (["metrics", "study.toml"], "a study is run by `jumpnet sweep study.toml`"),
    (["route", "0", "1", "torus:4x4"], "unknown family '0': a network such as torus:8x8 comes first"),
    (["list", "--csv", "--json"], "--json and --csv found, one of them expected"),
    (["results", "missing.toml"], "missing.toml: no study found, a study file or its store expected"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda w: " ".join(w) if isinstance(w, list) else "")
def test_one_line_and_status_2(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", *words])
    monkeypatch.setenv(QUIET, "")
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2
    assert said.err.startswith("jumpnet: ") and said.err.count("\n") == 1 and message in said.err
    assert said.out == ""


NOT_WRITTEN = [
    ["draw", "torus:4x4", "--out", "{}"],
    ["export", "torus:4x4", "--out", "{}"],
    ["paper", "li2009rdn", "--out", "{}/there"],
    ["plot", "study.toml", "--out", "{}"],
    ["prove", "torus:4x4", "--certificate", "{}"],
    ["prove", "torus:4x4", "--draw", "{}"],
    ["multicast", "rdt:8", "--source", "0", "--to", "1", "--draw", "{}"],
    ["reconfigure", "torus:8x8", "--draw", "{}"],
    ["protocol", "msi", "--draw", "{}"],
    ["results", "study.toml", "--parquet", "{}"],
    ["simulate", "rdt:8", "--load", "0.1", "--events", "{}"],
    ["workload", "lu", "--out", "{}"],
    ["degrade", "torus:4x4", "--certificates", "{}/there"],
]


PLACES = ["missing/a.svg", "folder.svg", "a.svg/b.svg"]
"""No folder, a folder of that name, a file where a folder should be; verbs that write folders make them."""


@pytest.mark.parametrize(
    ("words", "place"),
    [(words, place) for words in NOT_WRITTEN for place in (PLACES if words[-1] == "{}" else PLACES[2:])],
    ids=lambda part: part if isinstance(part, str) else f"{part[0]}{part[-2]}",
)
def test_what_cannot_be_written_is_said_before_the_work(
    words: list[str], place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "a.svg").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["jumpnet", *words[:-1], words[-1].format(place)])
    for known in (Torus, Rdt):
        monkeypatch.setattr(known, "build", lambda self: pytest.fail("the network was built"))
    with pytest.raises(SystemExit) as stop:
        main()
    said = capsys.readouterr()
    assert stop.value.code == 2 and said.out == "" and said.err.count("\n") == 1
    assert said.err.startswith(f"jumpnet: {place}") and said.err.endswith(" expected\n")


def test_brackets_of_a_table_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows("of [bold]", ["figure"], [["params = [a]"], [[1, 2]]])
    said = capsys.readouterr().out
    assert "of [bold]" in said and "params = [a]" in said and "[1, 2]" in said


def test_every_verb_names_itself_like_its_file() -> None:
    from importlib import import_module

    for verb, module in verbs().items():
        assert verb == import_module(module).NAME


def test_a_reader_that_leaves_is_no_traceback() -> None:
    code = "import sys; from jumpnet.cli import main; sys.argv = ['jumpnet', 'list', '--json']; main()"
    writer = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert writer.stdout is not None and writer.stderr is not None
    writer.stdout.readline()
    writer.stdout.close()
    errors = writer.stderr.read().decode()
    writer.wait(timeout=60)
    writer.stderr.close()
    assert "Traceback" not in errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
def test_a_full_disk_is_one_line() -> None:
    code = "import sys; from jumpnet.cli import main; sys.argv = ['jumpnet', 'list', '--json']; main()"
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, timeout=60, text=True)
    assert ran.returncode == 2
    assert ran.stderr == "jumpnet: output: no space left on device, room to write expected\n"


def test_an_interrupted_verb_says_so_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Torus) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Torus, "build", interrupted)
    monkeypatch.setattr("sys.argv", ["jumpnet", "route", "torus:4x4", "0", "1"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 130 and capsys.readouterr().err.strip() == "jumpnet: interrupted"
