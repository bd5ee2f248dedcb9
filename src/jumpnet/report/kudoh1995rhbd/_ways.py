"""Figures of programs on machines that differ in one choice, their ways: as tables, and who wins where, in words.

Used by the sections on directories. `Runs` names each run "PROGRAM: WAY"; a program is a workload's spec with its
processors, or the name of a captured trace, which ends in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from jumpnet.report._section import Cell, Table

__all__ = ["MEASURES", "Bands", "Runs", "answer", "by_program", "called", "listed", "ranges", "tables", "wins"]

Bands = dict[str, list[int]]
"""Mean (rounded), least and most of the placements, of `cycles` and of `link_flits`; `placements`, how many."""
Runs = dict[str, Bands]
"""By program and way."""
MEASURES = {"cycles": "execution time", "link_flits": "traffic"}
UNITS = {"cycles": "thousand cycles", "link_flits": "thousand flits over links"}


def by_program(runs: Mapping[str, Bands]) -> dict[str, dict[str, Bands]]:
    """The ways of each program, the fewest processors first.

    >>> list(by_program({"lu:processors=64: list": {}, "fft_m12_p32: SM": {}, "lu:processors=64: SM": {}}))
    ['fft_m12_p32', 'lu:processors=64']
    """
    found: dict[str, dict[str, Bands]] = {}
    for label, bands in runs.items():
        program, _, way = label.rpartition(": ")
        found.setdefault(program, {})[way] = bands
    return dict(sorted(found.items(), key=lambda item: (processors_in(item[0]), item[0])))


def processors_in(program: str) -> int:
    """Processors of a program, by its name.

    >>> processors_in("gas:processors=256,molecules=64"), processors_in("ocean_66_p32")
    (256, 32)
    """
    found = re.search(r"processors=(\d+)|_p(\d+)$", program)
    return int(found[1] or found[2]) if found else 0


def _name(program: str) -> str:
    """What a program is called in a sentence, its processors apart."""
    spec, of, _ = program.partition(":")
    return spec if of else f"captured {spec.partition('_')[0]}"


def called(program: str) -> str:
    """A program in a sentence.

    >>> called("gas:processors=256,molecules=64"), called("ocean_66_p32")
    ('gas of 256', 'captured ocean of 32')
    """
    return f"{_name(program)} of {processors_in(program)}"


def _joined(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def listed(programs: Iterable[str]) -> str:
    """Programs in a sentence, those of one name together.

    >>> listed(["lu:processors=32", "gas:processors=32", "gas:processors=64", "fft_m12_p32"])
    'lu of 32, gas of 32 and 64, captured fft of 32'
    """
    sizes: dict[str, list[str]] = {}
    for program in programs:
        sizes.setdefault(_name(program), []).append(str(processors_in(program)))
    return ", ".join(f"{name} of {_joined(of)}" for name, of in sizes.items())


def _label(program: str) -> str:
    """A program as the label of a row: with its sizes, so that it can be run again."""
    name, of, sizes = program.partition(":")
    rest = ", ".join(word for word in sizes.split(",") if not word.startswith("processors="))
    return f"{processors_in(program)}: {name} ({rest})" if of else program


def _band(bands: Sequence[int], unit: int, digits: int) -> str:
    middle, least, most = (f"{value / unit:,.{digits}f}" for value in bands)
    return f"{middle} ({least} to {most})" if least != most else middle


def _placements(runs: Mapping[str, Mapping[str, Bands]], base: str) -> str:
    """How many placements the means are of."""
    found: dict[int, list[str]] = {}
    for program, of in runs.items():
        found.setdefault(of[base]["placements"][0], []).append(program)
    few = [f"{count} on {listed(programs)}" for count, programs in sorted(found.items())]
    return f"Placements: {next(iter(found)) if len(found) == 1 else '; '.join(few)}."


def tables(title: str, runs: Mapping[str, Bands], ways: Sequence[str], note: str = "") -> list[Table]:
    """Execution time and traffic, a row for each program: of the first way as it is, of the others in units of it."""
    base, *others = ways
    programs, found = by_program(runs), []
    for name, unit in UNITS.items():
        rows = []
        for program, of in programs.items():
            mean = of[base][name][0]
            cells = [Cell(None, _band(of[base][name], 1000, 1))]
            rows.append((_label(program), [*cells, *(Cell(None, _band(of[way][name], mean, 2)) for way in others)]))
        said = f"Means of the placements, least and most in brackets; those right of {base} in units of its mean."
        said = f"{said if others else said.partition(';')[0] + '.'} {_placements(programs, base)} {note}".strip()
        head = f"{title}: {MEASURES[name]}" if title else MEASURES[name].capitalize()
        found.append(Table(head, "computed here", (f"{base}: {unit}", *others), rows, said))
    return found


def won(runs: Mapping[str, Bands], measure: str) -> dict[str, dict[str, tuple[float, bool]]]:
    """By way, the programs on which its mean is the least: how many times as much the next best takes, and whether its
    band lies below those of all others."""
    found: dict[str, dict[str, tuple[float, bool]]] = {}
    for program, of in by_program(runs).items():
        best, following = sorted(of, key=lambda way: of[way][measure][0])[:2]
        clear = all(of[best][measure][2] < bands[measure][1] for way, bands in of.items() if way != best)
        margin = of[following][measure][0] / of[best][measure][0]
        found.setdefault(best, {})[program] = margin, clear
    return found


def _range(values: Mapping[str, float], digits: int = 2) -> str:
    """The least and the most of some programs."""
    low, high = min(values, key=lambda p: values[p]), max(values, key=lambda p: values[p])
    if low == high:
        return f"{values[low]:.{digits}f} ({called(low)})"
    return f"{values[low]:.{digits}f} ({called(low)}) to {values[high]:.{digits}f} ({called(high)})"


def ranges(runs: Mapping[str, Bands], way: str, base: str, measure: str) -> str:
    """The figure of a way in units of another's, the smallest and the largest of the programs."""
    programs = {p: of for p, of in by_program(runs).items() if way in of and base in of}
    return _range({p: of[way][measure][0] / of[base][measure][0] for p, of in programs.items()})


