"""Bad input of every family: one line that says what was found and what was expected, before any work starts."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.topology import build, families, family
from jumpnet.topology.rdn import over

BAD = [
    ("barrelshifter:12", "power of two"),
    ("barrelshifter:1180591620717411303424", "at most 64 bits"),
    ("ccc:2", "3 to 50"),
    ("chordalring:9,w=3", "even number"),
    ("chordalring:10,w=4", "odd number"),
    ("chordalring:10", "w=NUMBER"),
    ("circularomega:1", "2 to 50"),
    ("clos:0,1,1", "clos m 0 found, at least 1 expected"),
    ("cmesh:1", "two sides"),
    ("complete:1", "at least 2"),
    ("complete:1000000", "available"),
    ("crossedcube:0", "1 to 40"),
    ("debruijn:1,n=3", "d 1 found, at least 2"),
    ("debruijn:2", "n=NUMBER"),
    ("debruijn:2,n=1000000000", "n 1000000000 found, 1 to 62"),
    ("debruijn:3,n=62", "d^n < 2^62"),
    ("dragonfly:0", "at least 1"),
    ("dragonfly:2,p=-1", "dragonfly p -1 found, at least 0 expected"),
    ("dualcube:1", "2 to 20"),
    ("fattree:0", "at least 2"),
    ("threetier:0", "threetier k 0 found, at least 1 expected"),
    ("threetier:4,core=0", "core 0 found, at least 1"),
    ("fattree:4,n=1000000000", "1 to 62"),
    ("file:no/such.file", "no/such.file"),
    ("flatfly:1", "at least 2"),
    ("flatfly:4,n=1000000000", "1 to 62"),
    ("fly:1", "at least 2"),
    ("fly:4,n=1000000000", "1 to 62"),
    ("graph:none", "unknown graph"),
    ("hypercube:0", "1 to 40"),
    ("hypercube:x", "a whole number expected"),
    ("hypercube:40", "available"),
    ("hypermesh:1", "at least 2"),
    ("hyperx:4x4,t=0", "hyperx t 0 found, at least 1 expected"),
    ("hypermesh:4,n=1000000000", "1 to 62"),
    ("hypernet:1,h=2", "d from 2"),
    ("hypernet:4,h=9", "h from 1"),
    ("hypernet:6,h=5", "2^62"),
    ("hyperx:0", "positive sides"),
    ("illiac:2", "at least 3"),
    ("kautz:1,n=2", "d 1 found, at least 2"),
    ("kautz:2,n=1000000000", "1 to 62"),
    ("kautz:3,n=62", "below 2^62 words"),
    ("mesh:-1", "positive sides"),
    ("mesh:8x8,k=3", "unknown setting of mesh"),
    ("mesh:1000000x1000000", "available"),
    ("torus:8x8,sides=4x4", "torus: sides is given twice, as 8x8 and as sides=4x4"),
    ("midimew:8", "at least 9"),
    ("pradhan:2", "3 to 60"),
    ("prdt:6", "3 by 3/2 nodes, whole numbers expected"),
    ("prdt:10,n=3,R=3", "rank 3 would be a torus of 5 by 5/2 nodes"),
    ("prdt:9", "whole numbers expected"),
    ("prdt:-4", "positive"),
    ("prdt:16,R=-5", "R=-5 found, a number from 0, or -1"),
    ("random:5,d=3", "even product"),
    ("random:5,d=5", "d from 1 to n-1"),
    ("random:6,d=3,seed=9223372036854775808", "at most 64 bits"),
    ("rdn:5x5", "k=NUMBER"),
    ("rdn:5x5,k=-1", "from 0"),
    ("rdn:3,k=2,base=tors", "did you mean 'torus'"),
    ("rdn:5,k=1000000000", "2^62"),
    ("rdn:2,k=1,base=circularomega", "directed"),
    ("rdt:63", "multiple of 2n"),
    ("rdt:0", "positive"),
    ("rdt:12,R=3,assignment=1.2.1.2.1.2.1.3", "multiple of"),
    ("rdt:2000000000,n=1000000000,assignment=none", "at most 512"),
    ("slimfly:6", "prime power"),
    ("slimfly:5,p=-1", "slimfly p -1 found, at least 0 expected"),
    ("srt1d:48", "power of two"),
    ("srt1d:32,variant=short", "unknown value of srt1d variant"),
    ("srt2d:12", "power of two"),
    ("srt2d:16,shift=2", "odd number"),
    ("srt2d:16,shift=uniforms", "did you mean 'uniform'"),
    ("srt2d:8,variant=ls,shift=uniform", "odd number"),
    ("star:1", "2 to 12"),
    ("torus:0x4", "positive sides"),
    ("torus:4x3,double=true", "torus: double=true with sides 4x3 found, a side of 2 expected"),
    ("torus:4xa", "sides such as"),
    ("torus:8_8", "'8_8' found, sides such as 8x8"),
    ("mesh:4,3", "mesh sides 4,3 found, sides such as 4x3 expected"),
    ("torus:4,3", "torus sides 4,3 found, sides such as 4x3 expected"),
    ("hypercube:1_0", "'1_0' found, a whole number expected"),
    ("rdt:64,assignment=alfa", "expected; did you mean 'alpha'?"),
    ("rdt:64,assignment=\u0967.1.1.1.1.1.1.1", "ranks joined by dots"),
    ("torus", "torus:sides"),
    ("tree:0,height=2", "tree k 0 found, at least 1"),
    ("tree:2,height=1000000000", "1 to 62"),
    ("tree:3,height=62", "k^height < 2^62"),
    ("tores:4", "did you mean 'torus'"),
    ("wk:1,t=2", "at least 2"),
    ("wk:2,t=1000000000", "1 to 62"),
    ("wk:3,t=62", "d^t < 2^62"),
]


@pytest.mark.parametrize(("spec", "says"), BAD)
def test_bad_input_is_refused_in_one_line(spec, says):
    with pytest.raises(JumpnetError, match=re.escape(says)) as caught:
        build(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("what", [None, 64, b"torus:4", ["torus:4"]])
def test_what_is_no_text_is_no_spec(what):
    with pytest.raises(JumpnetError, match=f"^build: spec {re.escape(repr(what))} found, a text expected$"):
        build(what)


def test_every_family_has_bad_input_here():
    tried = {re.split("[:,]", spec)[0] for spec, _ in BAD}
    assert set(families()) <= tried


def test_too_big_for_the_memory_given(monkeypatch):
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "100000")
    with pytest.raises(JumpnetError, match="torus:64x64: a table of 4096 routers with 4 ports"):
        build("torus:64x64")
    assert build("torus:8x8").routers == 64


def test_dual_construction_of_a_users_graph_refuses_negative_levels():
    with pytest.raises(JumpnetError, match="k=-1"):
        over(build("torus:3"), -1)


@pytest.mark.parametrize(
    ("name", "sizes", "keyed", "expected"),
    [
        ("torus", ("8x8",), {}, "torus sides '8x8' found, a tuple of positive sides such as (8, 8) expected"),
        ("torus", ([8, 8],), {}, "torus sides [8, 8] found, a tuple of positive sides such as (8, 8) expected"),
        ("mesh", ((8, 0),), {}, "mesh sides (8, 0) found, a tuple of positive sides such as (8, 8) expected"),
        ("mesh", ((),), {}, "mesh sides () found, a tuple of positive sides such as (8, 8) expected"),
        ("mesh", ((8, 8.0),), {}, "mesh sides (8, 8.0) found, a tuple of positive sides such as (8, 8) expected"),
        ("torus", (), {"shape": (8, 8)}, "unknown setting of torus 'shape'; expected one of double, sides"),
        ("torus", ((8, 8), (8, 8)), {}, "torus: 2 settings without a name found, at most 1 expected"),
        ("wk", (8, 7), {}, "wk: 2 settings without a name found, at most 1 expected"),
        ("wk", (8,), {"t": "7"}, "wk t '7' found, a whole number expected"),
        ("hypercube", (True,), {}, "hypercube dimension True found, a whole number expected"),
        ("hypercube", (4,), {"dimension": 5}, "hypercube: dimension is given twice, as 4 and as dimension=5"),
        ("debruijn", (2,), {"n": 3, "directed": 1}, "debruijn directed 1 found, True or False expected"),
        ("srt1d", (64,), {"variant": "pears"}, "unknown value of srt1d variant 'pears'; did you mean 'pairs'?"),
        ("srt1d", (64,), {"variant": 1}, "srt1d variant 1 found, standard or ls or ss or pairs expected"),
        ("srt2d", (64,), {"shift": 1.5}, "srt2d shift 1.5 found, a whole number or uniform or"),
        ("rdt", (64,), {"assignment": None}, "rdt assignment None found, a string expected"),
    ],
)
def test_wrong_values_from_python_are_refused_in_one_line(name, sizes, keyed, expected):
    with pytest.raises(JumpnetError, match=re.escape(expected)) as found:
        families()[name](*sizes, **keyed)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("spec", [cls.samples[0] for cls in families().values() if cls.samples])
def test_a_family_is_made_from_its_own_values_copied_and_pickled(spec):
    made = family(spec)
    assert type(made)(**made.attributes) == copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made


def test_numbers_of_numpy_are_whole_numbers():
    torus = families()["torus"]((np.int64(4), np.int32(4)))
    assert torus == family("torus:4x4") and families()["hypercube"](np.int64(3)).build().routers == 8
