"""Directories on programs: the words follow from the figures, and what is run now is as committed."""

from __future__ import annotations

import pytest
from tests.papers.page.page_made import committed_sections

from jumpnet.machine.trace import open_trace
from jumpnet.machine.workload import workload
from jumpnet.report._kept import kept
from jumpnet.report._sharing import captured_files
from jumpnet.report.kudoh1995rhbd import (
    _ways,
    answer_directories,
    directories,
    directory_choices,
    directory_traces,
    directory_traces_choices,
    directory_traces_rest,
)


def _runs(cycles, flits):
    bands = {"cycles": cycles, "link_flits": flits}
    return {name: [round(sum(found) / 2), *sorted(found)] for name, found in bands.items()} | {"placements": [2]}


def _run_now(section):
    """Thousands of cycles of the one run of a section's last tables, of one of two placements."""
    (_, [cell, *_]) = section.tables[-2].rows[0]
    return str(cell.computed)


def _thousands(bands):
    """Of the placement with the least cycles and of that with the most."""
    return [f"{cycles / 1000:,.1f}" for cycles in bands["cycles"][1:]]


def test_who_wins_is_said_by_means_and_whether_bands_overlap() -> None:
    runs = {
        "one:processors=8: full map": _runs([80, 100], [10, 10]), "one:processors=8: SM": _runs([40, 50], [30, 30]),
        "one:processors=8: list": _runs([70, 75], [9, 13]), "two_p4: list": _runs([55, 56], [7, 9]),
        "two_p4: full map": _runs([60, 60], [8, 8]), "two_p4: SM": _runs([100, 140], [6, 7]),
    }  # fmt: skip
    time, traffic = _ways.answer("", runs, ["full map", "SM", "list"])
    assert time == (
        "Execution time. SM has the least on 1 of 2 (one of 8), the next best taking 1.60 times as much; list has the "
        "least on 1 of 2 (captured two of 4), the next best taking 1.07 times as much; full map has it nowhere. "
        "In units of full map: SM 0.50 (one of 8) to 2.00 (captured two of 4); "
        "list 0.80 (one of 8) to 0.93 (captured two of 4)."
    )
    assert "full map has the least on 1 of 2 (one of 8; bands overlap on it)" in traffic
    time, traffic = _ways.tables("", runs, ["full map", "SM", "list"])
    assert [label for label, _ in time.rows] == ["two_p4", "8: one ()"]  # the fewest processors first
    assert [cell.computed for cell in time.rows[1][1]] == ["0.1", "0.50 (0.44 to 0.56)", "0.80 (0.78 to 0.83)"]


def test_the_answer_counts_every_program_once() -> None:
    """Programs of the four sections, those of 1024 processors with the placements of the further choices."""
    runs = answer_directories.every_run()
    programs = _ways.by_program(runs)
    own = {p for programs in directories.PROGRAMS.values() for p in programs} | {*directory_traces.PROGRAMS}
    captured = {*directory_traces.TIMED, *directory_traces.THINNED, directory_traces_rest.LARGEST}
    assert set(programs) == own | captured
    assert all(set(ways) == set(directories.WAYS) for ways in programs.values())
    assert runs[f"{directories.PROGRAMS[1024][0]}: SM"]["placements"] == [2]
    section = committed_sections("kudoh1995rhbd", "answer_directories")["answer_directories"].section
    assert f"of {len(programs)} (" in section.text and len(section.tables[0].rows) == len(programs)


def test_the_answer_says_where_further_choices_ran_with_one_placement() -> None:
    def way(placements: int) -> _ways.Bands:
        return {"cycles": [4, 4, 4], "link_flits": [6, 6, 6], "placements": [placements]}

    programs = {"one_p4": 1, "lu:processors=4": 2}
    runs = {f"{program}: {name}": way(many) for program, many in programs.items() for name in directories.WAYS}
    said = answer_directories.further({"updates": runs, "lines": {label: way(2) for label in runs}})
    assert ["one placement, and so no band, on captured one of 4." in words for words in said] == [False, True, True]
    section = committed_sections("kudoh1995rhbd", "answer_directories")["answer_directories"].section
    largest = f"; one placement, and so no band, on {_ways.called(directory_traces_rest.LARGEST)}."
    assert section.text.count(largest) == 3  # lines, schemes and maps made anew


