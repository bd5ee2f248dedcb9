"""Every figure and word of the report against what is committed, section by section; what the verdicts rest on.

`jumpnet paper --record` writes the files after a change that is meant. Full runs, too long for every day, are compared
by `jumpnet paper --full --check`; the section that is left out here by `jumpnet paper --check`, or
`JUMPNET_DRAWS=all python -m pytest tests/papers/verdicts`.
"""

from __future__ import annotations

import copy
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from tests.draws import ALL
from tests.papers.verdicts.drawn import undrawn

from jumpnet.analysis.assignment.search import compare, search
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.dualnet import dual_halving
from jumpnet.analysis.routes.paths import adaptive_figures, path_figures
from jumpnet.chip.faults import campaign, flips, shoot_downs, stuck_packets
from jumpnet.chip.walk import cyclic
from jumpnet.fault.yields import wafer_yield
from jumpnet.graph.bisection import bisection
from jumpnet.multicast.sample import exact_receivers, sample_receivers
from jumpnet.networks import Network
from jumpnet.papers import entries, golden, golden_folder
from jumpnet.report._claims import _cells, default_reading, readings
from jumpnet.report._degrees import links_of_a_node
from jumpnet.report._drawings import drawing_file, drawing_rows
from jumpnet.report._notes import notes, unused
from jumpnet.report._report import Computed, cell_rows, computed, papers, slow, unexplained
from jumpnet.report._section import Cell
from jumpnet.report._texts import text_differences, text_file, text_rows
from jumpnet.report._verdicts import differences, read_verdicts, verdict_file, verdict_rows
from jumpnet.report.inoguchi1996srt import two_dimensions
from jumpnet.report.kudoh1995rhbd import (
    by_packet,
    directories,
    placement,
    pointers_chains,
    remake,
    router_chip,
    sharing_messages,
    update_pages,
    which_scheme,
)
from jumpnet.report.kudoh1995rhbd import single_tree_simulated as single_tree
from jumpnet.report.kudoh1995rhbd._simulated import point
from jumpnet.report.li2009rdn import theorem_2
from jumpnet.report.nishi1997router import _schemes, combining, deadlock, faults, latency, schemes_on_trees
from jumpnet.report.nishi1997router.structure import longest
from jumpnet.report.yang2001rdt import closed_partitioning, definitions_5_6, table_3, table_6
from jumpnet.report.yang2001rdt._curves import _curve
from jumpnet.report.yang2001rdt.deadlock import disordered
from jumpnet.report.yang2001rdt.fault_tolerance import lost_pairs
from jumpnet.report.yang2001rdt.hypercube_embedding import dimension_steps
from jumpnet.report.yang2001rdt.mesh_embedding import least_stretch
from jumpnet.routings import BoundRouting
from jumpnet.study.degrade import degradation_table
from jumpnet.topology import build

ROOT = Path(__file__).parents[3]
MODULES = {(key, m.__name__.rsplit(".", 1)[-1]): m for key, modules in papers().items() for m in modules}
COMMITTED = read_verdicts(verdict_file(golden_folder(), full=False))
TEXTS = read_verdicts(text_file(golden_folder()))
DRAWINGS = read_verdicts(drawing_file(golden_folder()))
DIGITS = re.compile(r"(?<![A-Za-z_\d.])\d")
MEASURED = (
    build, links_of_a_node, adaptive_figures, path_figures, bisection, dual_halving, theorem_2._costs,
    closed_partitioning.leaving, closed_partitioning.measure,
    definitions_5_6._rank_one, table_3._wires, table_6._tree_steps, table_6._cube_steps, two_dimensions._lines_are_1d,
    single_tree._run,
    _curve, search, compare, prove, dimension_steps, least_stretch, lost_pairs, wafer_yield,
    flips, shoot_downs, stuck_packets, longest, campaign, cyclic, router_chip._runs, disordered, degradation_table,
    combining._routes, combining._counts, combining._busiest, combining._by_mbps, combining._entries, _schemes.compared,
    faults._watchdog, deadlock._hops, latency.stages, latency._gap, latency._order,
    schemes_on_trees._one_after_another, schemes_on_trees._steps, schemes_on_trees._clocks,
    point, remake.alone, by_packet.mixed, by_packet._proofs, which_scheme._program,
    pointers_chains._figures, pointers_chains._alone, placement._figures, sharing_messages._figures,
    update_pages._figures, directories.measured, sample_receivers, exact_receivers,
)  # fmt: skip
"""What takes long in the sections, and gives the same for the same arguments."""
LEFT_OUT = set() if ALL else {("yang2001rdt", "evaluation_large")}
"""The same curves as in `evaluation_figure_9`, `_10` and `_11`, at a size that takes longer than any two of these."""
COMPUTED = [place for place in MODULES if place not in LEFT_OUT]
DIGESTS: WeakKeyDictionary[Network, str] = WeakKeyDictionary()


