"""What people call from Python, and odd values for it: `python -m tests.attack.values.face --each 100`.

Every function and method that is marked `@public` is called with odd values in place of all that it must be given, and
every setting of a network's methods with some in turn. A new one is attacked without being listed. Each call gives a
JumpnetError of one line that somebody foresaw, or an answer.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

from tests.attack.values import machine_calls, odd
from tests.attack.values.odd import ODD

import jumpnet
from jumpnet.errors import JumpnetError, UnforeseenError
from jumpnet.lab import setting_types

ROOT = Path(jumpnet.__file__).parent
SHORT = {"packet_flits": "1", "warmup_cycles": 10, "measure_cycles": 30, "load": 0.05}
MOST = 4200
"""Letters of a line."""


def marked() -> dict[str, Any]:
    """Every function that is marked, and every class, by module and name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "\n@public\n" in text or "\n@named\n" in text:
            parts = ["jumpnet", *path.relative_to(ROOT).with_suffix("").parts]
            module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
            here = {
                key: each for key, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__
            }
            functions = {key: each for key, each in here.items() if hasattr(each, "is_public")}
            classes = {key: each for key, each in here.items() if isinstance(each, type)}
            found |= {f"{module.__name__}.{key}": each for key, each in functions.items()}
            for key, kind in classes.items():
                makers = (vars(kind).get("__init__"), vars(kind).get("__new__"))
                if any(hasattr(maker, "is_public") for maker in makers):
                    found[f"{module.__name__}.{key}"] = kind
    return found


def _needed(thing: Any) -> list[str]:
    """The parameters of a function that must be given, or its first one."""
    known = [each for each in inspect.signature(thing).parameters.values() if each.kind != each.VAR_KEYWORD]
    return [each.name for each in known if each.default is each.empty] or [each.name for each in known[:1]]


def _with_all(thing: Any, value: Callable[[], Any]) -> Any:
    known = inspect.signature(thing).parameters
    given = [value() for name in _needed(thing) if known[name].kind is not inspect.Parameter.KEYWORD_ONLY]
    return thing(*given, **{n: value() for n in _needed(thing) if known[n].kind is inspect.Parameter.KEYWORD_ONLY})


BESIDE: dict[str, dict[str, Any]] = {
    "route": {"source": 0, "destination": 5},
    "curve": {**SHORT, "loads": [0.1]},
    "degrade": {"faults": [1], "seeds": [1]},
    "sweep": {**SHORT, "workers": 1},
    "simulate": SHORT,
    "find_saturation": {**SHORT, "resolution": 0.5},
}
"""What else a method of a network is given."""
SETTINGS = {
    "simulate": setting_types.RunSettings,
    "find_saturation": setting_types.SearchSettings,
    "sweep": setting_types.SweepSettings,
}
IN_SIMULATE = frozenset(get_type_hints(setting_types.RunSettings))


def _one_of(net: Any, method: str, name: str, value: Callable[[], Any]) -> Any:
    beside = {key: each for key, each in BESIDE.get(method, {}).items() if (method, key) != ("curve", "load")}
    return getattr(net, method)(**{**beside, name: value()})


def calls() -> Iterator[tuple[str, Callable[[Callable[[], Any]], Any]]]:
    """Each thing that takes a value, by name."""
    for name, thing in marked().items():
        if _needed(thing):
            yield name, partial(_with_all, thing)
    yield from machine_calls.calls(marked())
    net = jumpnet.network("torus:4x4")
    for method, function in inspect.getmembers(jumpnet.LabNetwork, inspect.isfunction):
        if not method.startswith("_"):
            names = [
                each.name for each in inspect.signature(function).parameters.values() if each.kind != each.VAR_KEYWORD
            ]
            more = [*get_type_hints(SETTINGS[method])] if method in SETTINGS else []
            more = [key for key in more if method == "simulate" or key not in IN_SIMULATE or key == "load"]
            for key in dict.fromkeys([*names[1:], *more]):
                yield f"network.{method}({key})", partial(_one_of, net, method, key)


def wrong(call: Callable[[Callable[[], Any]], Any], value: str) -> str:
    """What is wrong with the answer to an odd value; empty where nothing is."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            found = call(ODD[value])
            for each in found if inspect.isgenerator(found) else ():
                return repr(each)[:0]
    except UnforeseenError as error:
        return f"nobody foresaw {error}"
    except JumpnetError as error:
        said = str(error)
        return f"no line: {said[:100]!r}" if "\n" in said or not 0 < len(said) <= MOST else ""
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        if last.filename == odd.__file__ and not last.name.startswith("__"):
            return ""  # a function of the caller's own, which ends the call as it wants
        return f"{type(error).__name__} in place of a JumpnetError"
    return ""


def attack(each: int, seed: int, only: str = "") -> tuple[int, list[str]]:
    """How many calls were made, so many of each thing, and what was wrong."""
    draw, count, found = random.Random(seed), 0, []
    for name, call in calls():
        for value in draw.sample(sorted(ODD), min(each, len(ODD))) if only in name else ():
            count += 1
            if said := wrong(call, value):
                found.append(f"{name} <- {value}: {said}")
    return count, found


def main() -> int:
    """Attack as the options say, in a folder of its own."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--each", type=int, default=10, help="Odd values for each thing.")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="Things whose names hold this text.")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        count, found = attack(given.each, given.seed, given.only)
    print(*found, f"{count} calls, {len(found)} wrong", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
