"""Files of one's own: `jumpnet new`, `--load`, studies, workers, packages.

Commands whose answer rests on what a fresh process knows or starts run in one of their own (`_run`); others in this one
(`here`), in half a second less each.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jumpnet import own
from jumpnet.cli import main, run_words
from jumpnet.own.source_text import source_text
from jumpnet.registry import users

Done = subprocess.CompletedProcess[str]

STUDY = """
[study]
load = ["chords.py"]
[settings]
packet_flits = 1
warmup_cycles = 50
measure_cycles = 100
load = 0.05
[[sweep]]
network = ["chords:8", "torus:3x3"]
"""
EDITED = """
from pathlib import Path
from jumpnet.own import load
from jumpnet.study.point import evaluate, resolve
short = {"network": "chords:12", "packet_flits": 1, "warmup_cycles": 20, "measure_cycles": 100}
found = []
for stride in ("STRIDE = 3", "STRIDE = 2"):
    file = Path("chords.py")
    file.write_text(file.read_text().replace("STRIDE = 3", stride))
    load(file)
    config = resolve(short, 0.1)
    found.append((config["own"], evaluate(config)["result"]["packet_latency_mean_cycles"]))
print(*(first != second for first, second in zip(*found)))
"""
FINDS_ONE = {
    "def f(:": "bad.py:1: invalid syntax",
    "x = 1\n\nraise KeyError('here')": "bad.py:3: KeyError: 'here'",
    "import no_such_module": "bad.py:1: ModuleNotFoundError",
    "from jumpnet.routings import routing\n@routing('torus.dateline')\ndef f(net, here, head, out):\n    return 0": (
        "bad.py:2: routing 'torus.dateline' is there already"
    ),
    "from dataclasses import dataclass\nfrom jumpnet.topology import Family\n\n@dataclass(frozen=True)\n"
    "class Mine(Family):\n    size: int\n    name = 'mine'": "bad.py:5: Mine: a field named 'size' found",
    "from dataclasses import dataclass\nfrom jumpnet.topology import Family\n\n@dataclass(frozen=True)\n"
    "class Mine(Family):\n    n: int\n    name = 'mine'\n\n    def build(self):\n        return 1 // 0": (
        "family mine: build: bad.py:10: division by zero"
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `jumpnet new` has written one file of each kind and its test."""
    made = tmp_path_factory.mktemp("own")
    for words in ("topology chords", "routing any.lowest", "pattern halfway", "injection volleys", "protocol single"):
        assert run_words(["new", *words.split(), "--out", str(made)]) == 0
    return made


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """`here(FOLDER, *WORDS)`: a command in this process, which forgets what the one before has loaded."""

    def command(folder: Path, *words: str, **variables: str) -> Done:
        for file in own.loaded():
            users.forget(file.name)
            own._loaded.pop(file.name)
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            patch.setattr("sys.argv", ["jumpnet", *words])
            for name, value in variables.items():
                patch.setenv(name, value)
            capsys.readouterr()
            with pytest.raises(SystemExit) as end:
                main()
        said = capsys.readouterr()
        return subprocess.CompletedProcess(words, int(end.value.code or 0), said.out, said.err)

    return command


def _run(folder: Path, *words: str, **variables: str) -> Done:
    command = [sys.executable, "-m", "jumpnet", *words]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


def test_what_new_writes_passes_its_tests(folder: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


def test_new_in_a_folder_that_is_a_link_in_a_circle_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "L1").symlink_to("L2")
    (tmp_path / "L2").symlink_to("L1")
    found = _run(tmp_path, "new", "topology", "foo", "--out", "L1", JUMPNET_QUIET="1")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("jumpnet: L1") and len(found.stderr.splitlines()) == 1


def test_new_keeps_what_is_there(folder: Path, tmp_path: Path, here: Callable[..., Done]) -> None:
    again = here(folder, "new", "topology", "chords")
    assert again.returncode == 2 and "chords.py: file exists" in again.stderr
    assert "did you mean 'topology'?" in here(tmp_path, "new", "topologi", "x").stderr
    assert "name 'a b' found" in here(tmp_path, "new", "pattern", "a b").stderr
    for name, said in (("numpy", "a module"), ("json", "a module"), ("class", "a word of Python")):
        assert f"name {name!r} found, {said}" in here(tmp_path, "new", "topology", name).stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        "--load chords.py metrics chords:12 --json",
        "metrics chords:12 --json --load=chords.py",
        "metrics chords:12 --json",
    ],
)
def test_a_file_is_loaded_wherever_the_option_stands(folder: Path, words: str, here: Callable[..., Done]) -> None:
    variables = {} if "load" in words else {"JUMPNET_LOAD": "chords.py"}
    found = json.loads(here(folder, *words.split(), **variables).stdout)
    assert (found["routers"], found["links"], found["diameter"]) == (12, 24, 3)


