"""Relations, hooks and patterns of one's own that misbehave: one line each, and no crash; shipped ones all pass.

The functions are in `functions.py`, which runs once, in a process of its own. What the check costs: some 45
microseconds a call of a relation in plain Python, 10,000 calls at most however large the network is, once a process for
each routing on a network; and what checked indices cost in the compiled function. Shipped functions pay nothing.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from tests.attack.command_line.command import HANGS
from tests.attack.own import cases, families, functions, relations

from jumpnet import traffic
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks import walkers as walks
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED, open_i64
from jumpnet.jit.linked import pointer
from jumpnet.own.strict import frozen, strict, whole_number
from jumpnet.own.trial import Fault, Trial, guarded, rebuilt
from jumpnet.own.whose import is_own
from jumpnet.routings import Routing, _checked, bind, routings
from jumpnet.routings._checked import Checked, check
from jumpnet.routings._compiled import compiled
from jumpnet.routings._guarded import guard_relation
from jumpnet.topology import build
from jumpnet.traffic._checked import check_pattern
from jumpnet.traffic._checked_process import check_process

NETWORKS = (
    "torus:3x3", "mesh:3x3", "hypercube:3", "rdt:8", "prdt:8", "ccc:3", "debruijn:2,n=3", "kautz:2,n=2", "star:3",
    "dragonfly:1", "hyperx:3x3", "fattree:2,n=2", "fly:2,n=2", "srt1d:8", "srt2d:4", "rdn:3,k=2", "clos:4,n=3,r=4",
    "torus:4x4", "srt2d:8", "clos:2,n=2,r=2", "cmesh:4x4", "threetier:2", "file:example.anynet",
)  # fmt: skip
"""Small ones, one of which each shipped routing fits."""
GIVEN = {
    "worst": ":routing=up_down",
    "permutation": ":to=" + "-".join(str(k ^ 1) for k in range(16)),
    "matrix": ":rows=" + "/".join("-".join(str((j - i) % 16) for j in range(16)) for i in range(16)),
}
"""What patterns need to be told, on 16 terminals."""


@pytest.mark.skipif(DISABLED, reason="some are met in compiled code alone")
def test_what_misbehaves_is_refused_in_one_line_and_what_behaves_passes() -> None:
    """All cases in one process, as one run takes a quarter of a minute: nothing crashes or hangs there either.

    The way right round all of the ring in a phase may take 3 hops a dimension. Of the helpers in plain Python, of a
    routing, a pattern, a process and a network, the figures are those of dimension order and of a ring of 9.
    """
    found = subprocess.run(
        [sys.executable, "-m", "tests.attack.own.functions"], capture_output=True, text=True, timeout=HANGS,
        env=os.environ | {"JUMPNET_QUIET": "1"}, check=False,  # on a cold cache it would say that it compiles
    )  # fmt: skip
    lines = dict(json.loads(line) for line in found.stdout.splitlines())
    assert found.returncode == 0, f"{found.returncode} after {list(lines)[-1:]}: {found.stderr[-2000:]}"
    assert found.stderr == ""
    assert [wrong for name in functions.CASES if (wrong := _wrong(name, str(lines[name])))] == []
    assert lines["behave"] == [0.4, 4, 4, 12, "deadlock", "deadlock", [15, 0]]
    expected = {"paths": 4, "verdict": "deadlock", "created": 0.2, "mirrored": 12, "farthest": 4}
    assert lines["helped"] == expected


def _wrong(name: str, line: str) -> str:
    """What was said of a case where it is not one line that names it and its fault."""
    kinds = ("routing own.", f"traffic pattern {name}", "traffic pattern asked_", f"injection process {name}")
    kinds += ("neighbors of router ", "neighbors: ", "multicast scheme own: ")
    kinds = ("",) if name in families.NAMES else kinds
    begins = line.startswith(tuple(f"JumpnetError {kind}" for kind in kinds))
    return "" if begins and functions.CASES[name][0] in line and "\n" not in line else f"{name}: {line}"


@pytest.mark.parametrize("name", routings())
def test_shipped_routings_pass_and_are_not_checked_when_they_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_checked, "MOST_CALLS", 1500)
    for spec in NETWORKS:
        try:
            bound = routings()[name].bind(build(spec))
        except JumpnetError:
            continue
        assert not bound.own
        assert len(check(bound)) > 2
        return
    pytest.fail("it fits none of the networks")


@pytest.mark.parametrize("name", traffic.patterns())
def test_shipped_patterns_pass_and_are_not_checked_when_they_run(name: str) -> None:
    for spec in ("torus:4x4", "dragonfly:1"):
        try:
            bound = traffic.bind(name + GIVEN.get(name, ""), build(spec))
        except JumpnetError:
            continue
        assert not bound.pattern.own
        check_pattern(bound)
        return
    pytest.fail("it fits none of the networks")


@pytest.mark.parametrize("name", traffic.processes())
def test_shipped_processes_pass_and_are_not_checked_when_they_run(name: str) -> None:
    made = traffic.processes()[name]
    assert not made.own_code
    check_process(made, made.own(0.1, {}))


def test_every_pair_of_a_small_network_is_tried_and_some_of_a_large_one() -> None:
    for spec, states in (("torus:4x4", 16 * 16), ("torus:64x64", 10_000)):
        bound = Routing(name="own.order", relation=functions.dimension_order).bind(build(spec))
        assert bound.own
        tried = Checked(bound)
        tried.all()
        assert tried.calls == states


def test_a_routing_is_tried_once_a_network() -> None:
    net, made = build("torus:4x4"), Routing(name="own.order", relation=functions.dimension_order)
    assert check(bind(made, net)) is check(bind(made, net))
    assert check(bind(made, net)) is not check(bind(made, net, 2))
    assert check(bind(made, net)) is not check(bind(made, build("torus:4x4")))


def test_states_without_end_are_refused_where_the_sample_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "MEMORY_LIMIT_BYTES", 1 << 24)  # stands for 8 GiB
    grows = Routing(name="own.grows", relation=relations.always_has_a_new_state)
    with pytest.raises(JumpnetError, match=r"more than \d+ states of packets to 0 found.*does STATE grow"):
        prove(grows.bind(build("torus:64x64")), 1)


def test_guarded_arrays() -> None:
    array = guarded(np.arange(6).reshape(2, 3), "net.table")
    assert array[1, 2] == 5 and type(array[1, 2]) is int
    assert [sum(row) for row in array] == [3, 12] and array[:, 1].tolist() == [1, 4]
    tried = Trial(lambda table, way: way(table))
    for way in (
        lambda t: t[2, 0], lambda t: t[-1], lambda t: t[0, 3], lambda t: t[1][-2], lambda t: t.sort(),
        lambda t: t.__setitem__(0, 1), lambda t: t.setflags(write=True), lambda t: np.asarray(t).fill(0),
    ):  # fmt: skip
        with pytest.raises(Exception, match=r"test_functions\.py:\d+: "):
            tried(array, way)
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert is_own(functions.shortest) and not is_own(build) and not is_own(None)


HELPERS = (3, (cases.put, cases.right))
ABSOLUTE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(abs)


@numba.guvectorize([(numba.int64[:], numba.int64[:])], "(n)->(n)")
def moved(given, found):
    found[5] = given[0]


def asks_helpers_elsewhere(out):
    cases.put(out, 1, 2)
    HELPERS[1][0](out, 0, HELPERS[0])
    return out[1, 0] + out[0, 0]


def test_helpers_that_stand_in_modules_and_tuples_are_checked_too() -> None:
    def marked(plain: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: asked.append(plain.__name__) or plain(*given)

    asked: list[str] = []
    assert rebuilt(asks_helpers_elsewhere, marked)(np.zeros((2, 1), np.int64)) == 5
    assert asked == ["asks_helpers_elsewhere", "put", "put"]
    with pytest.raises(Exception, match="index 1 of out found, 0 to 0 expected"):
        Trial(asks_helpers_elsewhere)(guarded(np.zeros((1, 1), np.int64), "out", writable=True))


OUTSIDE = [lambda net, here, head, out: ABSOLUTE(here), lambda net, here, head, out: moved(out)]


@pytest.mark.parametrize("relation", OUTSIDE)
def test_helpers_that_cannot_be_checked_are_refused(relation: Any) -> None:
    with pytest.raises(JumpnetError, match=r"is compiled outside of jumpnet \(\w+\), a function of numba"):
        check(Routing(name="own.outside", relation=relation).bind(build("torus:4x4")))


def test_numbers_of_numpy_divide_by_zero_as_well() -> None:
    """NumPy gives 0 and a warning; compiled code ends in an error."""
    for way in (lambda zero: 1 // zero, lambda zero: 1 % zero, lambda zero: (zero + 1) // zero):
        for zero in (np.zeros(1, np.int64), np.int64(0)):
            with pytest.raises(Fault, match=r"test_functions\.py:\d+: division by zero"):
                Trial(way)(zero)


def never_ends(net, here, head, out):
    if here == 517:
        while True:
            here = (here + 1) % 4
    return 0


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_a_loop_without_end_is_named_in_our_words() -> None:
    with pytest.raises(JumpnetError, match=r"own.x does not compile: .*\.py:\d+: a loop without end, a way out"):
        compiled(guard_relation, never_ends, "own.x")


def keeps_to_its_arrays(given):
    """What own functions may call, a little of each."""
    made, total = np.zeros(3, np.int64), 0
    made[:2] = given[np.argsort(given)][1:3]
    made += 1
    for place, number in enumerate(made):
        total += place * max(number, 2)
    kept = [total]
    kept.append(int(math.sqrt(abs(np.abs(total)))))
    several, counts = {total, 3}, {}
    several.add(5)
    several.discard(5)
    counts[total] = 1
    for number in sorted(several):
        counts[number] = counts.get(number, 0) + 1
        for count in counts.values():
            total += count
    if np.where(made > 0, 1, 0).sum() == 0:
        raise ValueError("nothing there")
    return np.maximum(len(kept), made.max()) + kept[1] + min(2, np.argmin(given)) + given.shape[0] + total


@pytest.mark.skipif(DISABLED, reason="nothing is compiled")
def test_what_own_functions_may_call_compiles_and_answers_as_plain_python() -> None:
    given, compiled = np.array([5, 3, 9, 4]), strict(keeps_to_its_arrays)

    def enter(address, length):
        return whole_number(compiled(frozen(open_i64(address, length))))

    made = pointer("int64(int64, int64)", enter, keeps_to_its_arrays)
    assert made.ctypes(given.ctypes.data, len(given)) == keeps_to_its_arrays(given)
