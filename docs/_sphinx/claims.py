"""The claims of the papers with their verdicts, from the committed report: a page for each paper."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from docstrings import plain
from modules import heading, save

GOLDEN = Path(__file__).parents[2] / "tests" / "golden"
COLUMNS = ("where", "claim", "printed", "computed", "verdict", "why")


def rows(name: str) -> list[dict]:
    """The objects of a committed file; its first line counts them."""
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()[1:]
    return [json.loads(line) for line in lines]


def table(claims: list[dict]) -> list[str]:
    """One row a claim."""
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 14 14 12 16 10 34", ""]
    found = [COLUMNS]
    for claim in claims:
        found.append(tuple(claim[key] for key in ("place", "piece", "printed", "computed", "verdict", "note")))
    for row in found:
        for mark, cell in zip(["* -", *["  -"] * 5], row, strict=True):
            lines.append(f"   {mark} {plain(' '.join(cell.split()))}".rstrip())
    return [*lines, ""]


def write(folder: Path) -> None:
    """The pages."""
    claims, surprises = defaultdict(list), defaultdict(list)
    for claim in rows("claims.jsonl"):
        if claim["default"]:
            claims[claim["paper"]].append(claim)
    for text in rows("texts.jsonl"):
        if text["piece"].startswith("surprise"):
            surprises[text["paper"]].append(text["words"])
    folder.mkdir(parents=True, exist_ok=True)
    for paper, found in claims.items():
        lines = [":html_theme.sidebar_secondary.remove: true", "", *heading(f"Claims of {paper}", "=")]
        about = f"As the committed report has them; ``jumpnet paper {paper} --claims`` computes them anew."
        lines += [about, "", *heading("Surprises", "-")]
        lines += [f"* {plain(words)}" for words in surprises[paper]]
        lines += ["", *heading("Claim by claim", "-"), *table(found)]
        save(folder / f"{paper}.rst", "\n".join(lines))
