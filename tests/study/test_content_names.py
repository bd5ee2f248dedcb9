"""What a spec does not say is named by what it is: a file edited between two sweeps gives new points."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx
import pytest

import jumpnet
from jumpnet.cli import run_words
from jumpnet.errors import JumpnetError
from jumpnet.study.names import CONTENT, OWN, point_hash
from jumpnet.study.networks import held
from jumpnet.study.point import MODEL, evaluate, resolve
from jumpnet.study.results import rows
from jumpnet.study.store import Store

SHORT: dict[str, Any] = {"packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 100}
SET = ["--packet-flits", "1", "--set", "warmup_cycles=20", "--set", "measure_cycles=100"]
STUDY = """
[study]
load = [{files}]
[settings]
packet_flits = 1
warmup_cycles = 20
measure_cycles = 100
load = 0.1
[[sweep]]
network = "{network}"
"""
GRAPH = """
import networkx
import jumpnet
jumpnet.add_graph("mine", networkx.cycle_graph(SIZE))
"""
FAMILY = """
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
import numpy as np
from jumpnet.networks import Network, from_links
from jumpnet.topology import Family

@dataclass(frozen=True)
class Ring(Family):
    "A ring of as many routers as a file says."
    which: int
    name: ClassVar[str] = "fromdata"

    def build(self) -> Network:
        size = int((Path(__file__).parent / "size.txt").read_text())
        i = np.arange(size)
        return from_links(self.spec, self.name, size, np.stack([i, (i + 1) % size], axis=1))
"""
ROUTING = """
from pathlib import Path
import numpy as np
from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, PORT, VC, routing

STEP = int((Path(__file__).parent / "size.txt").read_text())

@routing("mine.way", summary="by data")
def way(net, here, head, out):
    out[0, PORT] = STEP
    out[0, VC] = out[0, NEXT_STATE] = out[0, KIND] = 0
    return 0 if here == head[DESTINATION] else 1
"""


def _ring(file: Path, size: int) -> None:
    file.write_text("".join(f"{i} {(i + 1) % size}\n" for i in range(size)))


def _ran(folder: Path) -> int:
    """How many points of the study in a folder are run, by a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "jumpnet", "sweep", "s.toml", "--workers", "1", "--json"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["run"])


def _hops(found: list[dict[str, Any]]) -> list[float]:
    return [round(row["hops_mean"], 1) for row in found]


def test_curves_of_files_of_one_name_in_two_folders_are_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jumpnet.cli._answers.curves.cache_folder", lambda: tmp_path / "kernels")

    def curve(folder: str) -> list[float]:
        monkeypatch.chdir(tmp_path / folder)
        run_words(["simulate", "file:net.edgelist", "--load", "0.1,0.15", *SET, "--json"])
        return _hops([json.loads(line) for line in capsys.readouterr().out.splitlines()])

    for name, size in (("a", 8), ("b", 20)):
        (tmp_path / name).mkdir()
        _ring(tmp_path / name / "net.edgelist", size)
    small, large = curve("a"), curve("b")
    _ring(tmp_path / "a" / "net.edgelist", 20)
    assert curve("a") == large != small
    with Store(tmp_path / "curves.sqlite") as store:
        assert len(list(store.rows())) == 4, "they share a store"


@pytest.mark.parametrize("kind", ["graph", "family"])
def test_a_study_runs_what_was_edited_and_finds_what_was_not(kind: str, tmp_path: Path) -> None:
    network, files = {"graph": ("graph:mine", '"mygraph.py"'), "family": ("fromdata:1", '"fromdata.py"')}[kind]
    (tmp_path / "s.toml").write_text(STUDY.format(network=network, files=files))
    (tmp_path / "fromdata.py").write_text(FAMILY)
    ran = []
    for size in (8, 20, 8):
        (tmp_path / "mygraph.py").write_text(GRAPH.replace("SIZE", str(size)))
        (tmp_path / "size.txt").write_text(str(size))
        ran.append(_ran(tmp_path))
    with Store(tmp_path / "s.sqlite") as store:
        small, large = sorted(_hops([row.result for row in store.rows()]))
    assert ran == [1, 1, 0] and large > small + 2
    assert len({row["content"] for row in rows(tmp_path / "s.sqlite")}) == 2


def test_a_routing_that_reads_a_data_file_names_its_points_by_that(tmp_path: Path) -> None:
    (tmp_path / "way.py").write_text(ROUTING)
    (tmp_path / "s.toml").write_text(STUDY.format(network="torus:5", files='"way.py"') + 'routing = "mine.way"\n')
    for step, ran in ((0, 1), (1, 1)):
        (tmp_path / "size.txt").write_text(str(step))
        assert _ran(tmp_path) == ran


