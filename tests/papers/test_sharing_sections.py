"""Figure 9 and the directory memory of the bit-map directory paper, without captured traces."""

from __future__ import annotations

import pytest

from jumpnet.machine.workload import workload
from jumpnet.paper._report import Computed, compute, unexplained
from jumpnet.paper.kudoh1995rhbd import placement

NAMES = ("figure_9", "directory_memory", "which_scheme", "update_pages", "sharing_messages")


@pytest.fixture(scope="module")
def parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUMPNET_TRACES", "nowhere")
        found = [part for name in NAMES for part in compute(["kudoh1995rhbd"], only=name)]
    return {part.name: part.section for part in found}


def test_differences_are_explained_and_captured_traces_not_needed(parts) -> None:
    assert set(parts) == set(NAMES)
    assert not any("captured" in label for section in parts.values() for t in section.tables for label, _ in t.rows)
    assert unexplained([Computed("kudoh1995rhbd", name, section) for name, section in parts.items()]) == []


def test_counting_clusters_shows_both_peaks(parts) -> None:
    rows = dict(parts["figure_9"].tables[0].rows)
    clusters = rows["water, 32 processors, counting clusters of four"]
    assert [cell.verdict for cell in clusters[2:]] == ["equal", "equal"]
    processors = rows["water, 32 processors, counting processors"]
    assert [cell.verdict for cell in processors[2:]] == ["differs", "differs"]
    assert all("19" in cell.computed and "31" in cell.computed for cell in processors[2:])


def test_every_message_is_in_one_column(parts) -> None:
    for label, cells in parts["figure_9"].tables[1].rows:
        assert abs(sum(float(cell.computed) for cell in cells[1:6]) - 100.0) < 0.3, label


def test_reduction_of_entries(parts) -> None:
    assert parts["directory_memory"].tables[0].rows[0][1][0].verdict == "equal"


def test_the_page_says_what_its_tables_say(parts) -> None:
    page = parts["which_scheme"]
    text = " ".join(page.text.split())
    rules, programs = ({label: [c.computed for c in cells] for label, cells in table.rows} for table in page.tables)
    slower = rules["update is slower than invalidation, an entry a line"][0]
    update = programs["water"][2]
    assert f"In {slower} programs update takes longer" in text
    assert f"for water, with {update} times" in text
    assert slower == f"{sum(float(row[2]) > 1 for row in programs.values())} of {len(programs)}"
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
    assert f"entry a line, multicast: {found} of {len(multicast)}" in page.text and len(multicast) == 6
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
