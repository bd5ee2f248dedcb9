"""The validations start; what BookSim prints is read right; verdicts; a small point of each kind agrees."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from validation import again, beyond, booksim, examples, zero_load
from validation._compare import band_half_width, compare_all, judge, saturation
from validation._points import DATA, Point, read_points, write_rows
from validation._runner import DEFAULTS, parse, run
from validation.examples import ENDLESS, Example
from validation.rules import FOLDER
from validation.zero_load import worst_difference

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim.run import run_file

ROOT = Path(__file__).parents[2]

PRINTED = """
latency change    = 1
throughput change = 1
Class 0:
Packet latency average = 11.5
latency change    = 0.01
throughput change = 0.02
Draining all recorded packets ...
Time taken is 2042 cycles
====== Overall Traffic Statistics ======
====== Traffic class 0 ======
Packet latency average = 42.5 (1 samples)
\tminimum = 22 (1 samples)
Network latency average = 41.25 (1 samples)
Flit latency average = 26.75 (1 samples)
Injected flit rate average = 0.0501 (1 samples)
Accepted flit rate average = 0.0502 (1 samples)
Hops average = 5.03 (1 samples)
Total run time 0.2
"""
"""The lines that matter of a run, in BookSim's form, with made-up figures."""


def validations(*words):
    """The finished process of `python -m validation WORDS`."""
    return subprocess.run([sys.executable, "-m", "validation", *words], cwd=ROOT, capture_output=True, text=True)


def test_they_are_listed_and_bad_words_are_refused():
    done = validations()
    names = {path.stem for path in (ROOT / "validation").glob("[!_]*.py")}
    assert done.returncode == 0 and {line.split()[0] for line in done.stdout.splitlines()} == names
    done = validations("recordet")
    assert done.returncode == 2 and "recorded" in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_overall_averages_are_read_not_those_on_the_way():
    found = parse(PRINTED)
    assert (found["packet_latency"], found["network_latency"], found["flit_latency"]) == (42.5, 41.25, 26.75)
    assert (found["accepted"], found["hops"], found["cycles"], found["samples"]) == (0.0502, 5.03, 2042, 2)
    assert found["stable"]


def test_a_run_that_was_given_up_is_not_stable():
    assert not parse(PRINTED.replace("Draining all", "Simulation unstable, ending ...\nDraining all"))["stable"]
    found = parse("no statistics at all")
    assert not found["stable"] and found["packet_latency"] is None and found["samples"] == 0


def test_a_program_that_is_not_booksim_is_refused(tmp_path):
    with pytest.raises(JumpnetError, match="BookSim"):
        run(Path("/bin/echo"), {})
    with pytest.raises(JumpnetError, match="nothing"):
        run(tmp_path / "nothing", {})


def test_verdicts():
    assert judge([100.0], [101.9, 102.0, 101.8], 0.02)[2] == "agrees"
    assert judge([100.0], [103.0, 103.1, 102.9], 0.02)[2] == "differs"
    assert judge([100.0], [95.0, 103.0, 111.0], 0.02)[2] == "bands overlap"
    assert judge([100.0, 106.0], [103.0, 103.1], 0.02)[2] == "agrees"
    assert math.isinf(band_half_width([1.0], [1.0]))


def test_saturation_throughput_is_the_most_that_an_overloaded_run_accepts():
    latency = read_points()[0]
    over = replace(latency, kind="overload", load=0.9, accepted=0.2)
    found = saturation([replace(latency, accepted=0.5), over, replace(over, load=0.4, accepted=0.3), over])
    assert found == {latency.series: 0.3}


def test_the_band_covers_a_figure_of_the_same_distribution_as_often_as_it_says():
    import numpy as np

    draws = np.random.default_rng(5).normal(100.0, 3.0, (2000, 6))
    inside = [abs(np.mean(row[:4]) - np.mean(row[4:])) <= band_half_width(row[:4], row[4:]) for row in draws]
    assert 0.93 < np.mean(inside) < 0.97


def test_points_are_written_and_read_back(tmp_path):
    points = read_points()
    assert len({p.series for p in points}) > 20
    write_rows(tmp_path / "again.csv", (asdict(p) for p in points))
    assert [str(p) for p in read_points(tmp_path)] == [str(p) for p in points]
    (tmp_path / "again.csv").write_text("spec,load\ntorus:8x8,0.1\n")
    with pytest.raises(JumpnetError, match=r"again\.csv:2"):
        read_points(tmp_path)
    assert DATA.is_dir()


def test_settings_of_a_point_in_booksims_words():
    point = Point("torus:8x8", "torus.booksim", "hotspot:nodes=3-17", 5, 8, 0.03, "overload", 600, 400,
                  "saturated", 7, 0.03, 1.0, 1.0, 1.0, 5.0)  # fmt: skip
    settings, period = booksim.settings_of(point)
    assert period == 200 and settings["max_samples"] == 5 and settings["traffic"] == "hotspot({{3,17}})"
    assert settings.keys() - DEFAULTS.keys() == {
        "topology", "k", "n", "injection_rate", "sample_period", "seed", "max_samples", "latency_thres",
    }  # fmt: skip
    again = point.with_figures(parse(PRINTED), 500, warmup_periods=1)
    assert again.packet_latency == 42.5 and again.status == "stable" and again.measured_cycles == 500


def test_latency_of_single_packets_is_exact_and_a_false_formula_is_seen(monkeypatch):
    case = ("torus:4x4", "torus.booksim", 5, {"routing_delay_cycles": 2})
    assert worst_difference(*case) == 0
    true = zero_load.formula_cycles
    monkeypatch.setattr(zero_load, "formula_cycles", lambda routers, *rest: true(routers, *rest) + (routers > 4))
    assert worst_difference(*case) == 1