def test_three_files_and_an_offered_load_in_one_command(folder: Path) -> None:
    words = "simulate chords:12 --routing any.lowest --load 0.05 --set traffic=halfway --set measure_cycles=200 --json"
    own = [word for file in ("chords.py", "any_lowest.py", "halfway.py") for word in ("--load", file)]
    found = json.loads(_run(folder, *words.split(), *own).stdout)
    assert (found["spec"], found["routing"], found["traffic"]) == ("chords:12", "any.lowest", "halfway")
    assert found["offered_load"] == 0.05 and not found["deadlocked"]


def test_nothing_loads_by_itself(folder: Path) -> None:
    found = _run(folder, "metrics", "chords:12")
    assert found.returncode == 2 and "unknown family 'chords'" in found.stderr


@pytest.mark.parametrize("text", FINDS_ONE)
def test_a_file_that_fails_is_one_line_with_its_place(tmp_path: Path, text: str, here: Callable[..., Done]) -> None:
    (tmp_path / "bad.py").write_text(text)
    found = here(tmp_path, "metrics", "mine:4", "--load", "bad.py")
    assert found.returncode == 2 and found.stderr.count("\n") == 1
    assert found.stderr.startswith(f"jumpnet: {FINDS_ONE[text]}"), found.stderr


def test_two_files_of_one_name_are_refused(folder: Path, tmp_path: Path, here: Callable[..., Done]) -> None:
    (tmp_path / "chords.py").write_text("x = 1")
    found = here(folder, "--load", "chords.py", "--load", str(tmp_path / "chords.py"), "list", "family")
    assert found.returncode == 2 and "another file named chords.py is loaded" in found.stderr


@pytest.mark.parametrize("name", ["chords.py", "any_lowest.py", "halfway.py"])
def test_two_files_that_define_the_same_name_are_refused(
    folder: Path, tmp_path: Path, name: str, here: Callable[..., Done]
) -> None:
    (tmp_path / "second.py").write_text((folder / name).read_text())
    words = ["--load", name, "--load", str(tmp_path / "second.py"), "metrics", "torus:3x3", "--json"]
    found = here(folder, *words)
    assert found.returncode == 2 and found.stderr.count("\n") == 1 and found.stdout == ""
    assert "second.py" in found.stderr and f"is in {name} already, another name expected" in found.stderr
    assert here(folder, "--load", name, *words[:2], *words[4:]).returncode == 0, "the same file twice"


