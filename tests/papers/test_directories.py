"""Directories on programs: the words follow from the figures, and what is run now is as committed."""

from __future__ import annotations

import pytest
from tests.papers.page_made import committed_sections

from jumpnet.report._kept import kept
from jumpnet.report._sharing import captured_files
from jumpnet.report.kudoh1995rhbd import directories, directory_choices, directory_traces


def _runs(cycles, flits):
    bands = {"cycles": cycles, "link_flits": flits}
    return {name: [round(sum(found) / 2), *sorted(found)] for name, found in bands.items()} | {"placements": [2]}


def test_who_wins_is_said_by_means_and_whether_bands_overlap() -> None:
    runs = {
        "one: full map": _runs([80, 100], [10, 10]), "one: 6 pointers": _runs([90, 90], [20, 20]),
        "one: list": _runs([70, 75], [9, 13]), "one: SM": _runs([40, 50], [30, 30]),
        "two: full map": _runs([60, 60], [8, 8]), "two: 6 pointers": _runs([50, 80], [9, 9]),
        "two: list": _runs([55, 56], [7, 9]), "two: SM": _runs([100, 140], [6, 7]),
    }  # fmt: skip
    time, traffic, gain = directories.told(runs).split("\n\n")
    assert time == "Execution time. list has the least in 1 of 2: two (bands overlap); SM has the least in 1 of 2: one."
    assert (
        "full map has the least in 1 of 2: one (bands overlap)" in traffic
        and "SM has the least in 1 of 2: two" in traffic
    )
    assert gain.startswith("SM multicasts are 0.5 (two) to 2.0 (one) times as fast as a full map")


def test_every_program_and_way_is_committed_and_the_short_run_is_the_same() -> None:
    committed = kept("kudoh1995rhbd", "directories")
    assert committed is not None
    labels = {f"{program}: {way}" for programs in directories.PROGRAMS.values() for program in programs
              for way in directories.WAYS}  # fmt: skip
    assert {label for runs in committed.data.values() for label in runs} == labels
    section = committed_sections("kudoh1995rhbd", "directories")["directories"].section
    assert "4 of its 4 rows are the same there" in " ".join(section.text.split())
    assert len(section.tables) == len(directories.PROGRAMS) + 1


def test_further_choices_are_committed_and_the_short_run_is_among_them() -> None:
    committed = kept("kudoh1995rhbd", "directory_choices")
    assert committed is not None
    for key, (_, programs, ways, _) in directory_choices.TABLES.items():
        assert set(committed.data[key]) == {f"{program}: {way}" for program in programs for way in ways}
    section = committed_sections("kudoh1995rhbd", "directory_choices")["directory_choices"].section
    (label, [cell, *_]) = section.tables[-1].rows[0]
    least, most = committed.data["schemes"][label]["cycles"][1:]
    assert int(str(cell.computed).split()[0]) in (least, most)  # one of the two placements
    # The same program and way under an entry a page, in the section before: one placement is the same run.
    assert "An entry a line takes, of the time of an entry a page under invalidation" in section.text


def test_barnes_and_captured_traces_are_committed_and_the_short_run_is_among_them() -> None:
    committed = kept("kudoh1995rhbd", "directory_traces")
    assert committed is not None
    data = committed.data
    labels = {f"{program}: {way}" for program in directory_traces.PROGRAMS for way in directories.WAYS}
    assert set(data["barnes"]) == labels and len(data["traces"]) == 8
    for name, stems in (("time", directory_traces.TIMED), ("thinned", directory_traces.THINNED)):
        assert set(data[name]) == {f"{stem}: {way}" for stem in stems for way in directory_traces.TREES}
    for figures in data["traces"].values():
        # A map names all destinations at least, and its mean lies in its band.
        assert all(figures["destinations"] <= low <= mean <= high for mean, low, high in figures["receivers"].values())
        assert figures["pointers"] >= figures["destinations"]
    section = committed_sections("kudoh1995rhbd", "directory_traces")["directory_traces"].section
    (label, [cell, *_]) = section.tables[-1].rows[0]
    assert int(str(cell.computed).split()[0]) in data["barnes"][label]["cycles"][1:]  # one of the two placements


@pytest.mark.parametrize("stem", ["barnes_512_p32", "rgas_1024mol_p256"])
def test_a_captured_trace_at_hand_gives_what_is_committed(stem) -> None:
    path, committed = captured_files().get(stem), kept("kudoh1995rhbd", "directory_traces")
    assert committed is not None
    if path is None:
        pytest.skip(f"the captured trace {stem} is not at hand (JUMPNET_TRACES)")
    assert directory_traces.traced(path) == committed.data["traces"][stem]
