"""`jumpnet simulate` answers one JSON object with the documented keys, and one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.sim.engine.team import threads_for
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

KEYS = {
    "spec", "routing", "traffic", "offered_load", "accepted_load", "packet_latency_mean_cycles",
    "network_latency_mean_cycles", "flit_latency_mean_cycles", "packet_latency_p50_cycles", "packet_latency_p99_cycles",
    "packet_latency_max_cycles", "hops_mean", "converged", "saturated", "cycles", "warmup_cycles", "flit_hops",
    "packets",
    "cpu_seconds", "seed", "packet_latency_half_width_cycles", "channel_load_by_rank",
    "buffer_occupancy_mean_flits",
    "fairness_jain", "deadlock", "deadlocked", "accepted_load_half_width", "network_latency_half_width_cycles",
    "flit_latency_half_width_cycles", "flit_latency_p95_cycles", "flit_latency_max_cycles",
    "network_latency_max_cycles",
}  # fmt: skip


def _run(*words: str) -> dict[str, object]:
    result = CliRunner().invoke(app(), ["simulate", *words, "--json"])
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout.splitlines()[-1])


def test_one_point_in_json(tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    row = _run("torus:4x4", "--routing", "torus.dateline", "--load", "0.2", "--packet-flits", "4", "--seed", "7",
               "--set", "measure_cycles=500", "--set", "warmup_cycles=100", "--events", str(events))  # fmt: skip
    assert row.keys() >= KEYS
    assert row["offered_load"] == 0.2 and row["seed"] == 7 and row["saturated"] is False
    lines = events.read_text().splitlines()
    assert lines[0].startswith("cycle,kind,source") and len(lines) > 1000


def test_a_table_shortens_a_long_traffic_spec_that_json_has_whole() -> None:
    matrix = "matrix:rows=" + "/".join("-".join(str(int(s != t)) for t in range(16)) for s in range(16))
    words = ["torus:4x4", "--traffic", matrix, "--set", "measure_cycles=100", "--set", "warmup_cycles=10"]
    table = CliRunner().invoke(app(), ["simulate", *words]).stdout
    assert f"({len(matrix)} characters)" in table and max(map(len, table.splitlines())) < 140
    assert _run(*words)["traffic"] == matrix


def test_the_answer_is_the_same_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int | None] = []
    monkeypatch.setattr(
        "jumpnet.sim.engine.engine.threads_for", lambda s, t, n: asked.append(n) or threads_for(s, t, n)
    )
    words = ("torus:8x8", "--load", "0.2", "--set", "measure_cycles=500", "--set", "warmup_cycles=100")
    one, two, left_out = (_run(*words, *more) for more in (["--threads", "1"], ["--threads", "2"], []))
    assert asked == [1, 2, None]
    for row in (one, two, left_out):
        del row["cpu_seconds"], row["flit_hops_per_cpu_second"]
    assert one == two == left_out


def test_every_channel_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "channels.csv"
    row = _run("torus:4x4", "--load", "0.2", "--set", "measure_cycles=500", "--channels", str(file))
    lines = [line.split(",") for line in file.read_text().splitlines()]
    assert lines[0] == ["router", "port", "to", "rank", "load", "buffer_flits"] and len(lines) == 65
    loads, buffers = ([float(line[k]) for line in lines[1:]] for k in (4, 5))
    assert sum(loads) / 64 == pytest.approx(row["channel_load_mean"])
    assert sum(buffers) / 64 == pytest.approx(row["buffer_occupancy_mean_flits"])


def test_every_batch_of_a_run_whose_load_changes_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "batches.csv"
    row = _run("torus:4x4", "--load", "0.1", "--packet-flits", "1", "--cycles", "4000", "--set", "vcs=4",
               "--set", "load_steps=2000:0.4", "--batches", str(file))  # fmt: skip
    head, *lines = [line.split(",") for line in file.read_text().splitlines()]
    assert head == ["cycle", "packets", "flits", *(f"{of}_latency_cycles" for of in ("packet", "network", "flit"))]
    assert [line[0] for line in lines] == [str(500 * k) for k in range(8)] and row["offered_load"] == 0.4
    accepted = [int(line[2]) / (500 * 16) for line in lines]
    assert accepted == pytest.approx([0.1] * 4 + [0.4] * 4, abs=0.02)
    before, after = float(lines[3][3]), float(lines[5][3])
    assert before + 1 < after == pytest.approx(row["packet_latency_mean_cycles"], rel=0.05)
    assert lines[3][3] == lines[3][4]  # no packet waited at its source


def test_what_a_network_lacks_from_the_start() -> None:
    net = degraded(build("torus:4x4"), routers=[5], links=[(0, 0), (2, 2)])
    words = {"packet_flits": "2", "measure_cycles": 1000, "warmup_cycles": 200}
    sets = [f"--set={key}={value}" for key, value in words.items()]
    to = build("torus:4x4").neighbor
    lacking = ["--without", f"router=5,link=0-{to[0, 0]}", "--without", f"link=2-{to[2, 2]}"]
    row = _run("torus:4x4", *lacking, "--load", "0.2", *sets)
    wanted = simulate(net, "lash", load=0.2, **words)
    assert {key: row[key] for key in ("spec", "hash")} == {"spec": net.spec, "hash": wanted.hash}
    assert row["packet_latency_mean_cycles"] == wanted.packet_latency_mean_cycles
    result = CliRunner().invoke(app(), ["simulate", "torus:4x4", *lacking, "--load", "0.1,0.2", *sets, "--json"])
    curve = [json.loads(line) for line in result.stdout.splitlines()]
    assert [point["load"] for point in curve] == [0.1, 0.2] and curve[1]["hash"] == wanted.hash
    up_down = _run("torus:4x4", *lacking, "--routing", "up_down", "--load", "0.2", *sets)
    assert up_down["routing"].startswith("up_down") and up_down["hash"] != row["hash"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--without", "router=5,cycle=3"], "--without router=5,cycle=3 found, without a cycle expected"),
        (["--without", "router=16"], "faulty router 16 found, 0 to 15 expected in torus:4x4"),
        (["--without", "link=0-5"], "faulty link 0-5 found, one of router 0 expected"),
        (["--without", ""], "unknown part of a fault ''"),
        (["mesh:4x4", "--without", "router=5"], "--without with 2 networks found, one expected"),
        (["--without", "router=5", "--multicast", "paths"], "--without together with --multicast found"),
        (["--set", "load_steps=5:0.3"], "load_steps without warmup_cycles and measure_cycles found"),
        (["--set", "load_steps=5:0.3", "--cycles", "90", "--find-saturation"], "load_steps 5:0.3 found, none expected"),
        (["--set", "load_steps=5:0.3", "--cycles", "90", "--multicast", "paths"], "load_steps 5:0.3 found, none"),
        (["--batches", "no.csv", "--channels", "./no.csv"], "--batches no.csv found, which --channels writes too"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_line(words: list[str], said: str) -> None:
    result = CliRunner().invoke(app(), ["simulate", "torus:4x4", "--load", "0.1", *words])
    assert str(result.exception).startswith(said)


def test_every_figure_is_explained() -> None:
    row = _run("torus:4x4", "--load", "0.1", "--packet-flits", "2", "--set", "reply_flits=3", "--distribution",
               "--set", "measure_cycles=500", "--set", "warmup_cycles=100")  # fmt: skip
    text = (Path(__file__).parents[2] / "docs" / "simulator.md").read_text(encoding="utf-8")
    settings = {"spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed"}
    plain = {key.removeprefix("request_").removeprefix("reply_") for key in row} - settings
    assert [key for key in sorted(plain) if f"`{key}`" not in text] == []
    assert sum(row["packet_latency_histogram"]) == row["packets"]  # type: ignore[arg-type]
    table = CliRunner().invoke(app(), ["simulate", "torus:4x4", "--distribution"])
    assert "--distribution without --json found" in str(table.exception)
    flits = 2 * row["request_packets"] + 3 * row["reply_packets"]  # type: ignore[operator]
    assert sum(row["flit_latency_histogram"]) == flits  # type: ignore[arg-type]
    assert sum(row["reply_packet_latency_histogram"]) == row["reply_packets"] > 0  # type: ignore[arg-type, operator]


def test_multicasts_in_json() -> None:
    """Three rows of a comparison, each figure explained in the guide."""
    words = "simulate torus:4x4 --multicast paths --compare --load 0.02 --packet-flits 4 --distribution --json"
    sets = ("destinations=4", "multicast_share=0.5", "measure_cycles=1000", "warmup_cycles=100", "buffer_flits=16")
    result = CliRunner().invoke(app(), words.split() + [word for one in sets for word in ("--set", one)])
    assert result.exception is None
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["way"] for row in rows] == ["branching", "direct", "repeated"]
    assert rows[0]["multicast_gain"] > 1.0 and rows[2]["repeated"] is True
    text = (Path(__file__).parents[2] / "docs" / "howto-multicast.md").read_text(encoding="utf-8")
    text += (Path(__file__).parents[2] / "docs" / "simulator.md").read_text(encoding="utf-8")
    settings = {"spec", "routing", "traffic", "injection", "packet_flits", "buffer_flits", "vcs", "seed"}
    plain = {key.replace("acknowledge_latency", "multicast_latency") for key in rows[0]} - settings
    assert [key for key in sorted(plain) if f"`{key}`" not in text] == []
    assert sum(rows[1]["multicast_latency_histogram"]) == rows[1]["multicasts"] > 0
    for wrong in (["--compare"], ["--multicast", "paths", "--find-saturation", "--compare"]):
        failed = CliRunner().invoke(app(), ["simulate", "torus:4x4", *wrong])
        assert isinstance(failed.exception, JumpnetError)


def test_a_comparison_survives_a_deadlock() -> None:
    """Buffers smaller than a packet: the branching way ends before anything is measured, and is told so."""
    words = "simulate rdt:4 --multicast chip --load 0.1 --compare --set max_cycles=20000 --json"
    result = CliRunner().invoke(app(), words.split())
    assert result.exception is None
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows[0]["deadlocked"] and rows[0]["measured_cycles"] == 0 and rows[0]["multicast_gain"] is None
    assert not rows[2]["deadlocked"] and rows[2]["multicasts"] > 0
    assert "jumpnet: deadlock: (" in result.stderr and "buffers shorter than a packet" in result.stderr


def test_saturation_in_json() -> None:
    row = _run("torus:4", "--routing", "torus.dateline", "--find-saturation",
               "--set", "measure_cycles=1500", "--set", "warmup_cycles=500")  # fmt: skip
    assert 0.0 < float(str(row["saturation_load"])) < float(str(row["saturated_load"]))


def test_saturation_under_multicasts_in_json() -> None:
    """Below the load found the sources keep up, above it they do not; each receiver counts as accepted."""
    row = _run("torus:3x3", "--multicast", "paths", "--find-saturation", "--packet-flits", "4", "--load", "0.05",
               *(f"--set={word}" for word in ("flow_control=cut_through", "destinations=4", "acknowledge=combined",
                                              "warmup_cycles=300", "measure_cycles=1500")))  # fmt: skip
    low, high = float(str(row["saturation_load"])), float(str(row["saturated_load"]))
    points = row["points"]
    assert isinstance(points, list) and high - low <= 0.02 * high and high < 1.0
    assert [point["saturated"] for point in points] == [point["load"] >= high for point in points]
    assert points[0]["accepted_load"] == pytest.approx(4 * points[0]["load"], rel=0.2)
    assert points[0]["acknowledge_latency_mean_cycles"] > points[0]["multicast_latency_mean_cycles"] > 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--load", "2"], "load 2.0 found"),
        (["--checkpoint", "x", "--checkpoint-every", "-1"], "-1.0 CPU seconds between checkpoints found"),
        (["--find-saturation", "--fault", "cycle=1,link=0-1"], "--fault together with --find-saturation found"),
        (["--flush"], "--flush without --fault found"),
        (["--fault", "cycle=1,link=0-1", "--on-ring", "drip"], "did you mean 'drop'"),
        (["--find-saturation", "--distribution"], "--distribution together with --find-saturation found"),
        (["--find-saturation", "--dependences"], "--dependences together with --find-saturation found"),
        (["--find-saturation", "--gap-cycles", "3"], "--gap-cycles 3 without --dependences found"),
        (["--find-saturation", "--reroute", "lash"], "--reroute without --fault found"),
        (["--multicast", "paths", "--dependences"], "--dependences together with --multicast found"),
        (["--fresh"], "--fresh without --find-saturation found"),
        (["--cycles", "1"], "--cycles 1 found, at least 2 expected"),
        (["--cycles", "9", "--set", "drain=true"], "--set drain together with --cycles found"),
        (["--find-saturation", "--checkpoint", "x"], "--checkpoint together with --find-saturation found"),
        (["--traffic", "bit_reverse", "--set", "flow_control=cut_through"], "at least 16"),
        (["--trace", "x.csv", "--traffic", "tornado"], "--traffic together with --trace found"),
        (["--load", "0.1", "--set", "load=0.2"], "--set load together with --load found, one of them expected"),
        (["--load", "0.1,0.2", "--set", "load=0.2"], "--set load together with --load found"),
        (["--seed", "3", "--set", "seed=4"], "--set seed together with --seed found"),
        (["--traffic", "tornado", "--set", "traffic=uniform"], "--set traffic together with --traffic found"),
        (["--packet-flits", "3", "--set", "packet-flits=4"], "--set packet_flits together with --packet-flits found"),
        (["--trace", "x.csv", "--set", "load=0.2"], "--set load together with --trace found"),
        (["--trace", "x.csv", "--set", "traffic=tornado"], "--set traffic together with --trace found"),
        (["--trace", "x.csv", "--set", "packet-flits=2"], "--set packet_flits together with --trace found"),
        (["--trace", "x.csv", "--set", "injection=onoff"], "--set injection together with --trace found"),
        (["--checkpoint-every", "5"], "--checkpoint-every without --checkpoint found, both expected"),
        (["--set", "nonsense"], "key=value expected"),
        (["--threads", "0"], "--threads 0 found, at least 1 expected"),
        (["--set", "threads=2"], "--set threads=2 found, --threads 2 expected"),
        (["--threads", "2", "--multicast", "paths"], "--threads together with --multicast found"),
        (["--set", "buffer_flitz=3"], "did you mean 'buffer_flits'"),
        (["--preset", "boksim"], "did you mean 'booksim'"),
        (["--routing", "torus.datelin"], "did you mean 'torus.dateline'"),
    ],
)
def test_bad_input(words: list[str], expected: str) -> None:
    with pytest.raises(JumpnetError, match=expected):
        _run("torus:4x4", *words)
