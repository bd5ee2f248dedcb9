"""Section 5.2 under each reading of its words: the printed figures side by side, one reading varied at a time."""

from __future__ import annotations

from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.report.kudoh1995rhbd._study import (
    FIGURES,
    LARGE,
    MOST,
    OPTIONS,
    TRIALS,
    Setting,
    best,
    crossing,
    figure,
    four,
    sampled,
)

TITLE = "Section 5.2 as it may be read"
ORDER = 32

SPREADS = (1.0, 5.0, 16.0, LARGE)
FOUR = f"SM, four destinations, sigma {LARGE:g}"


def _cells(golden: Golden, setting: Setting, reading: str) -> dict[str, Cell]:
    """Every printed figure of the section under one reading."""
    cells = {}
    ends = sorted(figure(setting, 10).mean[-1].tolist())
    cells["D = 1, 32 destinations: best scheme"] = claimed(golden, "receivers_32_least", ends[0], reading=reading)
    cells["D = 1, 32 destinations: worst scheme"] = claimed(golden, "receivers_32_most", ends[-1], reading=reading)
    for number, printed in FIGURES.items():
        found = figure(setting, number)
        at, many = crossing(found) or "never", best(found, MOST)
        cells[f"D = {printed:g}: LARP below SM from destinations"] = claimed(golden, "crossing", at, reading=reading)
        cells[f"D = {printed:g}: best scheme for 32"] = claimed(golden, "larp_many", many, reading=reading)
        cells[f"D = {printed:g}: best scheme for 8"] = claimed(golden, "sm_few", best(found, 8), reading=reading)
    cells[FOUR] = claimed(golden, "receivers_four", four(setting), reading=reading)
    least = {best(sampled(setting, setting.sigma(s), [4]), 4) for s in SPREADS}
    word = "yes" if least == {"SM"} else "no"
    cells["SM least with four at D = 1, 5, 16, 32"] = claimed(golden, "sm_least_four", word, reading=reading)
    return cells


def section(golden: Golden, progress: Progress) -> Section:
    """One table a reading, its options as columns."""
    tables = []
    for done, (name, options) in enumerate(OPTIONS.items()):
        progress(done, len(OPTIONS))
        found = {option: _cells(golden, setting, f"{name}:{option}") for option, setting in options.items()}
        rows: Rows = [(label, [cells[label] for cells in found.values()]) for label in next(iter(found.values()))]
        said = golden["readings"][name]
        tables.append(
            Table(
                said["text"][:1].upper() + said["text"][1:],
                f"kudoh1995rhbd, {said['where']}",
                list(options),
                rows,
                _note(said),
            )
        )
    return Section(TITLE, _text(tables[0]), tables)


def _text(larp: Table) -> str:
    """The words, with what the first table, on LARP, shows."""
    subtree, path = (
        [larp.at(f"D = {spread}: LARP below SM from destinations", option).text for spread in (1, 5)]
        for option in ("subtree", "path")
    )
    four = float(larp.at(FOUR, "subtree").computed)
    return TEXT.format(subtree=" or ".join(subtree), path=" or ".join(path), four=f"{four:.0f}")


def _note(said: Golden) -> str:
    words = "; ".join(f"{option}: {text}" for option, text in said["options"].items())
    return f"{words}. The report takes {said['default']}. {TRIALS:,} trials."


TEXT = """Five sentences can be read in several ways. The tables vary one at a time, and leave the others as the report
takes them, which is what gives most of the printed figures. Which nodes broadcast under LARP decides where it meets SM:
at {subtree} destinations if the whole subtree of the source is sent to, at {path} if only the nodes on the path to the
source broadcast. That Figures 10 to 12 are of four maps is seen from SM's {four}, and from the crossing at D = 5."""
