"""A figure that follows a constant typed from the paper is stated: each such constant altered, the report looked at.

Where our side is the paper's own figure, another figure there gives another figure in the report: a cell that then has
the altered value has compared the constant with itself, and may not count as equal. What the cells usually have is
what is committed: `test_verdicts` computes it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from jumpnet.chip.faults import Outcome
from jumpnet.chip.settings import Settings
from jumpnet.papers import golden_folder
from jumpnet.report._report import cell_rows, computed, papers
from jumpnet.report._section import figure_text
from jumpnet.report._verdicts import read_verdicts, verdict_file
from jumpnet.report.kudoh1995rhbd import by_packet, network
from jumpnet.report.nishi1997router import implementation
from jumpnet.report.yang2001rdt import jump1, table_4, table_7_8
from jumpnet.sim.config import PRESETS

COMMITTED = read_verdicts(verdict_file(golden_folder(), full=False))
Rows = list[dict[str, Any]]
MODULES = {(key, m.__name__.rsplit(".", 1)[-1]): m for key, modules in papers().items() for m in modules}


@dataclass(frozen=True)
class Altered:
    """A constant, and what the report would show for it."""

    name: str
    alter: Callable[[pytest.MonkeyPatch], None]
    before: str
    after: str
    sections: tuple[tuple[str, str], ...]


def everywhere(name: str, value: object) -> Callable[[pytest.MonkeyPatch], None]:
    """Alter a constant in the module that defines it, `module.NAME`, and in all that imported it.

    Not in what kernels are compiled from, as they are kept on the disk for others.
    """

    def alter(patch: pytest.MonkeyPatch) -> None:
        home, _, constant = name.rpartition(".")
        old = getattr(sys.modules[home], constant)
        for module, there in list(sys.modules.items()):
            kernels = ".compiled." in module
            if module.startswith("jumpnet.") and not kernels and getattr(there, constant, None) is old:
                patch.setattr(there, constant, value)

    return alter


def setting(name: str, value: object) -> Callable[[pytest.MonkeyPatch], None]:
    """Alter a value of the preset `yang2001`."""
    return lambda patch: patch.setitem(PRESETS["yang2001"], name, value)


def _cut_through(patch: pytest.MonkeyPatch) -> None:
    for name, value in (("flow_control", "cut_through"), ("buffer_flits", 16)):
        setting(name, value)(patch)


def _smaller(patch: pytest.MonkeyPatch) -> None:
    specs = {"rdt:64": "rdt:32", "torus:64x64": "torus:32x32", "torus:16x16x16": "torus:16x8x8",
             "torus:8x8x8x8": "torus:8x8x4x4", "hypercube:12": "hypercube:10"}  # fmt: skip
    patch.setattr(table_4, "NETWORKS", tuple(who._replace(spec=specs[who.spec]) for who in table_4.NETWORKS))


def _slow_map(patch: pytest.MonkeyPatch) -> None:
    """The chip's maps take two clocks, whatever the header."""
    fields = list(Settings.__dataclass_fields__)
    made = inspect.unwrap(Settings.__init__)
    values = list(made.__defaults__ or ())
    values[fields.index("bitmap_clocks")] = 2
    patch.setattr(made, "__defaults__", tuple(values))


def _more_logic(patch: pytest.MonkeyPatch) -> None:
    """A thousand gates more in the tables of the chip."""
    sums = implementation.sums

    def more(data: Mapping[str, Any], table: str) -> tuple[int, int]:
        logic, ram = sums(data, table)
        return logic + 1000, ram

    for there in (implementation, table_7_8):
        patch.setattr(there, "sums", more)


