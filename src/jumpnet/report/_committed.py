"""Writes and compares what is committed of the report: verdicts, claims, words, drawings, results of full runs.

Called by `cli`.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.papers import golden_folder
from jumpnet.report._claims import claims
from jumpnet.report._drawings import drawing_file, drawing_rows
from jumpnet.report._kept import write_kept
from jumpnet.report._report import Computed, papers, slow
from jumpnet.report._texts import front_rows, text_differences, text_file, text_rows
from jumpnet.report._verdicts import Row, differences, full_rows, read_verdicts, record, verdict_file, verdict_rows

__all__ = ["check_committed", "claim_file", "claim_rows", "record_committed", "this_version"]


def _recorded(parts: Sequence[Computed], full: bool) -> list[Computed]:
    """The sections that a file holds: all of them, or those that have a full form."""
    if not full:
        return list(parts)
    known = papers()
    with_full = {(key, m.__name__.rsplit(".", 1)[-1]) for key, modules in known.items() for m in modules if slow(m)}
    return [part for part in parts if (part.key, part.name) in with_full]


def claim_file(folder: Path) -> Path:
    """The file of the claims below the golden files."""
    return folder / "claims.jsonl"


def claim_rows(parts: Sequence[Computed]) -> list[Row]:
    """What the page of claims says of each paper all of whose sections are there, as the lines of the file.

    Their words are committed by section (`_texts`).
    """
    there = Counter(part.key for part in parts)
    whole = {key for key, modules in papers().items() if there[key] == len(modules)}
    rows = [claim.row() for claim in claims(part for part in parts if part.key in whole)]
    said = ("place", "printed", "computed", "verdict", "reading", "default", "note")
    return [
        {
            "paper": row["paper"],
            "section": "claims",
            "piece": row["claim"] if row["default"] else f"{row['claim']}, {row['reading']}",
            **{name: row[name] for name in said},
        }
        for row in rows
    ]


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def this_version(folder: Path) -> str:
    """The version of jumpnet and the commit of a checkout, `+changed` where its sources are not as committed."""
    commit = _git(folder, "rev-parse", "--short=12", "HEAD")
    changed = _git(folder, "status", "--porcelain", "--", f"{folder.parent.parent}/src")
    return version("jumpnet") + (f"+{commit}" if commit else "") + ("+changed" if changed else "")


def record_committed(parts: Sequence[Computed], full: bool) -> list[Path]:
    """Write verdicts, and words, drawings and claims or after a full run its results, into a checkout's golden folder.

    Gives the files written. Raises JumpnetError where there is no checkout.
    """
    folder = golden_folder()
    if folder.parent.name != "tests":
        raise JumpnetError(f"{folder} found, the tests/golden of a checkout expected: there the verdicts are committed")
    chosen = _recorded(parts, full)
    given = this_version(folder) if full else ""
    written = [verdict_file(folder, full)]
    record(written[0], chosen, given, full_rows if full else verdict_rows)
    if not full:
        written += [text_file(folder), drawing_file(folder)]
        record(written[1], chosen, given, text_rows, list(front_rows(papers())))
        record(written[2], chosen, given, drawing_rows)
        if said := claim_rows(chosen):
            written.append(claim_file(folder))
            record(written[3], (), "", more=said)
    for part in chosen:
        if full and part.section.kept:
            written.append(write_kept(folder, part.key, part.name, given, part.section.kept))
    return written


def check_committed(parts: Sequence[Computed], full: bool) -> list[str]:
    """What differs between the sections and what is committed of them, one line for each cell, text or drawing."""
    chosen, folder = _recorded(parts, full), golden_folder()
    cells = [row for part in chosen for row in (full_rows(part) if full else verdict_rows(part))]
    found = differences(read_verdicts(verdict_file(folder, full)), cells)
    if not full:
        texts = [*front_rows(papers()), *(row for part in chosen for row in text_rows(part))]
        found += text_differences(read_verdicts(text_file(folder)), texts)
        drawings = [row for part in chosen for row in drawing_rows(part)]
        found += differences(read_verdicts(drawing_file(folder)), drawings)
        found += differences(read_verdicts(claim_file(folder)), claim_rows(chosen))
    return found