def test_an_edited_file_takes_the_place_of_itself(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "chords.py").write_text((folder / "chords.py").read_text())
    done = subprocess.run([sys.executable, "-c", EDITED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "True True\n", done.stderr


def _own(store: Path) -> dict[str, dict[str, str] | None]:
    """Files that the points of a store need, by network."""
    with sqlite3.connect(store) as db:
        configs = [json.loads(config) for (config,) in db.execute("SELECT config FROM results")]
    return {config["network"]: config.get("own") for config in configs}


def test_helpers_of_a_routing_go_to_workers_and_name_its_points(
    folder: Path, tmp_path: Path, here: Callable[..., Done]
) -> None:
    """The file calls a plain function of its own; an edit of that alone makes other points, with longer ways."""
    file, study = tmp_path / "any_lowest.py", tmp_path / "helped.toml"
    study.write_text(STUDY.replace("chords.py", file.name).replace('"chords:8", "torus:3x3"', '"torus:5", "torus:6"'))
    study.write_text(study.read_text() + 'routing = "any.lowest"\n')
    text, hops = (folder / file.name).read_text(), []
    for helper in (text, text.replace("return there >= 0 and", "return port == 0 or")):
        file.write_text(helper)
        found = _run(tmp_path, "sweep", study.name, "--json", "--workers", "2")
        assert json.loads(found.stdout)["run"] == 2, found.stderr
        shown = here(tmp_path, "results", study.name, "--json").stdout.splitlines()
        hops.append({point["hash"]: point["hops_mean"] for point in map(json.loads, shown)})
    assert [len(points) for points in hops] == [2, 2] and not hops[0].keys() & hops[1].keys()
    assert max(hops[0].values()) < min(hops[1].values())


def test_a_study_runs_its_file_in_workers_and_names_points_by_it(folder: Path, here: Callable[..., Done]) -> None:
    study, store = folder / "own.toml", folder / "own.sqlite"
    study.write_text(STUDY)
    assert json.loads(_run(folder, "sweep", "own.toml", "--json", "--workers", "2").stdout)["run"] == 2
    first = _own(store)
    assert first["torus:3x3"] is None and list(first["chords:8"] or ()) == ["chords.py"]
    points = [json.loads(line) for line in here(folder, "results", "own.toml", "--json").stdout.splitlines()]
    name = next(point["hash"] for point in points if point["network"] == "chords:8")
    without = here(folder, "replay", name, "--store", "own.sqlite")
    assert without.returncode == 2 and "the point needs chords.py, which is not loaded" in without.stderr
    assert "bit by bit" in here(folder, "replay", name, "--store", "own.sqlite", "--load", "chords.py").stdout
    kept = (folder / "chords.py").read_text()
    (folder / "chords.py").write_text(kept.replace("STRIDE = 3", "STRIDE = 2"))
    try:
        other = here(folder, "replay", name, "--store", "own.sqlite", "--load", "chords.py")
        assert other.returncode == 2 and "made with another chords.py" in other.stderr
        assert json.loads(_run(folder, "sweep", "own.toml", "--json").stdout)["run"] == 1
        shown = here(folder, "results", "own.sqlite").stdout  # two of one name
        assert "content" in shown and len(set(re.findall(r"chords.py [0-9a-f]{8} ", shown))) == 2
        assert "content" not in here(folder, "results", "own.toml").stdout
    finally:
        (folder / "chords.py").write_text(kept)


@pytest.mark.parametrize("named", ['["../nets/chords.py"]', '"../nets/chords.py"'])
def test_a_study_finds_files_from_its_folder(
    folder: Path, tmp_path: Path, named: str, here: Callable[..., Done]
) -> None:
    """Whatever way leads to a file, the point is the same; workers, and a folder elsewhere, have it too."""
    for name in ("nets", "studies", "else/where"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "nets" / "chords.py").write_text((folder / "chords.py").read_text())
    study = tmp_path / "studies" / "s.toml"
    study.write_text(STUDY.replace('["chords.py"]', named))
    assert json.loads(_run(tmp_path / "else/where", "sweep", str(study), "--json", "--workers", "2").stdout)["run"] == 2
    assert (_own(study.with_suffix(".sqlite"))["chords:8"] or {}).keys() == {"chords.py"}
    study.write_text(STUDY.replace('load = ["chords.py"]\n', ""))
    again = here(tmp_path, "sweep", str(study), "--json", "--load", str(folder / "chords.py"))
    assert json.loads(again.stdout)["run"] == 0, again.stderr


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ('["../other.py"]', f"..{os.sep}other.py: no such file or directory, a Python file expected"),
        ('[""]', "s.toml:2: load = [''] found, a list of Python files such as"),
        ("[3]", "s.toml:2: load = [3] found, a list of Python files such as"),
    ],
)
def test_a_study_names_files_that_are_there(tmp_path: Path, named: str, said: str, here: Callable[..., Done]) -> None:
    (tmp_path / "s.toml").write_text(f'[study]\nload = {named}\n[[sweep]]\nnetwork = "torus:4x4"\nload = 0.1\n')
    found = here(tmp_path, "sweep", "s.toml")
    assert found.returncode == 2 and said in found.stderr and found.stderr.count("\n") == 1


def test_a_file_and_a_link_to_it_are_one_file(folder: Path, tmp_path: Path, here: Callable[..., Done]) -> None:
    (tmp_path / "chords.py").write_text((folder / "chords.py").read_text())
    (tmp_path / "link.py").symlink_to("chords.py")
    for names in (["chords.py", "link.py"], ["link.py", "chords.py", "./link.py"]):
        own = [word for name in names for word in ("--load", name)]
        found = here(tmp_path, *own, "metrics", "chords:12", "--json")
        assert json.loads(found.stdout)["links"] == 24 and not found.stderr, found.stderr


