"""Figure 9 and section 5.1 of the bit-map directory paper: what is shown follows from what was counted."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from tests.papers.page.page_made import committed_sections

from jumpnet.machine.workload import workload
from jumpnet.papers import golden
from jumpnet.report import _sharing
from jumpnet.report._kept import kept
from jumpnet.report._notes import unused
from jumpnet.report._page_entries import histograms
from jumpnet.report._report import Computed, unexplained
from jumpnet.report.kudoh1995rhbd import execution_time, placement, pointers_chains
from jumpnet.report.kudoh1995rhbd._peaks import apart, low_peak, octave, peaks

KEY = "kudoh1995rhbd"
NAMES = (
    "figure_9", "directory_memory", "which_scheme", "update_pages", "sharing_messages", "pointers_chains",
    "execution_time",
)  # fmt: skip
KEPT = ("figure_9", "directory_memory", "update_pages", "sharing_messages", "pointers_chains", "placement")


@pytest.fixture(scope="module")
def parts():
    return {name: part.section for name, part in committed_sections(KEY, *NAMES).items()}


@pytest.mark.parametrize("name", KEPT)
def test_a_short_run_keeps_what_is_committed_and_a_long_one_runs_what_is_at_hand(name, monkeypatch) -> None:
    committed, trace = kept(KEY, name), workload("water").trace()
    assert committed is not None
    label = "WATER of Splash-3, captured"
    monkeypatch.setattr(_sharing, "captured", lambda full: {label: trace})

    def figures(found):
        assert found is trace
        return {"seen": 1}

    run = {
        full: _sharing.measured(name, {"own": trace}, figures, lambda done, total: None, full) for full in (False, True)
    }
    assert run[False] == ({"own": {"seen": 1}}, committed.data)
    assert run[True] == ({"own": {"seen": 1}}, {**committed.data, label: {"seen": 1}})


def test_differences_are_explained(parts) -> None:
    assert set(parts) == set(NAMES)
    assert unexplained([Computed(KEY, name, section) for name, section in parts.items()]) == []
    assert [found for found in unused(KEY, parts.items()) if found.split()[1].rstrip(":") in parts] == []


@pytest.mark.parametrize("name", KEPT)
def test_what_captured_traces_gave_is_committed_and_shown(parts, name) -> None:
    committed = kept(KEY, name)
    assert committed is not None and {"rarefied gas, captured", "WATER of Splash-3, captured"} <= set(committed.data)
    if name in parts:
        shown = [label for table in parts[name].tables for label, _ in table.rows]
        for label in committed.data:
            assert any(row.startswith(label) for row in shown), label


def test_results_are_the_same_after_they_were_committed() -> None:
    """The figures of a section survive being written and read."""
    trace = workload("water").trace()
    for figures in (histograms, pointers_chains._figures, placement._figures):
        found = figures(trace)
        assert json.loads(json.dumps(found)) == found


def test_a_peak_is_one_peak() -> None:
    for histogram, everyone, expected in (
        ({6: 10, 7: 90}, 7, ["7"]),  # at 4 to 8, and at all: one peak, not two
        ({5: 90, 6: 10, 7: 20}, 7, ["5", "7"]),
        ({4: 50, 5: 50, 6: 1}, 7, ["4 to 5"]),
        ({7: 30, 6: 30, 2: 1}, 7, ["2", "6 to 7"]),
        ({4: 50, 5: 49, 6: 50}, 31, ["6"]),  # a dent of less than one in a hundred
        ({4: 50, 5: 40, 6: 50}, 31, ["4", "6"]),
        ({1: 1, 20: 500}, 31, ["20"]),  # too small
        ({20: 100, 21: 90, 22: 91, 23: 10}, 31, ["20"]),  # a tooth on a slope
        ({}, 31, []),
        ({1: 3}, 1, ["1"]),
    ):
        assert [p.said for p in peaks(histogram, everyone)] == expected, histogram
    low, high = apart(peaks({6: 10, 7: 90}, 7), 7)
    assert low == [] and high is not None and low_peak(peaks({6: 10, 7: 90}, 7), 7) is None
    both = peaks({2: 30, 3: 1, 5: 90, 6: 10, 7: 200}, 7)
    found = low_peak(both, 7)
    assert found is not None and (found.first, octave(found.first)) == (5, "4-8")
    # The higher of two low peaks is a dent beside everyone's; the other one stands alone.
    found = low_peak(peaks({2: 60, 3: 1, 5: 90, 6: 80, 7: 200}, 7), 7)
    assert found is not None and found.said == "2"


def test_counting_clusters_shows_both_peaks(parts) -> None:
    rows = dict(parts["figure_9"].tables[1].rows)
    clusters = rows["water, 32 processors, counting clusters of four, never cleared"]
    assert [clusters[k].verdict for k in (0, 1, 4, 5)] == ["equal"] * 4
    processors = rows["water, 32 processors, counting processors, never cleared"]
    assert [processors[k].verdict for k in (0, 1, 4, 5)] == ["differs", "equal", "differs", "equal"]
    assert all("19 (" in processors[k].detail and "31 (" in processors[k].detail for k in (0, 4))
    gas = rows["rarefied gas, captured, counting processors, valid holders"][0].detail
    assert "28.1 of 255 on average" in gas
    assert "169.8 of 255" in rows["rarefied gas, captured, counting processors, never cleared"][0].detail


def test_the_default_of_a_pages_entry_reproduces_most(parts) -> None:
    reading = golden(KEY)["readings"]["page_entry"]
    every = [c for table in parts["figure_9"].tables for _, row in table.rows for c in row if c is not None]
    cells = [c for c in every if c.reading]
    shown = Counter(c.reading for c in cells)
    equal = Counter(c.reading for c in cells if c.verdict == "equal")
    options = [f"page_entry:{name}" for name in reading["options"]]
    assert set(shown) == set(options) and len(set(shown.values())) == 1
    assert max(options, key=lambda name: equal[name]) == f"page_entry:{reading['default']}"


def test_copies_and_pointers(parts) -> None:
    page = parts["pointers_chains"]
    beyond, _, long, alone, receivers, timed = page.tables
    assert [c.verdict for c in beyond.rows[0][1]] == ["equal", "equal"] and long.rows[0][1][0].verdict == "equal"
    one, many = dict(alone.rows)["1 copies"], dict(alone.rows)["32 copies"]
    assert len({c.computed for c in one}) == 1
    full, pointers, chain, maps, multicast = (c.computed for c in many)
    assert chain > pointers == maps == full > multicast
    for label, cells in receivers.rows:
        full, broadcast, evicting, chain, maps = (float(c.computed) for c in cells[1:6])
        assert evicting <= full == chain <= min(broadcast, maps), label
        assert float(cells[7].computed) >= 1, label
    # An encoding that is ignored in time would show as 1.00 everywhere.
    assert all(any(float(row[k].computed) != 1 for _, row in timed.rows) for k in (1, 2, 3, 4))


def test_time_of_a_short_run_is_as_committed(parts) -> None:
    page = parts["execution_time"]
    now = page.tables[-1]
    assert f"{len(now.rows)} of its {len(now.rows)} rows are the same there" in " ".join(page.text.split())
    committed = dict(page.tables[2].rows)
    for label, cells in now.rows:
        assert [c.computed for c in committed[label]] == [c.computed for c in cells]
    plans = execution_time.plans({spec: workload(spec).trace() for spec in execution_time.every_program()})
    assert {plan.label for plan in plans if plan.table == "deliveries"} <= set(committed)


def test_every_message_is_in_one_column(parts) -> None:
    for label, cells in parts["figure_9"].tables[3].rows:
        assert abs(sum(float(cell.computed) for cell in cells[1:6]) - 100.0) < 0.3, label


def test_reduction_of_entries(parts) -> None:
    cell = parts["directory_memory"].tables[0].rows[0][1][0]
    assert (cell.text, cell.verdict) == ("1/128", "stated")  # the sizes say so; a program that fills its pages shows it


def test_the_page_says_what_its_tables_say(parts) -> None:
    page = parts["which_scheme"]
    text = " ".join(page.text.split())
    rules, programs, said = (
        {label: [c.computed for c in cells] for label, cells in table.rows} for table in page.tables
    )
    slower = rules["update is slower than invalidation, an entry a line"][0]
    update = programs["water"][2]
    assert f"In {slower} programs update takes longer" in text
    assert f"for water, with {update} times" in text
    assert slower == f"{sum(float(row[2]) > 1 for row in programs.values())} of {len(programs)}"
    quicker = {"line": sum(float(row[2]) < 1 for row in programs.values()),
               "page": sum(float(row[3]) < float(row[1]) for row in programs.values())}  # fmt: skip
    for directory, count in quicker.items():
        label = f"programs that take fewer cycles under update, an entry a {directory}"
        assert said[label] == [f"{count} of {len(programs)}"]
    fewer = sum(float(row[8]) < float(row[6]) for row in programs.values())
    assert f"and fewer than SM in {fewer}." in text
    single = sum(float(row[6]) <= min(map(float, row[6:9])) for row in programs.values())
    assert rules["single maps (SM) reach no more nodes than LPRA and LARP"] == [f"{single} of {len(programs)}"]


def test_the_choice_of_pages_says_what_its_table_says(parts) -> None:
    page = parts["update_pages"]
    rows = {label: [cell.computed for cell in cells] for label, cells in page.tables[0].rows}
    saved = {label: float(cells[4].rstrip("%")) for label, cells in rows.items()}
    multicast = [value for label, value in saved.items() if label.endswith("entry a line, multicast")]
    found = sum(value >= 1.0 for value in multicast)
    assert f"entry a line, multicast: {found} of {len(multicast)}" in page.text and len(multicast) == 14
    assert f"{max(saved.values()):.1f}%" in page.text
    for label, cells in rows.items():
        chosen, pages = int(cells[3]), int(cells[2])
        assert 0 <= chosen <= pages and (chosen > 0 or saved[label] == 0.0)


def test_the_section_on_receivers_says_what_its_table_says(parts) -> None:
    page = parts["sharing_messages"]
    rows = [[cell.computed for cell in cells] for _, cells in page.tables[0].rows]
    single = sum(float(row[2]) <= min(map(float, row[2:5])) for row in rows)
    text = " ".join(page.text.split())
    assert f"two schemes in {single} of {len(rows)} rows" in text
    vain = [int(row[6].rstrip("%")) for row in rows]
    assert f"the best scheme sends, {min(vain)}% (" in text and f" to {max(vain)}% (" in text


def test_placement_never_sends_more_in_vain() -> None:
    page = placement.placed({"water": workload("water").trace()}, lambda done, of: None)
    rows = {label: [cell.computed for cell in cells] for label, cells in page.tables[0].rows}
    assert sum("captured" in label for label in rows) == 3 * 8
    better = {label: row for label, row in rows.items() if row[4] != "as it was"}
    assert all(row[1] < row[0] for row in better.values())
    assert all(row[0] == row[1] for label, row in rows.items() if label not in better)
    assert f"In {len(better)} of {len(rows)} rows" in " ".join(page.text.split())
    assert rows["water: SM"][1] == 0


def test_the_page_says_what_multicast_saves(parts) -> None:
    page = parts["which_scheme"]
    text = " ".join(page.text.split())
    rows = {label: [cell.computed for cell in cells] for label, cells in page.tables[1].rows}
    tree = {label: float(cells[-1]) for label, cells in rows.items()}
    faster = sum(tree[label] < float(cells[1]) for label, cells in rows.items())
    assert f"in {faster} of {len(rows)} programs, most for gas" in text
    assert f"{min(tree.values()):.2f}" in text and f"{max(tree.values()):.2f} (" in text
