"""The verbs, known without loading one: their names from the files, what they say and where they stand from the source.

To load every verb takes seconds, and to parse their sources a tenth of the time that the list of verbs takes. Used by
`app`.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from jumpnet.errors import JumpnetError
from jumpnet.files import modules_in

__all__ = ["PANELS", "in_panels", "panel_of", "summary", "verbs"]

HERE = Path(__file__).parents[1]
PACKAGE = "jumpnet.cli"
PANELS = (
    "Networks",
    "Routing and proofs",
    "Simulation and studies",
    "Machine and coherence",
    "Wafers and faults",
    "Papers",
    "Housekeeping",
)
"""What `jumpnet --help` puts together, in this order; each verb says its PANEL."""


def verbs() -> dict[str, str]:
    """Every verb and the module that holds it; the file's name is the verb's, so that none is imported to know it.

    >>> verbs()["list"]
    'jumpnet.cli.list'
    """
    names = [name for name in modules_in([str(HERE)]) if not name.startswith("_")]
    return {name.replace("_", "-"): f"{PACKAGE}.{name}" for name in names}


def _source(module: str) -> str:
    return (HERE / f"{module.rpartition('.')[2]}.py").read_text(encoding="utf-8")


def summary(module: str) -> str:
    """What the `run` of a verb says it does: the first string after its name in the source.

    >>> summary("jumpnet.cli.plot")
    'Draw what a study has found so far.'
    """
    return inspect.cleandoc(_source(module).partition("\ndef run(")[2].partition('"""')[2].partition('"""')[0])


def panel_of(module: str) -> str:
    """The part of the list of verbs that a verb stands in. Raises JumpnetError where its module says none of PANELS.

    >>> panel_of("jumpnet.cli.metrics")
    'Networks'
    """
    found = re.search(r'^PANEL = "([^"]*)"$', _source(module), re.MULTILINE)
    if found is None or found[1] not in PANELS:
        raise JumpnetError(f"{module}: no PANEL found, one of {', '.join(PANELS)} expected")
    return found[1]


def in_panels() -> list[str]:
    """The verbs in the order of the list: by panel, in each by name."""
    known = verbs()
    return sorted(known, key=lambda verb: (PANELS.index(panel_of(known[verb])), verb))