def test_a_recorded_point_agrees_and_a_false_one_does_not():
    points = [p for p in read_points() if p.series == ("torus:8x8", "uniform", 1, 8) and p.seed == 1]
    low = next(p for p in points if p.load == 0.1)
    over = next(p for p in points if p.kind == "overload")
    false = replace(low, packet_latency=low.packet_latency * 1.1, load=0.05)
    found = list(compare_all([low, low, low, false, over], 4))
    assert [c.verdict for c in found] == ["agrees", "differs", "agrees"]
    assert [len(c.values) for c in found] == [6, 4, 4]


def test_rows_again_have_the_mean_of_the_same_seeds_and_are_judged_by_the_recorded_band():
    example = Example("stages_mesh k=4", (), (), 0.0, 100, 0)
    row = {"file": example.file, "figure": "accepted_load", "injection_rate": "0.9", "runs_each": "2", "verdict": ""}
    settings = {"k": "4", "injection_rate": "0.9", "sample_period": "100", **ENDLESS}
    ran = [run_file(FOLDER / "stages_mesh", {**settings, "seed": seed}).accepted_load for seed in ("1", "2")]
    assert ran[0] != ran[1]
    mean = sum(ran) / 2
    told = []
    for aim, half in ((mean / 1.02, 0.0), (mean / 1.1, mean), (mean / 1.1, 0.0)):
        found = again.run_again(
            {**row, "booksim": str(aim), "band_half_width": str(half)}, example, FOLDER / "stages_mesh"
        )
        assert found["jumpnet"] == f"{mean:.6g}" and found["booksim"] == str(aim)
        told.append((found["difference_percent"], found["verdict"]))
    assert told == [("+2.00", "agrees"), ("+10.00", "bands overlap"), ("+10.00", "differs")]


def test_one_figure_of_one_file_again_and_the_other_rows_stay(tmp_path, monkeypatch):
    table = tmp_path / "rules.csv"
    heads = "file,figure,injection_rate,difference_percent,booksim,jumpnet,band_half_width,runs_each,verdict\n"
    one = "batch_transpose,packet_latency_1,0.2,+0.10,20,20.02,0.1,1,agrees\n"
    rest = "batch,batch_cycles,,+0.10,900,901,9,3,agrees\nselect,packet_latency,0.2,+0.10,20,20.02,0.1,1,agrees\n"
    table.write_text(heads + one + rest)
    monkeypatch.setattr(again, "RESULTS", tmp_path)
    monkeypatch.setattr(again, "_of_files", lambda *_: {"batch_transpose": (None, None)})
    monkeypatch.setattr(again, "run_again", lambda row, *_: {**row, "jumpnet": "25", "verdict": "differs"})
    assert not again.main(["rules", "--only", "batch"])
    assert table.read_text() == heads + one.replace("20.02", "25").replace("agrees", "differs") + rest


@pytest.mark.parametrize(
    ("compared", "said", "verdict"),
    [
        ((0, 0, 1), "no packet was alone", "not compared"),
        ((3, 0, 1), "3 packets, worst difference 0 cycles", "exact"),
        ((3, 2, 1), "3 packets, worst difference 2 cycles", "differs"),
    ],
)
def test_zero_load_without_a_packet_alone_is_not_compared_and_no_failure(
    compared: tuple[int, int, int], said: str, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, given in (("booksim", ""), ("configuration", (None, None)), ("worst_difference", compared)):
        monkeypatch.setattr(examples, name, lambda *asked, given=given: given)
    row = examples._alone(Example("a.cfg", (), (), 0.01, 100, 100), Path("bs"), Path("a.cfg"))
    assert (row["jumpnet"], row["verdict"]) == (said, verdict)
    words = ["--binary", "bs", "--out", str(tmp_path / "table.csv")]
    assert examples.run_all(words, "examples", "", [("a.cfg", lambda *_: iter([row]))]) == (verdict != "differs")


def test_rows_of_a_file_name_each_class(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"class_0_accepted_load": 0.1, "class_1_accepted_load": 0.3}
    ran = SimpleNamespace(figures=figures, offered_load=0.5)
    printed = {"by_class": {"accepted": [0.1, 0.25]}}
    for name, given in (("booksim", ""), ("parse", printed), ("run_here", ran)):
        monkeypatch.setattr(examples, name, lambda *asked, given=given: given)
    example = SimpleNamespace(file="a.cfg", run=lambda *asked: {})
    rows, load = examples._rows(example, Path("bs"), Path("a.cfg"), 0.5, 2, "accepted", {})
    assert [row["figure"] for row in rows] == ["accepted_load_0", "accepted_load_1"]
    assert [row["jumpnet"] for row in rows] == ["0.1", "0.3"] and load == 0.5


def test_accepted_loads_of_the_grid_are_judged_where_both_go_on(tmp_path):
    """A program that prints figures is judged; what hangs there, or deadlocks here, is told and not judged."""

    def row(seed, body, limit=60.0):
        (program := tmp_path / "booksim").write_text("#!/bin/sh\n" + body)
        program.chmod(0o755)
        found = beyond.beyond(seed, program, 2, limit, tmp_path)
        return found["verdict"], found["booksim"]

    figures = "cat <<'END'" + PRINTED + "END\n"
    assert row(2001, figures)[0] == "differs"  # 0.05 accepted where some 0.8 are
    assert row(2001, figures.replace("0.0502", "0.796"))[0] == "agrees"
    assert row(2001, "exec sleep 30", limit=0.2) == ("not compared", "0 of 2 runs ended within 0.2 s")
    said = "2 of 2 runs ended within 60 s (0.0502 accepted), jumpnet deadlocks in 2 of 2"
    assert row(2003, figures) == ("not compared", said)
