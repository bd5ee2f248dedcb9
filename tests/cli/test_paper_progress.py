"""Where no bar is seen, words say what is under way: `jumpnet paper` its section, a sweep its points. Then they go."""

from __future__ import annotations

from jumpnet.cli._answers.sweep_display import SweepDisplay
from jumpnet.cli._command.watch import WATCH
from jumpnet.cli.paper import _computed
from jumpnet.study.run import Progress


def test_the_paper_and_the_section_are_told() -> None:
    told: list[str] = []
    _computed(["li2009rdn"], False, "symmetry", lambda part: told.append(WATCH.under_way))
    assert told == ["li2009rdn: Symmetry: of nodes, of edges, and the dual-cube (section 1 of 1)"]
    assert WATCH.under_way == ""


def test_what_a_sweep_said_is_gone_with_it() -> None:
    shown = SweepDisplay("loads")
    with shown.shown():
        shown.show(Progress(finished=1, known=2, started=1, newest=None))
        assert WATCH.under_way == "1 of 2 points"
    assert WATCH.under_way == ""