def altered(word: str) -> str:
    """Another printed value: the leading digit of each number counted up; a word or a name in a formula, one more."""
    if not word:
        return word
    return DIGITS.sub(lambda found: str(int(found.group()) % 9 + 1), word) if DIGITS.search(word) else f"{word}+1"


def altered_golden(key: str) -> Mapping[str, Any]:
    """The printed data of a paper with every printed value altered."""
    data = copy.deepcopy(dict(golden(key)))
    for name, entry in data.items():
        if name.startswith("table_"):
            entry["rows"] = {row: [altered(cell) for cell in cells] for row, cells in entry["rows"].items()}
    for claim in data["claims"].values():
        claim["value"] = altered(claim.get("value", ""))
    return data


def as_key(argument: object) -> object:
    """What tells an argument from others: a printed figure among them is told from the altered one."""
    if isinstance(argument, BoundRouting):
        return argument.name, as_key(argument.network), argument.vcs
    if isinstance(argument, Network):
        if argument not in DIGESTS:
            DIGESTS[argument] = argument.digest
        return argument.spec, DIGESTS[argument]
    if isinstance(argument, np.ndarray):
        return argument.shape, argument.dtype.str, argument.tobytes()
    if is_dataclass(argument):
        return type(argument), tuple(as_key(getattr(argument, field.name)) for field in fields(argument))
    if isinstance(argument, tuple | list):
        return type(argument), tuple(map(as_key, argument))
    return None if callable(argument) else repr(argument)


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that computes once for the same arguments."""
    found: dict[object, Any] = {}

    def ask(*args: object, **named: object) -> Any:
        key = tuple(map(as_key, args)), tuple((name, as_key(value)) for name, value in sorted(named.items()))
        if key not in found:
            found[key] = function(*args, **named)
        return found[key]

    return ask


@pytest.fixture
def _measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections of the report measure once what they measure twice with the same arguments."""
    modules = [there for name, there in list(sys.modules.items()) if name.startswith("jumpnet.report")]
    for function in MEASURED:
        once, name = remembered(function), function.__name__
        for there in modules:
            if vars(there).get(name) is function:
                monkeypatch.setattr(there, name, once)


@pytest.mark.usefixtures("_measured_once")
@pytest.mark.parametrize(("key", "name"), COMPUTED, ids=["-".join(place) for place in COMPUTED])
def test_a_section_is_as_committed_and_computes_without_what_is_printed(key: str, name: str) -> None:
    part = computed(key, MODULES[key, name])
    assert differences(COMMITTED, verdict_rows(part)) == []
    assert text_differences(TEXTS, text_rows(part)) == []
    assert differences(DRAWINGS, drawing_rows(part)) == []
    assert [f"{row['row']}, {row['column']} = {row['computed']}" for row in unexplained([part])] == []
    assert list(unused(key, [(name, part.section)])) == []
    assert [cell for cell in _cells(part) if _counts_nowhere(key, cell)] == []
    assert [missing for figure in part.section.figures for missing in undrawn(figure)] == []
    other = computed(key, MODULES[key, name], data=altered_golden(key))
    for mine, after in zip(cell_rows(part), cell_rows(other), strict=True):
        if mine["computed"] != after["computed"]:
            # A figure that follows from the printed one proves nothing.
            assert mine["stated"] or mine["printed"] is None, (mine["row"], mine["column"], after["computed"])


def _counts_nowhere(key: str, cell: Cell) -> bool:
    """Whether a figure is compared with a printed table and does not say with which cell of it."""
    return cell.claim in golden(key) and cell.printed is not None and not cell.stated and cell.place is None


def test_every_section_is_committed_and_every_place_once() -> None:
    assert MODULES.keys() >= LEFT_OUT
    assert {(row["paper"], row["section"]) for row in COMMITTED} == set(MODULES)
    places = Counter((row["paper"], row["section"], row["table"], row["row"], row["column"]) for row in COMMITTED)
    assert max(places.values()) == 1
    full = {(row["paper"], row["section"]) for row in read_verdicts(verdict_file(golden_folder(), full=True))}
    assert full and full <= {place for place, module in MODULES.items() if slow(module)}


@pytest.mark.parametrize("key", papers())
def test_every_entry_of_the_golden_file_is_shown(key: str) -> None:
    shown = {row["claim"] for row in COMMITTED if row["paper"] == key and row.get("claim")}
    assert sorted(shown) == sorted(entries(golden(key)))