TABLE_IV = (("yang2001rdt", "table_4"),)
CHIP = (("nishi1997router", "structure"), ("yang2001rdt", "table_7_8"))
"""kudoh1995rhbd's section on the chip calls the same functions, and takes long."""
ALTERED = (
    Altered("flits of a packet", setting("packet_flits", "13"), "16", "13", TABLE_IV),
    Altered("routing time", setting("routing_delay_cycles", 2), "1", "2", TABLE_IV),
    Altered("virtual channels", setting("least_vcs", 4), "2", "4", TABLE_IV),
    Altered("clocks ignored", setting("warmup_cycles", 900), "1000", "900", TABLE_IV),
    Altered("clocks measured", setting("measure_cycles", 7000), "10000", "8000", TABLE_IV),
    Altered("flow control", _cut_through, "wormhole", "virtual cut-through", TABLE_IV),
    Altered("hot spots", lambda patch: patch.setattr(table_4, "HOT_SPOTS", 64), "128", "64", TABLE_IV),
    Altered("network size", _smaller, "4096", "1024", TABLE_IV),
    Altered("longest packet", everywhere("jumpnet.chip.packet.LONGEST", 15), "16", "15", CHIP),
    Altered("clocks of a map", _slow_map, "1", "2", (("nishi1997router", "latency"),)),
    Altered("processors of a cluster", lambda patch: patch.setattr(jump1, "CPUS", 5), "4", "5",
            (("yang2001rdt", "jump1"),)),
    Altered("clusters", lambda patch: patch.setattr(jump1, "CLUSTERS", 9), "64", "36", (("yang2001rdt", "jump1"),)),
    Altered("processors of a cluster, the other paper", lambda patch: patch.setattr(network, "CLUSTER", 5), "4", "5",
            (("kudoh1995rhbd", "network"),)),
    Altered("schemes that are counted", lambda patch: patch.setattr(by_packet, "SCHEMES", by_packet.SCHEMES[:2]), "3",
            "2", (("kudoh1995rhbd", "by_packet"),)),
    Altered("gates of the random logic", _more_logic, "50000", "51000",
            (("nishi1997router", "implementation"), ("yang2001rdt", "table_7_8"))),
    Altered("clock of the chip", everywhere("jumpnet.chip.watchdog.CLOCK_HZ", 40_000_000), "50", "40",
            (("nishi1997router", "implementation"),)),
)  # fmt: skip


def rows_of(place: tuple[str, str]) -> Rows:
    """All cells of a section, computed now."""
    return list(cell_rows(computed(place[0], MODULES[place])))


def usual(place: tuple[str, str]) -> Rows:
    """The same as committed, in the same order."""
    return [row for row in COMMITTED if (row["paper"], row["section"]) == place and row["table"] != "figure"]


def followers(before: Rows, after: Rows, altered: Altered) -> Rows:
    """The cells that usually have the constant's figure and get the altered one."""
    assert [row["table"] for row in before] == [row["number"] for row in after]
    return [
        other
        for row, other in zip(before, after, strict=True)
        if other["printed"] is not None
        and (row["computed"], figure_text(other["computed"])) == (altered.before, altered.after)
    ]


def earned(found: Rows) -> list[str]:
    """Those of them that count as computed."""
    return [f"{row['section']}: {row['row']}, {row['column']}" for row in found if not row["stated"]]


@pytest.fixture
def _what_follows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults and proofs, in whose figures none of these constants is, take most of the time of their sections."""
    none = Outcome("none", "nobody")
    for name, answer in (("shoot_downs", none), ("stuck_packets", none), ("flips", (none,))):
        monkeypatch.setattr(table_7_8, name, lambda answer=answer: answer)
    free = dict.fromkeys(product(by_packet.PROVED, (*by_packet.RULES, "REMAKE")), True)
    monkeypatch.setattr(by_packet, "_proofs", lambda: free)


@pytest.mark.usefixtures("_what_follows_none")
@pytest.mark.parametrize("altered", ALTERED, ids=[altered.name for altered in ALTERED])
def test_what_follows_a_constant_is_stated(altered: Altered, monkeypatch: pytest.MonkeyPatch) -> None:
    altered.alter(monkeypatch)
    for place in altered.sections:
        found = followers(usual(place), rows_of(place), altered)
        assert found, f"{place}: no figure follows, so that nothing was tried"
        assert earned(found) == []


def test_a_figure_that_follows_and_counts_is_seen() -> None:
    """A cell that follows the constant, one that is stated, one that stays, one with another alteration."""
    altered = replace(ALTERED[0], before="16", after="13")
    cells = [("16", "13", False), ("16", "13", True), ("16", "16", False), ("16", "17", False)]
    before = [{"table": 1, "computed": cell[0]} for cell in cells]
    after = [
        {"section": "s", "number": 1, "row": str(k), "column": "c", "printed": "16", "computed": now, "stated": stated}
        for k, (_, now, stated) in enumerate(cells)
    ]
    assert earned(followers(before, after, altered)) == ["s: 0, c"]