ACCENTS = "# coding: latin-1\nimport jumpnet\nfrom jumpnet.traffic import Pattern\nNAME = 'caf\xe9'\n"
IN_LATIN = """
def away(own, source, draw):
    return (source + own[1]) % own[0]

jumpnet.traffic.register(Pattern("away", away, lambda net, options: [net.endpoints, len(NAME)]))
"""
IS_NO_TEXT = {
    b"x = 1\nname = '\xe9'": "bad.py: byte 14 is no UTF-8 text, a Python file in UTF-8, or with a line such as",
    b"# coding: no-such\n": "bad.py: unknown encoding: no-such; a Python file in UTF-8",
    b"# coding: hex\n00": "bad.py: 'hex' is not a text encoding; ",
    b"\xef\xbb\xbf# coding: latin-1\n": "bad.py: encoding problem: utf-8; ",
    b"# coding: raw_unicode_escape\nx = '\\ud800'": "bad.py: 'utf-8' codec can't encode character",
    b"\x1f\x8b\x08": "bad.py: packed by gzip, which is not unpacked here, ",
}


def test_a_file_in_the_encoding_that_it_names(tmp_path: Path) -> None:
    """Four letters, of which one is no UTF-8 text: four routers on, and of five the one beside, by two routers."""
    (tmp_path / "away.py").write_bytes((ACCENTS + IN_LATIN).encode("latin-1"))
    study = STUDY.replace("chords.py", "away.py").replace("chords:8", "torus:3x4") + 'traffic = "away"\n'
    (tmp_path / "s.toml").write_text(study)
    found = _run(tmp_path, "sweep", "s.toml", "--json", "--workers", "2")
    assert json.loads(found.stdout)["run"] == 2, found.stderr
    words = ["simulate", "torus:5", "--load", "0.1", "--load", "away.py", "--traffic=away", "--set=packet_flits=1"]
    assert json.loads(_run(tmp_path, *words, "--json").stdout)["hops_mean"] == pytest.approx(2.0)


def test_the_ends_of_lines_are_no_part_of_a_files_hash(tmp_path: Path) -> None:
    """A checkout of another system writes them otherwise; points keep their names."""
    texts = set()
    for end in (b"\n", b"\r\n", b"\r"):
        (tmp_path / "ends.py").write_bytes(end.join([b"A = 1", b"B = 2", b""]))
        texts.add(source_text(tmp_path / "ends.py", 100))
    assert texts == {"A = 1\nB = 2\n"}


@pytest.mark.parametrize("given", IS_NO_TEXT, ids=range(len(IS_NO_TEXT)))
def test_a_file_that_is_no_text_is_one_line(tmp_path: Path, given: bytes, here: Callable[..., Done]) -> None:
    (tmp_path / "bad.py").write_bytes(given)
    found = here(tmp_path, "metrics", "torus:3x3", "--load", "bad.py")
    assert found.returncode == 2 and found.stderr.startswith(f"jumpnet: {IS_NO_TEXT[given]}"), found.stderr
    assert found.stderr.count("\n") == 1


def test_a_worker_elsewhere_gets_the_text(folder: Path, tmp_path: Path) -> None:
    text = (folder / "chords.py").read_text()
    program = (
        "import sys; from jumpnet.own import OwnFile, with_files; from jumpnet.topology import build;"
        "print(with_files([OwnFile('chords.py', sys.stdin.read())], lambda spec: build(spec).links, 'chords:10'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, input=text, capture_output=True, text=True, check=False
    )
    assert done.stdout == "20\n", done.stderr


def test_a_package_that_names_an_entry_point_is_found(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text((folder / "chords.py").read_text())
    about = tmp_path / "mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[jumpnet]\nbroken = nothere\nchords = mine\ntaken = torus_again\n")
    (tmp_path / "torus_again.py").write_text((folder / "chords.py").read_text().replace('"chords"', '"torus"'))
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    found = _run(tmp_path, "metrics", "chords:12", "--json", PYTHONPATH=path)
    assert json.loads(found.stdout)["links"] == 24
    assert found.stderr.splitlines() == [
        "jumpnet: package with entry point 'broken' is left out: ModuleNotFoundError: No module named 'nothere'",
        "jumpnet: package with entry point 'taken' is left out: family 'torus' is there already, another name expected",
    ]
    (tmp_path / "mine.py").write_text("raise OSError('broken')")
    broken = _run(tmp_path, "metrics", "chords:12", PYTHONPATH=path)
    assert broken.returncode == 2 and "package with entry point 'chords' is left out: OSError: broken" in broken.stderr
    assert "unknown family 'chords'" in broken.stderr.splitlines()[-1]
    assert _run(tmp_path, "metrics", "torus:4x4", PYTHONPATH=path).returncode == 0