@pytest.mark.parametrize("key", papers())
def test_every_note_belongs_to_a_section(key: str) -> None:
    assert {note.section for note in notes(key)} <= {name for paper, name in MODULES if paper == key}


@pytest.mark.parametrize("key", papers())
def test_the_reading_that_counts_gives_the_most_printed_figures(key: str) -> None:
    for name, reading in golden(key).get("readings", {}).items():
        assert {"where", "text", "default", "options"} <= set(reading) and reading["default"] in reading["options"]
        found = {option: Counter[bool]() for option in reading["options"]}
        for row in COMMITTED:
            group, _, option = row.get("reading", "").partition(":")
            if (
                row["paper"] == key
                and group == name
                and row["printed"] is not None
                and row["verdict"] not in ("stated", "conflicts")
            ):
                found[option][row["verdict"] != "differs"] += 1
        compared = {option: sum(count.values()) for option, count in found.items()}
        assert len(set(compared.values())) == 1 and min(compared.values()) > 0, (name, compared)
        assert found[reading["default"]][True] == max(count[True] for count in found.values()), (name, found)


def test_the_counts_of_the_readme_are_those_of_the_claims() -> None:
    """`Of N claims .. the report finds N as printed and N not, ..; N contradict one another, N are only quoted`."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in COMMITTED:
        if row.get("claim") and default_reading(row["paper"], row.get("reading", "")):
            found.setdefault((row["paper"], row["claim"]), Counter())[row.get("verdict", "not printed")] += 1
    differ = sum("differs" in verdicts for verdicts in found.values())
    conflict = sum("differs" not in v and "conflicts" in v for v in found.values())
    same = sum(
        not {"differs", "conflicts"} & v.keys() and v["equal"] + v["rounded"] > v["stated"] for v in found.values()
    )
    words = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    told = re.search(
        r"Of (\d+) claims in the five papers the report finds (\d+) as printed and (\d+) not, each of these explained;"
        r" (\d+) contradict one another, (\d+) are only quoted or drawn",
        words,
    )
    assert told is not None
    assert [int(n) for n in told.groups()] == [
        len(found), same, differ, conflict, len(found) - same - differ - conflict,
    ]  # fmt: skip


def test_any_altered_figure_is_seen() -> None:
    """Each cell in turn, its figure altered among its neighbors: the comparison names that cell and no other."""
    sections: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in COMMITTED:
        sections.setdefault((row["paper"], row["section"]), []).append(row)
    for rows in sections.values():
        for n, row in enumerate(rows):
            near = rows[max(0, n - 2) : n + 3]
            other = row | {"computed": altered(row["computed"]) or "1"}
            seen = differences(near, [other if one is row else one for one in near])
            assert len(seen) == 1 and f"computed {row['computed']!r} committed" in seen[0]
        assert differences(rows, rows[1:]) != [] and differences(rows[1:], rows) != []


@pytest.mark.usefixtures("_measured_once")
def test_a_measure_of_what_is_printed_is_taken_anew() -> None:
    from jumpnet.report.yang2001rdt import assignments, deadlock

    compared, one = assignments.compare, compare("rdt:8", ["alpha"])
    assert compared("rdt:8", ["alpha"]) is compared("rdt:8", ["alpha"]) and compared("rdt:8", ["alpha"]) == one
    assert compared("rdt:16", ["alpha"]) != one and compared("rdt:8", ["alpha"], "diameter") is not one
    told = [
        deadlock.prove(deadlock.bind("torus.dimension_order", deadlock.build(spec)))
        for spec in ("torus:4", "torus:3x3")
    ]
    assert [proof.cycle is None for proof in told] == [False, True]


def test_altering_alters() -> None:
    assert [altered(w) for w in ("8", "9.43", "3*R+2", "d0+k", "yes", "RDN(5,3)")] == [
        "9", "1.43", "4*R+3", "d0+k+1", "yes+1", "RDN(6,4)",
    ]  # fmt: skip


def test_readings_count_what_each_option_gives() -> None:
    from jumpnet.report._section import Section, Table

    key = next(k for k in papers() if golden(k).get("readings"))
    name, reading = next(iter(golden(key)["readings"].items()))
    cells = [Cell("1", n, reading=f"{name}:{option}") for n, option in enumerate(reading["options"], 1)]
    part = Computed(key, "x", Section("s", tables=(Table("t", "s", [str(c.computed) for c in cells], [("r", cells)]),)))
    assert [(o.reproduced, o.compared) for o in readings([part])] == [(1, 1), *[(0, 1)] * (len(cells) - 1)]
