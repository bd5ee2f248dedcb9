"""CNSim beside the simulator: its configuration, its recorded output, rows with a stand-in; no time is judged."""

from __future__ import annotations

import pytest
from benchmarks._cnsim import Setting, config_text, parse, run
from benchmarks._meshes import MESHES, measure_mesh
from benchmarks.simulator import main

from jumpnet.errors import JumpnetError

MESH = Setting(side=8, load=0.2, cycles=20_000, flits=16, vcs=2, buffers=16)
CONFIG = """[Network]
topology = SingleChipMesh
scale = 8
routing_algorithm = XY
buffer_size = 16
vc_number = 2
router_stages = ThreeStage
processing_time = 0
[Workload]
traffic = uniform
packet_length = 16
[Simulation]
injection_increment = 0.2
simulation_time = 20000
timeout_threshold = 2
timeout_limit = 2147483647
threads = 1
[Files]
output_file = output.csv
log_file = log.txt
"""
RECORDED = """          Topology: SingleChipMesh
  Inject Increment: 0.2
 Timeout Threshold: 2
Timeout Pkts Limit: 2147483647
Single Chip 2D-mesh, 8x8

Time elapsed: 0.103238s
Injection rate:0.2 flits/(node*cycle)    Injected:16000    Arrived:  15998    Timeout:  85241
Average latency: 47.0934  Average receiving rate: 0.199975
Internal Hops: 5.32929   Parallel Hops: 0   Serial Hops: 0   Other Hops: 0

Saturation point!
Maximum average receiving traffic: 0.199975 flits/(node*cycle)
"""
"""Printed by CNSim (commit 4aa5985) for MESH; of its settings only four lines are kept."""


def stand_in(folder, body):
    """A program of the shell that does `body`."""
    program = folder / "cnsim"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    return program


def test_configuration():
    assert config_text(MESH) == CONFIG


def test_recorded_output():
    assert parse(RECORDED) == {"packets": 15998, "latency": 47.0934}


def test_output_that_is_no_run_of_one_load_is_refused():
    with pytest.raises(JumpnetError, match="0 loads"):
        parse("No such a topology!\n")
    with pytest.raises(JumpnetError, match="2 loads"):
        parse(RECORDED + RECORDED)
    with pytest.raises(JumpnetError, match="no packet"):
        parse(RECORDED.replace("47.0934", "-nan"))
    with pytest.raises(JumpnetError, match="'many'"):
        parse(RECORDED.replace("15998", "many"))


def test_programs_that_do_not_run_are_refused(tmp_path):
    with pytest.raises(JumpnetError, match="No such file"):
        run(tmp_path / "missing", MESH)
    with pytest.raises(JumpnetError, match="status 3"):
        run(stand_in(tmp_path, "exit 3"), MESH)
    with pytest.raises(JumpnetError, match="no answer within"):
        run(stand_in(tmp_path, "exec sleep 10"), MESH, timeout_s=0.05)


def test_a_start_alone_is_run_too(tmp_path):
    program = stand_in(tmp_path, f"cat $1 >> {tmp_path}/seen\ncat <<'END'\n{RECORDED}END")
    assert run(program, MESH)["packets"] == 15998
    start = CONFIG.replace("increment = 0.2", "increment = 1").replace("time = 20000", "time = 2")
    assert (tmp_path / "seen").read_text() == start + CONFIG


def test_ratios_are_those_of_the_times(tmp_path):
    program = stand_in(tmp_path, f"cat <<'END'\n{RECORDED}END\ni=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
    row = measure_mesh(MESH._replace(cycles=600), 1, program)
    for name in ("wormhole", "cut_through"):
        assert row[f"{name}_ratio"] == row["cnsim_whole"] / row[f"{name}_whole"]
        assert row[f"{name}_loop_ratio"] == row["cnsim_loop"] / row[f"{name}_loop"]
        assert row[f"{name}_flits"] == pytest.approx(0.2 * 64 * 600, rel=0.1)
    assert row["cnsim_flits"] == 15998 * 16


def test_meshes_are_both_sizes_with_all_packets_and_channels():
    assert {(mesh.side, mesh.flits, mesh.vcs) for mesh in MESHES} == {
        (side, flits, vcs) for side in (8, 64) for flits in (1, 5, 16) for vcs in (2, 8)
    }
    assert all(mesh.buffers >= mesh.flits for mesh in MESHES)


def test_the_benchmark_prints_them(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("JUMPNET_BOOKSIM", raising=False)
    monkeypatch.setenv("JUMPNET_THREADS", "1")
    monkeypatch.setattr("benchmarks.simulator.MESHES", (MESH._replace(cycles=600),))
    program = stand_in(tmp_path, f"cat <<'END'\n{RECORDED}END")
    main(["--cnsim", str(program), "--rounds", "1"])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[1].split()[:5] == ["mesh:8x8", "0.2", "600", "16", "2"]
    with pytest.raises(JumpnetError, match="no_such"):
        main(["--cnsim", str(program), "--only", "no_such"])
