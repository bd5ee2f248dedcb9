"""Where no bar is seen, `jumpnet paper` says by words which section of which paper it is at."""

from __future__ import annotations

from jumpnet.cli._command.watch import WATCH
from jumpnet.cli.paper import _computed


def test_the_paper_and_the_section_are_told() -> None:
    told: list[str] = []
    _computed(["li2009rdn"], False, "symmetry", lambda part: told.append(WATCH.under_way))
    assert told == ["li2009rdn: Symmetry: of nodes, of edges, and the dual-cube (section 1 of 1)"]
    assert WATCH.under_way == ""
