"""Errors that a user can act on: one line that says what was found, what was expected, and the nearest valid name.

Every layer raises these; only `cli` turns them into exit status 2.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

__all__ = [
    "PACKERS", "JumpnetError", "UnforeseenError", "file_error", "nearest", "of_interruption", "unknown_name", "written",
]  # fmt: skip

FEW_PARTS = 5
"""So many names that have a word as a part are named."""
FEW = 30
"""So many names are listed when none of them is close."""
LISTED = ("family", "routing", "setting")
"""Kinds of names that are too many for a line, and that `jumpnet list` shows."""
SHORT = 2
CLOSE = 0.65
"""Least similarity of a name that is named: the share of letters, of both names, in pieces that they have in common."""

LONGEST_LINE = 4000
"""Characters of a line."""

PACKERS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip"}
"""How packed files begin, whatever their names end in: such a file is no damaged text, and the message says so."""


class JumpnetError(ValueError):
    """Bad input, in one line. The command line prints it and exits with status 2.

    >>> str(JumpnetError("side 63 found, a multiple of 4 expected"))
    'side 63 found, a multiple of 4 expected'
    >>> str(JumpnetError("one\\ntwo")), len(str(JumpnetError("a" * 10**6)))
    ('one two', 4003)
    """

    def __init__(self, *words: object) -> None:
        """One line of bounded length, whatever was found: an array has several, and a text may have any number."""
        super().__init__(*(_one_line(word) if isinstance(word, str) else word for word in words))


class UnforeseenError(JumpnetError):
    """An error of jumpnet's own in a call from Python; what was raised is its `__cause__`."""


def _one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        text = " ".join(part.strip() for part in text.splitlines())
    half = LONGEST_LINE // 2
    return text if len(text) <= LONGEST_LINE else f"{text[:half]}...{text[-half:]}"


def of_interruption(error: BaseException | None) -> bool:
    """Whether an error came while Python handled an interruption: what it says then is no fault.

    Within a lock's own code, for one, an interruption leaves the lock torn.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def written(value: object) -> str:
    """A value as it is written, also where Python does not write it: a class of a user's, or too many digits.

    >>> written([1, 2]), written(10**5000)
    ('[1, 2]', 'a value of type int')
    """
    try:
        return repr(value)
    except Exception:
        return f"a value of type {type(value).__name__}"


def nearest(name: str, valid: Iterable[str], at_least: float = CLOSE) -> str | None:
    """The valid name closest to `name`, whatever its case, or None when none has a similarity (0 to 1) of `at_least`.

    >>> nearest("torsu", ["torus", "mesh"]), nearest("sm", ["SM", "LARP"])
    ('torus', 'SM')
    >>> nearest("helix", ["hyperx", "mesh"]) is None
    True
    """
    known = {each.lower(): each for each in valid}
    cutoff = at_least if len(name) > SHORT else min(at_least, 0.5)  # one letter of two is half of them
    found = difflib.get_close_matches(name.lower(), known, n=1, cutoff=cutoff)
    return known[found[0]] if found else None


def file_error(path: str | os.PathLike[str], error: Exception, expected: str) -> JumpnetError:
    """The error for a file that the system, or its encoding, refuses.

    >>> str(file_error("a.toml", FileNotFoundError(2, "No such file or directory"), "a study file expected"))
    'a.toml: no such file or directory, a study file expected'
    """
    if isinstance(error, UnicodeDecodeError):
        packer = next((name for start, name in PACKERS.items() if error.object.startswith(start)), "")
        text = f"byte {error.start} is no {error.encoding.upper()} text"
        reason = f"packed by {packer}, which is not unpacked here" if packer else text
    else:
        reason = getattr(error, "strerror", None) or str(error)
    return JumpnetError(f"{os.fspath(path)}: {reason[:1].lower()}{reason[1:]}, {expected}")


def unknown_name(kind: str, name: str, valid: Iterable[str]) -> JumpnetError:
    """The error for a name that is not registered: names the nearest one, or lists all when few.

    >>> str(unknown_name("family", "torsu", ["torus", "mesh"]))
    "unknown family 'torsu'; did you mean 'torus'?"
    >>> str(unknown_name("setting", "warmup", ["vcs", "warmup_cycles", "warmup_limit_cycles"]))
    "unknown setting 'warmup'; did you mean 'warmup_cycles' or 'warmup_limit_cycles'?"
    """
    names = sorted(valid)
    close = nearest(name, names)
    if close is not None:
        return JumpnetError(f"unknown {kind} {name!r}; did you mean {close!r}?")
    parts = [each for each in names if name.lower() in each.lower().split("_")]
    if 1 <= len(parts) <= FEW_PARTS:
        return JumpnetError(f"unknown {kind} {name!r}; did you mean {' or '.join(map(repr, parts))}?")
    if len(names) > FEW:
        if kind in LISTED:  # which says how many there are; some of these names may stand on other lists
            return JumpnetError(f"unknown {kind} {name!r}; none of the known ones is close, see `jumpnet list {kind}`")
        return JumpnetError(f"unknown {kind} {name!r}; none of the {len(names)} known ones is close")
    return JumpnetError(f"unknown {kind} {name!r}; expected one of {', '.join(names)}")
