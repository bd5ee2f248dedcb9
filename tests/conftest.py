"""What every test tier shares: golden data of the papers, and Hypothesis profiles without deadlines."""

from __future__ import annotations

import gc
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from tests.long import in_order

from jumpnet import own
from jumpnet.cli._command import watch
from jumpnet.registry import Registry, users
from jumpnet.routings import _checked

# A slow draw says nothing of the code: the machine may be busy, or kernels compiled while a first case is drawn.
ANY_SPEED = [HealthCheck.too_slow]
settings.register_profile("jumpnet", deadline=None, derandomize=True, max_examples=40, suppress_health_check=ANY_SPEED)
settings.load_profile("jumpnet")

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"


gc.disable()  # while tests are collected nothing is garbage, and looking for it takes some 5 s of each worker
KEEPS_NO_BYTECODE = sys.dont_write_bytecode
SEARCHES = 10
"""Searches for garbage in what is younger, after which all that has come since the last time is looked at."""


def pytest_configure(config: pytest.Config) -> None:
    """Of two workers that collect all tests one begins at the end: each rewrites half, and reads the others'."""
    worker = getattr(config, "workerinput", {}).get("workerid")
    if worker and [Path(each).resolve() for each in config.args] == [TESTS]:
        sys.dont_write_bytecode = False
        if worker == "gw1":
            config.args[:] = [str(each) for each in sorted(TESTS.iterdir(), reverse=True) if each.is_dir()]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Folder by folder, wherever a worker has begun, but for those that start first (`tests.long`)."""
    items.sort(key=lambda item: item.path.relative_to(TESTS).parts[0])
    items[:] = [items[number] for number in in_order([item.nodeid for item in items])]


def pytest_collection_finish() -> None:
    """Look for garbage from here on, but seldom, and not in what collecting has made."""
    sys.dont_write_bytecode = KEEPS_NO_BYTECODE
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
    gc.freeze()


def pytest_runtest_logfinish() -> None:
    """Look for garbage between tests, and never again in what is left: by the end of a run that takes seconds."""
    if gc.isenabled() and gc.get_count()[2] >= SEARCHES:
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _unwatched() -> Iterator[None]:
    """Commands that tests run in this process leave no thread behind that has its own words, and no handler."""
    with mock.patch.object(watch.Watch, "start", lambda thread: watch._first_word_s()):
        yield


@pytest.fixture(autouse=True)
def _nothing_stays_registered() -> Iterator[None]:
    """What a test adds by hand (`@routing`, `add`) is gone after it: what others list does not rest on their order."""
    before = {id(each): _by_hand(each) for each in users.registries}
    extended = users.extended
    yield
    for registry in users.registries:
        had = before.get(id(registry), {})
        for name, thing in _by_hand(registry).items():
            if name not in had:
                del registry._added[name], registry._origin[name]
                users.origins.get(name, set()).discard("")  # a test may have taken it back itself
            elif had[name] is not thing:
                registry._added[name] = had[name]
    users.extended = extended


def _by_hand(registry: Registry[Any]) -> dict[str, Any]:
    return {name: thing for name, thing in registry._added.items() if registry._origin.get(name) == ""}


BRIEFLY = ("laws", "twin")
"""Folders of tests that are not about how functions of one's own are checked."""


@pytest.fixture(autouse=True)
def _own_functions_are_tried_briefly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Routings that a test there makes are asked less often in plain Python: `tests/attack/own` is about that pass."""
    if request.path.relative_to(TESTS).parts[0] not in BRIEFLY:
        yield
        return
    with mock.patch.object(_checked, "MOST_CALLS", 500):
        yield


@pytest.fixture(autouse=True)
def _files_are_forgotten() -> Iterator[None]:
    """Nor does a file that a test loads stay known."""
    before = {file.name for file in own.loaded()}
    yield
    for file in own.loaded():
        if file.name not in before:
            users.forget(file.name)
            own._loaded.pop(file.name)


@pytest.fixture(scope="session")
def golden() -> Any:
    """`golden("yang2001rdt")` is the parsed golden file of that paper."""

    def load(key: str) -> dict[str, Any]:
        return tomllib.loads((GOLDEN / f"{key}.toml").read_text(encoding="utf-8"))

    return load
