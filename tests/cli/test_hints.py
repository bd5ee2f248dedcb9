"""What is said beside an answer where something is easily overlooked; several networks in one proof."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import jumpnet
from jumpnet import own
from jumpnet.cli import main, run_words
from jumpnet.fault.method import methods
from jumpnet.registry import users
from jumpnet.topology import family

SHORT = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 50}


def test_a_load_that_is_left_out_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    net = jumpnet.network("torus:4x4")
    net.simulate(load=0.05, **SHORT)
    capsys.readouterr()  # the first run may say that it compiles
    net.simulate(load=0.05, **SHORT)
    assert capsys.readouterr().err == ""
    net.simulate(**SHORT)
    assert "no load found, so 0.1 flits are offered a terminal and cycle" in capsys.readouterr().err


def test_a_file_that_defines_nothing_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("_loaded", "_places"):
        monkeypatch.setattr(own, part, dict(getattr(own, part)))
    monkeypatch.setattr(users, "modules", list(users.modules))
    monkeypatch.setattr(users, "extended", users.extended)
    for registry in users.registries:  # how many modules each has looked at
        monkeypatch.setattr(registry, "_searched", registry._searched)
    assert methods(), "a registry of modules, which looks at a user's file too"
    (tmp_path / "nothing.py").write_text("\ufeffx = 1\n", encoding="utf-8")  # as some editors begin a file
    file = own.load(tmp_path / "nothing.py")
    assert repr(file) == f"OwnFile(nothing.py, {file.hash})", "what a notebook shows"
    assert "nothing.py defines no topology, routing, pattern or anything else" in capsys.readouterr().err
    nameless = "from jumpnet.topology import Family\nclass Ring(Family):\n    n: int\n"
    (tmp_path / "nameless.py").write_text(nameless, encoding="utf-8")
    own.load(tmp_path / "nameless.py")
    assert "; class Ring has no name, one expected" in capsys.readouterr().err
    misspelt = "from jumpnet.routings import Routing\nR = Routing(defaults_for=())\n"
    (tmp_path / "misspelt.py").write_text(misspelt, encoding="utf-8")
    with pytest.raises(jumpnet.JumpnetError, match=r"misspelt.py:2: .*'defaults_for'.*id you mean 'default_for'\?"):
        own.load(tmp_path / "misspelt.py")
    (tmp_path / "some.py").write_text("import jumpnet\njumpnet.add_graph('hinted', jumpnet.network('torus:3x3'))\n")
    own.load(tmp_path / "some.py")
    assert capsys.readouterr().err == "" and own.needed(["graph:hinted"]).keys() == {"some.py"}
    monkeypatch.delitem(users.origins, "hinted")


def test_a_routing_of_a_family_is_tried_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["new", "routing", "torus.mine", "--out", str(tmp_path)])
    tried = capsys.readouterr().out.split("jumpnet prove ")[1].split()[0]
    assert family(tried).name == "torus" and tried in (tmp_path / "torus_mine.py").read_text()
    run_words(["new", "routing", "any.mine", "--out", str(tmp_path)])
    assert "jumpnet prove mesh:4x4 --routing any.mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("sweep torus:4x4 --load 0.1,0.2", "offered loads are of `jumpnet simulate`, or a study's file"),
        ("metrics torus:4x4 --load king2", "--load 'king2' found, a Python file of your own, FILE.py, expected"),
        ("hlep", "did you mean 'help'?"),
        ("metrics helix:5", "none of the"),
        ("metrics helix:5", "is close, see `jumpnet list family`; one of your own needs --load FILE.py"),
        ("metrics mush:5", "did you mean 'mesh'? One of your own needs --load FILE.py"),
        ("prove torus:4x4 --routing king.zigzag", "shows those that fit; one of your own needs --load FILE.py"),
        ("simulate torus:4x4 --vc 4", "did you mean '--set vcs=...'?"),
        ("simulate torus:4x4 --load 0.1 --csv", "did you mean '--json'?"),  # not the setting `vcs`
        ("simulate torus:4x4 --pattern tornado", "did you mean '--traffic'?"),  # '--per' is spelled more alike
        ("plot study.toml --cost pin", "did you mean '--per'?"),  # and here '--out'
        ("sweep study.toml --jobs 2", "did you mean '--workers'?"),  # and '--json'
        ("sweep study.toml --processes 2", "did you mean '--workers'?"),
        ("plot study.toml --normalize pin", "did you mean '--per'?"),
        ("draw torus:4x4 --output a.svg", "did you mean '--out'?"),
        ("metrics torus:4x4 --symmetry", "did you mean '--structure'?"),
        ("metrics torus:4x4 --connectivity", "did you mean '--structure'?"),
        ("metrics torus:4x4 --histogram", "did you mean '--distances'?"),
        ("metrics torus:4x4 --distribution", "did you mean '--distances'?"),
        ("simulate torus:4x4 a.csv --dependences --load 0.1", "'a.csv': a trace follows --trace"),
        ("torus:4x4", "`jumpnet metrics torus:4x4`"),
        ("prove torus:4x4 --algorithm torus.duato", "did you mean '--routing'?"),
        ("metrics torus:4x4 --jobs 2", "did you mean '--json'?"),  # it has no workers
        ("simulate torus:4x4 --set sample_period=4", "BookSim's sample_period is 'measure_cycles' here"),
        ("list topology", "did you mean 'family'?"),
        ("help torus", "`jumpnet help KIND NAME` is for what `jumpnet list` names"),
        ("version", "`jumpnet --version` the version"),
        ("prove dragonfly:1 --routing ugl", "did you mean 'dragonfly.ugal'?"),
        ("prove torus:4x4 --routing datline", "did you mean 'torus.dateline'?"),
        ("list setting buffer_flit", "did you mean 'buffer_flits'?"),
        ("new topology torus", "topology 'torus' is there already, another name expected"),
        ("new routing minimal", "routing 'minimal' is there already, another name expected"),
    ],
)
def test_hints_name_what_was_meant(
    words: str, hint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["jumpnet", *words.split()])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize("name", ["vcs", "num_vcs"])
def test_one_setting_is_listed_by_either_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "setting", name, "--json"])
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == ["vcs"]


def test_in_python_the_hint_for_an_unknown_name_is_a_call_that_helps(tmp_path: Path) -> None:
    with pytest.raises(jumpnet.JumpnetError, match=r"in Python jumpnet\.own\.load$"):
        jumpnet.network("petals:12")
    run_words(["new", "topology", "petals", "--out", str(tmp_path)])
    asked = "import jumpnet; jumpnet.own.load('petals.py'); print(jumpnet.network('petals:12').routers)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "12\n"


def test_the_load_of_a_run_has_a_unit(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["list", "setting", "load", "--json"])
    assert json.loads(capsys.readouterr().out)["unit"] == "flits per terminal and cycle"


def test_several_networks_are_proved_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    run_words(["prove", "torus:4x4", "mesh:3x3", "--json"])
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["spec"], row["deadlock_free"]) for row in found] == [("torus:4x4", True), ("mesh:3x3", True)]
    with pytest.raises(jumpnet.JumpnetError, match="--draw together with several networks found"):
        run_words(["prove", "torus:4x4", "mesh:3x3", "--draw", "x.svg"])
