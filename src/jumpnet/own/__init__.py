"""Users' files: what a file defines or registers is known by its name, here and in the processes that run points.

    jumpnet --load king.py metrics king:8

A file that would be a new file of jumpnet works as it is: its families, routings, patterns and so on are found. Loading
one runs it, so it is loaded only where the user says so: `--load`, `JUMPNET_LOAD`, `load` in a study file, and `load`
here. Installing a package with an entry point in the group `jumpnet` is such a word too. Points of studies are named by
the hash of the files that they need, and workers get a file's text, checked by that hash.
"""

from __future__ import annotations

import importlib
import linecache
import os
import re
import shlex
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from inspect import signature
from multiprocessing import parent_process
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, nearest
from jumpnet.notices import notice
from jumpnet.own.source_text import source_text
from jumpnet.registry import users

__all__ = [
    "GROUP", "WITHOUT_DEFINITION", "OwnFile", "contents", "functions_of", "load", "load_packages", "loaded",
    "must_have", "needed", "where", "with_files",
]  # fmt: skip

GROUP = "jumpnet"
"""Entry points of this group name modules that add to jumpnet."""
WITHOUT_DEFINITION = ("file", "graph")
"""Families whose specs do not say what the network is."""
MOST_BYTES = 10_000_000
HASH_DIGITS = 16
UNKNOWN_ARGUMENT = re.compile(r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'")
"""What Python says before 3.13, in which it names the nearest argument itself."""


class OwnFile(NamedTuple):
    """A file that is loaded, or a module of a package."""

    name: str
    """File name without folders; of a package the module."""
    text: str
    package: bool = False

    def __repr__(self) -> str:
        """The name and the hash: a notebook whose cell ends with `load(...)` shows it."""
        return f"OwnFile({self.name}, {self.hash})"

    @property
    def hash(self) -> str:
        """Of the text."""
        import hashlib  # OpenSSL, which a command without own files does not need

        return hashlib.sha256(self.text.encode()).hexdigest()[:HASH_DIGITS]


_loaded: dict[str, OwnFile] = {}
_places: dict[str, str] = {}
_searched: list[str] = []


def loaded() -> tuple[OwnFile, ...]:
    """What this process has loaded."""
    return tuple(_loaded.values())


@public
def load(path: str | Path) -> OwnFile:
    """Run a Python file, whose families, routings, patterns and so on are then known by name.

    A file of the same name and text is not run again; one that has changed takes the place of the earlier one. Another
    way to a file that is loaded, as a link, leads to that one. Raises JumpnetError with the line where the file fails,
    and for names that are taken. `docs/howto-own.md` has examples.
    """
    path = Path(path)
    known = _known_as(path)
    file = OwnFile(known or path.name, source_text(path, MOST_BYTES))
    _run(file, _places[known] if known else str(path))
    if not any(file.name in origins for origins in users.origins.values()):
        notice(f"{path} defines no topology, routing, pattern or anything else that has a name here{_nameless(file)}")
    return file


def _nameless(file: OwnFile) -> str:
    """What a class of a file lacks that would be a family if it had a name."""
    here = dict(users.modules)[file.name]
    classes = [each for each in vars(here).values() if isinstance(each, type) and each.__module__ == here.__name__]
    found = [each.__name__ for each in classes if getattr(each, "name", None) == ""]
    return f"; class {found[0]} has no name, one expected (name: ClassVar[str])" if found else ""


def _known_as(path: Path) -> str:
    """The name under which a file is loaded already, whatever way leads to it; empty where it is not."""
    with suppress(OSError):
        found = os.stat(path)
        for name in _loaded:
            with suppress(OSError):  # no longer there; of a package, and on workers, there is none
                if os.path.samestat(found, os.stat(_places.get(name, ""))):
                    return name
    return ""


def with_files(files: Iterable[OwnFile], work: Callable[[Any], Any], given: Any) -> Any:
    """`work(given)` where these files are loaded: what workers run. What files and functions print there goes to the
    error stream: the standard output is that of the command, which may be read by a program."""
    if parent_process() is not None:
        sys.stdout = sys.stderr
    for file in files:
        if file.package:
            _same_package(file)
        else:
            _run(file, file.name)
    return work(given)


def load_packages() -> None:
    """Load the modules that installed packages name in the group `jumpnet` of entry points.

    One that fails, or defines a name that is taken, is a notice: its names stay unknown, and the others are loaded.
    """
    if _searched:
        return
    _searched.append(GROUP)
    from importlib.metadata import entry_points  # a while to load, and looked at where a name is not known

    for point in entry_points(group=GROUP):
        try:
            _load_package(point.value.partition(":")[0])
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            notice(f"package with entry point {point.name!r} is left out: {_words(error)}")


def _load_package(name: str) -> None:
    users.loading = name
    try:
        module = importlib.import_module(name)
        source = Path(module.__file__ or "")
        text = source_text(source, MOST_BYTES) if source.suffix == ".py" else name
        _keep(OwnFile(name, text, package=True), module)
    except BaseException:
        users.forget(name)
        raise
    finally:
        users.loading = ""


def needed(names: Iterable[object]) -> dict[str, str]:
    """Names and hashes of the loaded files that define what specs name, e.g. `king:8` or `king.adaptive:turns=2`.

    What was added by hand in this process comes from a file without name and hash.

    >>> needed(["torus:8x8", "torus.dateline"])
    {}
    """
    users.search()
    files = {origin for word in _names_in(names) for origin in users.origins.get(word, ())}
    return {name: _loaded[name].hash if name in _loaded else "" for name in sorted(files)}


def contents(names: Iterable[object]) -> dict[str, str]:
    """Hashes of the code of what users have added and specs name, and of what that code reads, by name.

    What reads a thing without stable bytes has none: nothing but its file says what it is.

    >>> contents(["torus:8x8", "torus.dateline"])
    {}
    """
    from jumpnet.jit.sources import content_key  # NumPy, for what a user has added only

    users.search()
    found = {}
    for name in sorted(_names_in(names)):
        functions = tuple(part for thing in users.added(name) for part in functions_of(thing))
        if functions:
            with suppress(TypeError):
                found[name] = content_key(functions)
    return found


def functions_of(thing: object) -> tuple[Callable[..., Any], ...]:
    """The functions that a routing, a pattern or the like was made of; none of a family, which is a class."""
    if isinstance(thing, type) or not is_dataclass(thing):
        return ()
    return tuple(part for field in fields(thing) if callable(part := getattr(thing, field.name)))


def _names_in(values: object) -> set[str]:
    """The names in specs, which may lie in lists and tables."""
    if isinstance(values, str):
        return set(re.findall(r"[\w.-]+", values))
    if isinstance(values, Mapping):
        values = values.values()
    return set().union(*map(_names_in, values)) if isinstance(values, Iterable) else set()


def must_have(files: Mapping[str, str]) -> None:
    """Raise JumpnetError unless files of these names and hashes are loaded."""
    for name, digest in files.items():
        if not name:
            said = "a file to --load expected, in Python jumpnet.own.load"
            raise JumpnetError(f"the point needs what was added by hand in one process; {said}")
        found = _loaded.get(name)
        if found is None:
            raise JumpnetError(f"the point needs {name}, which is not loaded; `jumpnet --load {name}` expected")
        if found.hash != digest:
            raise JumpnetError(f"the point was made with another {name}: hash {found.hash} found, {digest} expected")


def _same_package(file: OwnFile) -> None:
    load_packages()
    found = _loaded.get(file.name)
    if found is None or found.hash != file.hash:
        raise JumpnetError(f"package {file.name}: not the same on the worker, the same version expected")


def _run(file: OwnFile, place: str) -> None:
    """Run a file's text as a module of its own."""
    known = _loaded.get(file.name)
    if known is not None and known.text == file.text:
        return
    if known is not None and _places[file.name] != place:
        raise JumpnetError(f"{place}: another file named {file.name} is loaded, different names expected")
    module = ModuleType(f"jumpnet_own_{re.sub(r'[^0-9A-Za-z_]', '_', file.name)}_{file.hash}")
    module.__file__ = place
    sys.modules[module.__name__] = module  # dataclasses look their module up
    linecache.cache[place] = (len(file.text), None, file.text.splitlines(keepends=True), place)
    users.loading, _places[file.name] = file.name, place
    try:
        exec(compile(file.text, place, "exec"), module.__dict__)
    except SyntaxError as error:
        raise JumpnetError(f"{place}:{error.lineno or 1}: {error.msg}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a file that ends the program, too
        raise JumpnetError((where(error) or f"{place}: {_words(error)}") + _beside(error, place)) from None
    finally:
        users.loading = ""
    _keep(file, module)


def _beside(error: BaseException, place: str) -> str:
    """What to do where a file imports one that lies beside it, as workers get the text of the file alone, or a module
    that jumpnet does not have."""
    folder, name = Path(place).parent, getattr(error, "name", None)
    if isinstance(error, ModuleNotFoundError) and name and name.startswith("jumpnet."):
        close = nearest(name.split(".")[1], (part.name for part in iter_modules([str(Path(__file__).parents[1])])))
        return f"; did you mean 'jumpnet.{close}'?" if close else ""
    if not isinstance(error, ModuleNotFoundError) or not name or not (folder / f"{name}.py").is_file():
        return ""
    found = f"PYTHONPATH={shlex.quote(str(folder))} finds it"
    return f", though {name}.py lies beside it; {found}, or one file with both expected"


def where(error: BaseException) -> str:
    """Of an error that code of a loaded file raises: the file, the last of its lines on the way, and the words; else
    empty."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in _places.values()]
    return f"{frames[-1].filename}:{frames[-1].lineno}: {_words(error)}" if frames else ""


def _words(error: BaseException) -> str:
    said = str(error).strip().splitlines()
    if isinstance(error, JumpnetError) and said:
        return said[0]
    return f"{type(error).__name__}: {said[0]}{_meant(error)}" if said else type(error).__name__


def _meant(error: BaseException) -> str:
    """The argument that a call may have meant by one that it does not have, as Python says itself from 3.13 on."""
    found = UNKNOWN_ARGUMENT.fullmatch(str(error)) if isinstance(error, TypeError) else None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)] if found else []
    called = frames[-1].f_globals.get(found[1]) if found and frames else None
    close = nearest(found[2], signature(called).parameters) if found and callable(called) else None
    return f"; did you mean {close!r}?" if close else ""


def _keep(file: OwnFile, module: ModuleType) -> None:
    """Know a file or package by name, and what it defines; raises JumpnetError for names that are taken."""
    users.extended = True
    users.modules.append((file.name, module))
    try:
        users.search()
    except BaseException as error:
        users.forget(file.name)  # not half of it
        _loaded.pop(file.name, None)
        if isinstance(error, JumpnetError | KeyboardInterrupt):
            raise
        raise JumpnetError(where(error) or f"{file.name}: {_words(error)}") from None
    _loaded[file.name] = file