def test_a_sweep_in_python_sees_an_edited_file(tmp_path: Path) -> None:
    file = tmp_path / "net.edgelist"
    found = []
    for size in (8, 20, 8):
        _ring(file, size)
        net = jumpnet.network(f"file:{file}")
        found.append(net.sweep(load=[0.1], store=tmp_path / "s.sqlite", workers=1, **SHORT).rows())
    assert _hops(found[0]) == _hops(found[2]) != _hops(found[1])
    with Store(tmp_path / "s.sqlite") as store:
        assert len(list(store.rows())) == 2
    shown = [row["content"] for row in rows(tmp_path / "s.sqlite")]
    assert all(re.fullmatch("network [0-9a-f]{8}", one) for one in shown) and len({*shown}) == 2


def test_graphs_are_swept_by_what_they_are(tmp_path: Path) -> None:
    found = {}
    for name, graph in (("ring", networkx.cycle_graph(8)), ("full", networkx.complete_graph(8))):
        net = jumpnet.network(graph)
        swept = net.sweep(load=[0.1], workers=1, store=tmp_path / "s.sqlite", **SHORT).rows()
        assert swept[0]["spec"] == net.spec
        assert _hops(swept) == _hops(net.simulate(load=0.1, **SHORT).rows())
        found[name] = _hops(swept)
    assert found["ring"] != found["full"] == [2.0]
    named = jumpnet.network(jumpnet.add_graph("ring", networkx.cycle_graph(8)))
    assert _hops(named.sweep(load=[0.1], workers=1, **SHORT).rows()) == found["ring"]
    arrays = jumpnet.network(jumpnet.network("torus:3x3").net)
    assert len(arrays.sweep(load=[0.1], workers=1, **SHORT)) == 1


TWO = """
import sys, networkx, jumpnet
jumpnet.add_graph("twice", getattr(networkx, sys.argv[1])(8))
found = jumpnet.network("graph:twice").sweep(
    load=[0.1], packet_flits="1", store="both.sqlite", warmup_cycles=20, measure_cycles=100, workers=1
)
print(found.rows()[0]["hash"], found.rows()[0]["hops_mean"])
"""


def test_two_processes_that_call_two_graphs_the_same_do_not_mix_them(tmp_path: Path) -> None:
    """What a name meant in a process that is over says nothing of what it means in the next one."""
    said = [
        subprocess.run(
            [sys.executable, "-c", TWO, graph], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()
        for graph in ("cycle_graph", "complete_graph", "cycle_graph")
    ]
    assert said[0] == said[2] and said[0][0] != said[1][0]
    assert float(said[1][1]) == 2.0 < float(said[0][1])  # two routers on every way of a complete graph


def test_a_sweep_means_what_was_there_when_it_began(tmp_path: Path) -> None:
    file = tmp_path / "net.edgelist"
    point = {"network": f"file:{file}", **SHORT}
    with held():
        _ring(file, 8)
        first = resolve(point, 0.1)
        _ring(file, 20)
        assert resolve(point, 0.1) == first
    other = resolve(point, 0.1)
    assert other[CONTENT] != first[CONTENT]
    assert evaluate(first)["result"] != evaluate(other)["result"], "kept by what it is"
    lost = {**first, CONTENT: {"network": "0" * 16}}
    with pytest.raises(JumpnetError, match=f"another network than that of the point: .* {'0' * 16} expected"):
        evaluate(lost)


def test_specs_that_say_all_keep_the_names_of_their_points() -> None:
    assert not {CONTENT, OWN} & resolve({"network": "torus:4x4"}, 0.1).keys()
    assert CONTENT in resolve({"network": "file:example.anynet", "kind": "degrade"}, 0.1)


def test_points_from_before_are_marked_and_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, study, store = tmp_path / "net.edgelist", tmp_path / "s.toml", tmp_path / "s.sqlite"
    _ring(file, 8)
    study.write_text(STUDY.format(network=f"file:{file}", files=""))
    config = resolve({"network": f"file:{file}", **SHORT}, 0.1)
    before = {key: value for key, value in config.items() if key != CONTENT}
    name = point_hash(before, MODEL)
    with Store(store) as opened:
        opened.finish(name, before, {**evaluate(before)["result"], "hops_mean": 99.0}, {})
    assert rows(study) == []
    said = capsys.readouterr().err
    assert f"has points of file:{file} that do not say what it was" in said and said.endswith("0 of 1 points there\n")
    run_words(["sweep", str(study), "--workers", "1"])
    assert said.splitlines()[0] in capsys.readouterr().err
    assert [row["hops_mean"] < 9 for row in rows(study)] == [True]
    run_words(["sweep", str(study), "--workers", "1"])
    told = capsys.readouterr()
    assert "0 of them run now" in told.out and "do not say" not in told.err
    run_words(["store", "check", str(store)])
    told_of = capsys.readouterr().out
    assert "1 do not say what the network was" in told_of and f"{name}: file:{file}, which may have been" in told_of
    run_words(["replay", name, "--store", str(store)])
    assert "it may have been another network" in capsys.readouterr().err
