"""`jumpnet new KIND NAME`: a user's file that works, and its test, to be changed into what is wanted."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.machinery import PathFinder
from keyword import iskeyword
from pathlib import Path

import typer

from jumpnet.cli._command.output import emit_json
from jumpnet.cli._options.shared import AsJson, names_from
from jumpnet.errors import JumpnetError, file_error, unknown_name

NAME = "new"
PANEL = "Networks"
EXAMPLE = "jumpnet new topology chords"

TEMPLATES = Path(__file__).with_name("_new")
TRIED_ON = "mesh:4x4"
TRIED = {
    "topology": "metrics {}:12",
    "routing": f"prove {TRIED_ON} --routing {{}}",
    "pattern": "simulate torus:4x4 --traffic {} --load 0.1",
    "injection": "simulate torus:4x4 --set injection={} --load 0.1 --packet-flits 1",
    "protocol": "protocol {} --caches 3",
}
"""The kinds of file, and what one of each is tried with."""
REGISTRIES = {
    "topology": ("jumpnet.topology", "families"),
    "routing": ("jumpnet.routings", "routings"),
    "pattern": ("jumpnet.traffic", "patterns"),
    "injection": ("jumpnet.traffic", "processes"),
    "protocol": ("jumpnet.coherence.protocol", "protocols"),
}
"""Modules, and their functions, that know the names of each kind; loaded when asked for."""
GIVEN = r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?"
"""What a name looks like; a point stands in those of routings alone (`torus.mine`)."""


def _filled(template: str, name: str) -> str:
    """A template with the names in their places."""
    file = name.replace(".", "_")
    words = {"NAME": name, "FILE": file, "CLASS": file.title().replace("_", ""), "CONSTANT": file.upper()}
    text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
    return re.sub(r"\b(NAME|CLASS|CONSTANT)\b|FILE(?=\.py)", lambda found: words[found[0]], text)


def _network(name: str) -> str:
    """The network that a routing of this name is tried on: of the family that it names, else a mesh.

    >>> _network("torus.mine"), _network("any.mine")
    ('torus:8x8', 'mesh:4x4')
    """
    from jumpnet.topology import families  # all of them are loaded, which only this needs

    found = families().get(name.partition(".")[0])
    return next(iter(found.samples), TRIED_ON) if found is not None else TRIED_ON


def _taken(kind: str) -> Mapping[str, object]:
    """What is known of a kind, whose names a user's file cannot take."""
    module, registry = REGISTRIES[kind]
    return getattr(import_module(module), registry)()


def _refuse_names_of_modules(file: str, out: Path) -> None:
    """Raise JumpnetError for a file that would stand before a module of that name, or could not be imported."""
    here = {os.path.realpath(folder) for folder in (".", out)}  # of cyclic links too, which `resolve` refuses
    elsewhere = [folder for folder in sys.path if folder and os.path.realpath(folder) not in here]
    if iskeyword(file) or file in sys.stdlib_module_names or PathFinder.find_spec(file, elsewhere) is not None:
        kind = "a word of Python" if iskeyword(file) else "a module that is there already"
        raise JumpnetError(f"name {file!r} found, {kind}; another name expected")


def run(
    kind: str = typer.Argument(
        ...,
        metavar="KIND",
        help="One of topology, routing, pattern, injection, protocol.",
        autocompletion=names_from(__name__, "TRIED"),
    ),
    name: str = typer.Argument(..., metavar="NAME", help="Name of yours, e.g. chords; of a routing torus.mine."),
    out: Path = typer.Option(Path("."), help="Folder to write into."),
    as_json: AsJson = False,
) -> None:
    """Write an example to start from, and its test: topology, routing, traffic pattern, injection or protocol."""
    if kind not in TRIED:
        raise unknown_name("kind", kind, TRIED)
    if not re.fullmatch(GIVEN, name) or ("." in name and kind != "routing"):
        raise JumpnetError(f"name {name!r} found, small letters, digits and _ expected, such as chords")
    if name in _taken(kind):
        raise JumpnetError(f"{kind} {name!r} is there already, another name expected")
    file = name.replace(".", "_")
    _refuse_names_of_modules(file, out)
    spec = _network(name) if kind == "routing" else TRIED_ON
    texts = {
        out / f"{file}.py": _filled(kind, name).replace(TRIED_ON, spec),
        out / f"test_{file}.py": _filled(f"test_{kind}", name),
    }
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as opened:
                opened.write(text)
        except OSError as error:
            raise file_error(path, error, "a file that is not there yet expected") from None
    if as_json:
        emit_json([{"kind": kind, "name": name, "files": [str(path) for path in texts]}])
        return
    own, test = (shlex.quote(str(path)) for path in texts)
    tried = TRIED[kind].format(name).replace(TRIED_ON, spec)
    print(f"wrote {own} and {test}; try\n  jumpnet {tried} --load {own}\n  python -m pytest {test}")