def wins(runs: Mapping[str, Bands], way: str, measure: str) -> str:
    """On which programs a way has the least, and how many times as much the next best takes there.

    >>> means = {"lu:processors=4: SM": 10, "lu:processors=4: list": 15}
    >>> one = {label: {"cycles": [mean, mean, mean]} for label, mean in means.items()}
    >>> wins(one, "SM", "cycles"), wins(one, "list", "cycles")
    ('on 1 of 1 (all), the next best taking 1.50 times as much', 'on none of 1')
    """
    total, mine = len(by_program(runs)), won(runs, measure).get(way, {})
    if not mine:
        return f"on none of {total}"
    times = _range({program: margin for program, (margin, _) in mine.items()}) if len(mine) > 1 else ""
    much = times or f"{next(iter(mine.values()))[0]:.2f}"
    rest = [program for program in by_program(runs) if program not in mine]
    which = f"all but {listed(rest)}" if 0 < len(rest) < min(4, len(mine)) else listed(mine) if rest else "all"
    close = [program for program, (_, clear) in mine.items() if not clear]
    where = "it" if len(mine) == 1 else "each" if len(close) == len(mine) else listed(close)
    overlap = f"; bands overlap on {where}" if close else ""
    return f"on {len(mine)} of {total} ({which}{overlap}), the next best taking {much} times as much"


def answer(title: str, runs: Mapping[str, Bands], ways: Sequence[str]) -> list[str]:
    """A paragraph for each measure: where each way has the least, and what the others take of the first."""
    base, *others = ways
    words = []
    for measure, what in MEASURES.items():
        mine = won(runs, measure)
        parts = [f"{way} has the least {wins(runs, way, measure)}" for way in ways if way in mine]
        none = [way for way in ways if way not in mine]
        parts += [f"{_joined(none)} {'have' if len(none) > 1 else 'has'} it nowhere"] if none else []
        of = [f"{way} {ranges(runs, way, base, measure)}" for way in others]
        start = f"{title}: {what}" if title else what.capitalize()
        words.append(f"{start}. {'; '.join(parts)}. In units of {base}: {'; '.join(of)}.")
    return words
