"""Options of `jumpnet machine` that are wrong whatever the trace are refused before any reference is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.workload import workload
from jumpnet.sim.config.sim_config import preset

TORUS = ("--network", "torus:2x2", "--clusters-of", "2")
BRANCHING = ("--timed", "--multicast", "--branches", "routers")
CHOSEN = ("--clusters-of", "2", "--protocol", "mixed", "--pages", "measured")
KINDS = "read-request write-request write-back data tell acknowledge fetch owners-data done"


@pytest.fixture(autouse=True)
def no_reference_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(*_: object) -> None:
        raise AssertionError("a reference runs")

    monkeypatch.setattr(Functional, "feed", feed)


def _refused(*words: str, trace: str = "workload:lu,processors=8,n=16") -> BaseException | None:
    return CliRunner().invoke(app("machine"), ["machine", trace, *words]).exception


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ((*TORUS, *BRANCHING, "--cost", "forward=5"), "cost forward found without multicasts whose packets routers"),
        ((*TORUS, "--timed", "--networks", f"{' / '.join(KINDS.split())} write-back-done"), "9 virtual networks found"),
        (("--network", "rdt:4", *BRANCHING), "gives no route or a choice"),
        (("--network", "rdt:1048576", "--timed"), "a table of 1099511627776 routers"),
        (("--network", "torus:2x2", "--timed"), "8 nodes found, at most the 4 terminals"),
        ((*TORUS, "--place", "territory"), "a network of family rdt or prdt expected"),
        ((*TORUS, "--place", "hops", "--seed", "-1"), "seed -1 found"),
        (("--network", "rdt:4", *CHOSEN, "--encoding", "SMM"), "did you mean 'SM'?"),
        (("--network", "rdtt:4", *CHOSEN), "did you mean 'rdt'?"),
        (("--network", "torus:2x2", *CHOSEN, "--encoding", "SM"), "a network of family rdt or prdt expected"),
        ((*CHOSEN, "--encoding", "SM"), "an encoding without a network found"),
        ((*CHOSEN, "--place", "hops"), "--place found without --network"),
        (("--network", "rdt:4", *CHOSEN, "--place", "hop"), "did you mean 'hops'?"),
        (("--network", "rdt:4", *CHOSEN, "--place", "hops", "--placement", "round-robin"), "first-touch expected"),
    ],
)
def test_refused_before_any_reference_runs(words: tuple[str, ...], match: str) -> None:
    found = _refused(*words)
    assert isinstance(found, JumpnetError) and match in str(found) and "\n" not in str(found)


def test_processors_that_only_the_trace_tells(tmp_path: Path) -> None:
    """Five of them: what is wrong with five is found when they are counted, and a home that they have is taken."""
    trace, homes = tmp_path / "t.dinp", tmp_path / "homes"
    trace.write_text("0 40 0\n1 40 4\n", encoding="ascii")
    for node, network, match in (
        (4, "torus:2x2", "5 nodes found, at most the 4"),
        (5, "torus:2x3", "home 5 of page 0"),
    ):
        homes.write_text(f"0 {node}\n", encoding="ascii")
        for timed in ((), ("--timed",)):
            found = _refused("--network", network, "--homes", str(homes), *timed, trace=str(trace))
            assert isinstance(found, JumpnetError) and match in str(found), timed
    homes.write_text("0 4\n", encoding="ascii")
    assert isinstance(_refused("--network", "torus:2x3", "--homes", str(homes), trace=str(trace)), AssertionError)


def test_a_wrong_option_is_found_before_processors_are_counted(tmp_path: Path) -> None:
    trace = tmp_path / "t.dinp"
    trace.write_text("this is no trace\n", encoding="ascii")
    for words, match in (
        ((*TORUS, "--encoding", "SMM"), "unknown directory encoding"),
        ((*TORUS, "--protocol", "mixed", "--pages", "measurd"), "did you mean 'measured'?"),
        ((*TORUS, "--pages", "measured"), "with protocol invalidate found, mixed expected"),
        (TORUS, "t.dinp"),
    ):
        found = _refused(*words, trace=str(trace))
        assert isinstance(found, JumpnetError) and match in str(found)


CUT = {"flow_control": "cut_through", "packet_flits": "4"}


@pytest.mark.parametrize(
    ("settings", "how", "match"),
    [
        ({"internal_speedup": 2.0}, {}, r"internal_speedup 2.0 found, 1.0 expected where latency without waiting"),
        ({"buffer_flits": 8, **CUT}, {}, r"buffer_flits 8 found, at least 12 \(a whole packet\)"),
        ({**CUT}, {"migrates": 1}, r"buffer_flits 16 found, at least 1028 \(a whole packet\)"),
        ({"vc_reuse": "tail", **CUT}, {"routing": "torus.bubble"}, r"packets of other than 4 flits found"),
        ({"ejection_ports": 2}, {"endpoint_room": 1, "networks": "least"}, r"ejection_ports 2 found, 1 expected"),
    ],
)
def test_settings_of_the_network_that_no_machine_can_have(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], how: dict[str, Any], match: str
) -> None:
    streams = streams_of(workload("lu:processors=8,n=16").trace())
    monkeypatch.setattr("jumpnet.machine.closed_loop.run_machine", lambda *_, **__: pytest.fail("a reference runs"))
    with pytest.raises(JumpnetError, match=match):
        closed_loop(streams, "torus:4x2", config=preset("jump1", **settings), **how)


def test_a_choice_that_only_some_nodes_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees from router 0 go up and to the right, of which north last leaves no choice; others were found when sent."""
    streams = streams_of(workload("lu:processors=9,n=16").trace())
    monkeypatch.setattr("jumpnet.machine.closed_loop.run_machine", lambda *_, **__: pytest.fail("a reference runs"))
    with pytest.raises(JumpnetError, match="a choice at router 4 of mesh:3x3"):
        closed_loop(streams, "mesh:3x3", routing="mesh.north_last", multicast="full_map", branches="routers")