def test_every_program_and_way_is_committed_and_the_short_run_is_the_same() -> None:
    committed = kept("kudoh1995rhbd", "directories")
    assert committed is not None
    labels = {f"{program}: {way}" for programs in directories.PROGRAMS.values() for program in programs
              for way in directories.WAYS}  # fmt: skip
    assert {label for runs in committed.data.values() for label in runs} == labels
    section = committed_sections("kudoh1995rhbd", "directories")["directories"].section
    assert "4 of their 4 ways are the same there" in " ".join(section.text.split())
    assert [len(table.rows) for table in section.tables] == [len(labels) // 4] * 2 + [1, 1]


def test_further_choices_are_committed_and_the_short_run_is_among_them() -> None:
    committed = kept("kudoh1995rhbd", "directory_choices")
    assert committed is not None
    for key, (_, programs, ways) in directory_choices.TABLES.items():
        assert set(committed.data[key]) == {f"{program}: {way}" for program in programs for way in ways}
    section = committed_sections("kudoh1995rhbd", "directory_choices")["directory_choices"].section
    assert _run_now(section) in _thousands(committed.data["schemes"][f"{directories.NOW}: the least of them"])
    assert "An entry a line takes, in units of the time of an entry a page under invalidation" in section.text


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
    assert _run_now(section) in _thousands(data["barnes"][f"{directory_traces.NOW}: full map"])


def test_further_choices_on_traces_are_committed_with_their_digests_and_the_short_run_is_among_them() -> None:
    committed, traces = kept("kudoh1995rhbd", "directory_traces_choices"), kept("kudoh1995rhbd", "directory_traces")
    assert committed is not None and traces is not None
    captured = set()
    for key, (_, programs, ways) in directory_traces_choices.TABLES.items():
        assert set(committed.data[key]) == {f"{program}: {way}" for program in programs for way in ways}
        captured |= {program for program in programs if ":" not in program}
    digests = {stem: traces.data["traces"][stem]["sha256"] for stem in captured}
    assert committed.data["files"] == digests
    section = committed_sections("kudoh1995rhbd", "directory_traces_choices")["directory_traces_choices"].section
    assert _run_now(section) in _thousands(committed.data["lines"][f"{directory_traces_choices.NOW}: full map"])
    assert "An entry a line takes, in units of the time of an entry a page under invalidation" in section.text
    assert all(digest[:12] in section.text for digest in digests.values())


def test_what_takes_longest_on_traces_is_committed_with_its_digests() -> None:
    committed, traces = kept("kudoh1995rhbd", "directory_traces_rest"), kept("kudoh1995rhbd", "directory_traces")
    assert committed is not None and traces is not None
    captured = set()
    for key, (_, stems, ways, _) in directory_traces_rest.TABLES.items():
        apart = {way for way in ways if (key, way) != ("anew", "SM")}  # those are taken once, in another table
        assert set(committed.data[key]) == {f"{stem}: {way}" for stem in stems for way in apart}
        for label, bands in committed.data[key].items():
            assert bands["placements"] == [directory_traces_rest.placements(key, label.partition(":")[0])]
        every = [bands[measure] for bands in committed.data[key].values() for measure in _ways.MEASURES]
        # Of one placement or two the mean is that of least and most.
        assert all(abs(2 * mean - least - most) <= 1 and least <= mean <= most for mean, least, most in every)
        shown = directory_traces_rest.by_table(committed.data)[key]
        assert set(shown) == {f"{stem}: {way}" for stem in stems for way in ways}
        captured |= {*stems}
    digests = {stem: traces.data["traces"][stem]["sha256"] for stem in captured}
    assert committed.data["files"] == digests
    section = committed_sections("kudoh1995rhbd", "directory_traces_rest")["directory_traces_rest"].section
    assert all(digest[:12] in section.text for digest in digests.values())
    assert len(section.tables) == 2 * len(directory_traces_rest.TABLES)


def test_sm_where_maps_are_made_anew_is_that_of_the_section_on_captured_traces() -> None:
    """The same machine, so that its figures are not taken twice."""
    assert directory_traces_rest.TABLES["anew"].ways["SM"] == directory_traces.TREES["SM"]
    assert directory_traces_rest.TABLES["anew"].placements == directory_traces.PLACEMENTS
    runs = directory_traces_rest.by_table({"anew": {"barnes_1024_p256: REMAKE": {}}})["anew"]
    traces = kept("kudoh1995rhbd", "directory_traces")
    assert traces is not None
    assert runs["barnes_1024_p256: SM"] == traces.data["thinned"]["barnes_1024_p256: SM"]


def test_one_of_what_takes_longest_gives_what_is_committed() -> None:
    committed, path = kept("kudoh1995rhbd", "directory_traces_rest"), captured_files().get("barnes_512_p32")
    if path is None:
        pytest.skip("the captured trace barnes_512_p32 is not at hand (JUMPNET_TRACES)")
    found = directory_traces_rest.figures(path, "lines", "list")
    assert committed is not None and found == {label: committed.data["lines"][label] for label in found}


def test_a_page_of_captured_traces_is_compared_without_sm_whose_packets_go_otherwise_there() -> None:
    ways = {}
    for label in directory_traces_choices.pages():
        program, _, way = label.rpartition(": ")
        ways.setdefault(program, set()).add(way)
    assert set(ways) == {*directory_traces.PROGRAMS, *directory_traces.TIMED, *directory_traces.THINNED}
    assert all(("SM" in of) == (":" in program) for program, of in ways.items())


@pytest.mark.parametrize(
    ("program", "key", "way"), [(directory_traces.PROGRAMS[1], "lines", "list"), ("fft_m12_p32", "lines", "6 pointers")]
)
def test_a_further_choice_gives_what_is_committed(program, key, way) -> None:
    committed, path = kept("kudoh1995rhbd", "directory_traces_choices"), captured_files().get(program)
    if ":" not in program and path is None:
        pytest.skip(f"the captured trace {program} is not at hand (JUMPNET_TRACES)")
    trace = workload(program).trace() if ":" in program else open_trace(path)
    design = directory_traces_choices.TABLES[key][2][way]
    found = directories.runs_of(trace, program, range(directory_traces_choices.PLACEMENTS), {way: design})
    assert committed is not None and found == {label: committed.data[key][label] for label in found}


@pytest.mark.parametrize("stem", ["barnes_512_p32", "rgas_1024mol_p256"])
def test_a_captured_trace_at_hand_gives_what_is_committed(stem) -> None:
    path, committed = captured_files().get(stem), kept("kudoh1995rhbd", "directory_traces")
    assert committed is not None
    if path is None:
        pytest.skip(f"the captured trace {stem} is not at hand (JUMPNET_TRACES)")
    assert directory_traces.traced(path) == committed.data["traces"][stem]
