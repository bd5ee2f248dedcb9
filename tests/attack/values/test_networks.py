"""Arrays of one's own that are no network: one line when the network is made, and nothing reaches compiled code."""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from dataclasses import replace

import numpy as np
import pytest
from tests.each import each_of

import jumpnet
from jumpnet import memory, traffic
from jumpnet.chip.configuration import wire
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.multicast import broadcasts
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network, Orbits, from_links, from_neighbors
from jumpnet.routings import bind, default_choice
from jumpnet.topology import build

ROUTERS = 6
RING = np.stack([(np.arange(ROUTERS) + 1) % ROUTERS, (np.arange(ROUTERS) - 1) % ROUTERS], axis=1)
WORDS = {
    "link_class": np.arange(2),
    "class_names": ("up", "down"),
    "class_rank": np.zeros(2, int),
    "mirror": np.array([1, 0]),
}


def ring(neighbor: object = RING, **changed: object) -> Network:
    words = WORDS | {"spec": "ring", "family": "mine"} | changed
    return from_neighbors(neighbor=neighbor, **words)  # type: ignore[arg-type]


def edited(array: np.ndarray, place: tuple[int, ...], value: int) -> np.ndarray:
    result = np.array(array, np.int64)
    result[place] = value
    return result


def test_the_plain_ring_is_taken() -> None:
    assert jumpnet.network(ring()).metrics().diameter == 3


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ({"neighbor": edited(RING, (5, 0), 6)}, r"ring: neighbor\[5, 0\] is 6, -1 to 5 expected"),
        ({"neighbor": edited(RING, (2, 1), 100_000)}, r"neighbor\[2, 1\] is 100000"),
        ({"neighbor": edited(RING, (2, 1), 2**40)}, r"neighbor\[2, 1\] is 1099511627776"),
        ({"neighbor": edited(RING, (0, 0), -2)}, r"neighbor\[0, 0\] is -2"),
        ({"neighbor": edited(RING, (0, 0), 3)}, "no way back"),
        ({"neighbor": RING + 0.5}, "array of float64"),
        ({"neighbor": RING.astype(object)}, "array of object"),
        ({"neighbor": [[1, 5], [2]]}, "rows of different lengths"),
        ({"neighbor": RING[:, 0]}, "1 dimensions"),
        ({"mirror": np.array([1, 2])}, r"mirror\[1\] is 2, -1 to 1 expected"),
        ({"mirror": np.array([1, 0, 0])}, r"mirror has shape"),
        ({"link_class": np.array([0, 2])}, r"link_class\[0, 1\] is 2, -1 to 1 expected"),
        ({"link_class": np.array([0, -1])}, "a link class, both or none"),
        ({"class_rank": np.zeros(3, int)}, "class_rank has shape"),
        ({"class_rank": np.array([0, -1])}, r"class_rank\[1\] is -1"),
        ({"coord": np.zeros((5, 1), int)}, r"coord has shape \(5, 1\), 6 routers x dimensions expected"),
        ({"coord": np.full((6, 1), np.nan)}, "coord is an array of float64"),
        ({"terminals": np.ones(7, int)}, "terminals has shape"),
        ({"terminals": np.full(6, -1)}, r"terminals\[0\] is -1"),
        ({"terminals": np.full(6, 2**31)}, r"terminals\[0\] is 2147483648"),
        ({"sinks": np.ones((6, 1), int)}, "sinks has shape"),
        ({"params": np.array([2**70])}, "array of object"),
        ({"latency": np.full((6, 2), -1)}, r"latency\[0, 0\] is -1"),
        ({"latency": np.full((6, 2), 2**31 - 1)}, r"latency\[0, 0\] is 2147483647, 0 to 1000000 expected"),
        ({"position": np.zeros((6, 3))}, "position has shape"),
        ({"orbits": Orbits(np.array([6]), np.array([6]))}, "orbits.representative.0. is 6"),
        ({"orbits": Orbits(np.array([0]), np.array([5]))}, "orbits of 5 routers found, 6 expected"),
        ({"orbits": Orbits([0, 0], [3, 3])}, "orbits.representative names a router twice"),
        ({"orbits": Orbits([0.5], [6])}, "orbits.representative is an array of float64"),
        ({"orbits": ([0], [6])}, "orbits: tuple found, Orbits"),
        ({"position": np.full((6, 2), "x")}, "position is no array of numbers"),
    ],
)
def test_a_wrong_array_is_one_line(words: dict[str, object], line: str) -> None:
    with pytest.raises(JumpnetError, match=line) as told:
        ring(**words)
    assert "\n" not in str(told.value)


def test_a_one_way_network_with_a_router_that_is_not_there() -> None:
    """Its diameter was 5, and `prove` ended in a damaged heap."""
    one_way = (np.arange(ROUTERS) + 1)[:, None]
    words = {"link_class": np.zeros(1, int), "class_names": ("on",), "class_rank": np.zeros(1, int)}
    with pytest.raises(JumpnetError, match=r"neighbor\[5, 0\] is 6"):
        from_neighbors("one way", "mine", one_way, directed=True, **words)
    right = from_neighbors("one way", "mine", one_way % ROUTERS, directed=True, **words)
    assert jumpnet.network(right).metrics().diameter == 5
    with pytest.raises(JumpnetError, match="where another one arrives"):
        replace(right, neighbor=np.array([[1], [2], [2], [4], [5], [0]], np.int32))
    with pytest.raises(JumpnetError, match="more than there are channels"):
        replace(right, far_port=np.full((ROUTERS, 1), 7, np.int32))


def star(routers: int = 20) -> Network:
    """One router with a link to each other one: tables that are mostly empty."""
    return from_links("star", "mine", routers, np.stack([np.zeros(routers - 1, int), np.arange(1, routers)], axis=1))


def test_a_large_table_is_told_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`route` on a star of 20,000 routers took gigabytes and its time without a word."""
    star(200)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(memory, "MUCH", 1000)
    star(200)
    said = "jumpnet: star: a table of 200 routers with up to 199 ports takes about 1.3 MB of memory, and its time"
    assert capsys.readouterr().err.splitlines() == [said]
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000000")
    with pytest.raises(JumpnetError, match=r"up to 199 ports needs about 1\.3 MB of memory, 1\.0 MB available"):
        star(200)


@each_of(range(300))
def test_one_changed_number_is_seen(seed: int) -> None:
    """Any other neighbor, port or class in one place of a table is refused; but for a class, which is free."""
    draw = random.Random(seed)
    net = (
        star()
        if seed % 7 == 0
        else build(draw.choice(["torus:4x4", "rdt:8", "mesh:3x3", "kautz:2,n=3", "hypercube:3", "fly:2,n=3"]))
    )
    name = draw.choice(["neighbor", "far_port"])
    array = getattr(net, name)
    place = tuple(draw.randrange(n) for n in array.shape)
    value = draw.choice([-2, -1, draw.randrange(net.routers), net.routers, 100_000, 2**31 - 1])
    changed = edited(array, place, value).astype(np.int32)
    if value == array[place]:
        return
    try:
        made = replace(net, **{name: changed})
    except JumpnetError as error:
        assert str(error).startswith(f"{net.spec}: ") and "\n" not in str(error)
    else:  # one way only: another router, or another free port, is as good a network
        assert net.directed and array[place] >= 0 and value >= 0
        assert jumpnet.network(made).metrics().routers == net.routers


ARRAYS = ("neighbor", "far_port", "link_class", "coord", "terminals", "sinks", "class_rank", "params", "position")


def arrays_of(net: Network) -> list[np.ndarray]:
    assert net.orbits is not None
    return [*(getattr(net, name) for name in ARRAYS), *net.orbits]


def test_arrays_of_a_network_cannot_be_written_nor_made_writable() -> None:
    net, mine = build("torus:4x4"), ring(orbits=Orbits.transitive(ROUTERS), position=np.zeros((ROUTERS, 2)))
    for made in (net, mine, copy.deepcopy(net), pickle.loads(pickle.dumps(net)), replace(mine, spec="other")):
        for array in arrays_of(made):
            with pytest.raises(ValueError, match="read-only"):
                array.reshape(-1)[:1] = 0
            with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                array.flags.writeable = True


@pytest.mark.parametrize(
    "held", [build("rdt:16"), territories("rdt:16"), wire("rdt:16")], ids=lambda one: type(one).__name__
)
def test_nobody_changes_shape_strides_or_type_of_a_kept_array(held: object) -> None:
    """NumPy sets them in place of an array that is read-only; a path then ended at the wrong router."""

    def arrays() -> dict[str, np.ndarray]:
        found = {name: getattr(held, name) for name in vars(held)}
        found |= {f"orbits {name}": part for name, part in getattr(held, "orbits", Orbits(0, 0))._asdict().items()}
        return {name: array for name, array in found.items() if isinstance(array, np.ndarray)}

    before = {name: (array.shape, array.strides, array.dtype, array.tolist()) for name, array in arrays().items()}
    assert before
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for name in before:
            arrays()[name].shape = (-1, 1)
            arrays()[name].strides = (0,) * len(before[name][0])
            arrays()[name].dtype = f"u{before[name][2].itemsize}"
            with pytest.raises(ValueError, match="cannot set WRITEABLE"):
                arrays()[name].flags.writeable = True
    assert before == {
        name: (array.shape, array.strides, array.dtype, array.tolist()) for name, array in arrays().items()
    }


def test_a_shared_array_is_neither_copied_nor_taken_for_another() -> None:
    net = build("mesh:4x4")
    assert vars(net.renamed("other"))["neighbor"] is vars(net)["neighbor"]
    assert replace(net, terminals=net.terminals[:0:-1].repeat(16)[:16]).endpoints == 16
    with pytest.raises(JumpnetError, match=r"neighbor has 3 dimensions"):
        replace(net, neighbor=net.neighbor.reshape(4, 4, 4))


def test_the_arrays_that_a_network_is_made_of_stay_the_callers() -> None:
    """A neighbor of 100,000,000 that was written into them later ended the process with signal 11."""
    orbits = Orbits(np.zeros(1, np.int64), np.full(1, ROUTERS, np.int64))
    whole = ring(orbits=orbits, position=np.zeros((ROUTERS, 2)), latency=np.ones_like(RING))
    words = {name: np.array(getattr(whole, name)) for name in (*ARRAYS, "latency")} | {"orbits": orbits}
    made = Network("ring", "mine", class_names=whole.class_names, **words)
    parts = ring(**{name: given for name, given in words.items() if name != "far_port"})
    before = jumpnet.network(made).metrics()
    for array in (*orbits, *(given for name, given in words.items() if name != "orbits")):
        array[:] = 100_000_000  # it is whose it was
    for net in (made, parts):
        assert all(map(np.array_equal, arrays_of(net), arrays_of(whole)))
    assert jumpnet.network(made).metrics() == before
    assert made.latency is not None and made.latency.max() == 1


def test_one_buffer_for_several_networks() -> None:
    """The first one had the links of the last."""
    buffer, nets = np.empty((ROUTERS, 2), np.int32), []
    for step in (1, 2):
        buffer[:] = np.stack([(np.arange(ROUTERS) + step) % ROUTERS, (np.arange(ROUTERS) - step) % ROUTERS], axis=1)
        nets.append(ring(buffer))
    assert [jumpnet.network(net).metrics().connected for net in nets] == [True, False]


def test_arrays_that_are_locked_are_not_copied() -> None:
    net = build("torus:4x4")
    other = zip(arrays_of(net), arrays_of(net.renamed("other")), strict=True)
    assert all(np.shares_memory(a, b) for a, b in other if a.size)


def test_orbits_of_other_numbers() -> None:
    """They ended in an AttributeError."""
    assert jumpnet.network(ring(orbits=Orbits([0.0], [6.0]))).metrics().diameter == 3  # type: ignore[arg-type]


def test_a_list_of_links_is_checked_as_well() -> None:
    for ends, latency in (([[0, 3]], None), ([[0, -1]], None), ([[1, 1]], None), ([[0, 1]], [[-5, 1]])):
        with pytest.raises(JumpnetError):
            from_links("l", "l", 3, np.array(ends), latency=None if latency is None else np.array(latency))


def lying(spec: str, seed: int) -> Network:
    """A network whose params and one router's coordinates are others than its family's."""
    net, chance = build(spec), np.random.default_rng(seed)
    more = np.array([-1, 1, 2, 7, 1000, 10**6, -(2**30)])
    params, coord = net.params.copy(), net.coord.copy()
    params[chance.integers(params.size)] += chance.choice(more)
    coord[chance.integers(net.routers)] += chance.choice(more).astype(np.int32)
    return replace(net, **[{"params": params}, {"coord": coord}, {"params": params, "coord": coord}][seed % 3])


BY_FAMILY = [
    *(("torus:4x4", name) for name in ("torus.romm", "torus.dateline")), ("mesh:4x4", "mesh.romm"),
    ("fly:2,n=3", "fly.destination_tag"), ("rdt:16", "rdt.floating"), ("rdt:16", "rdt.partitioned"),
    ("hypercube:4", "hypercube.ugal"), ("dragonfly:2", "dragonfly.minimal"), ("fattree:4,n=2", "fattree.nca"),
    ("ccc:3", "ccc.ecube"), ("debruijn:2,n=4", "debruijn.shift"), ("kautz:2,n=3", "kautz.shift"),
    ("hyperx:3x3", "hyperx.adaptive"), ("star:4", "star.sort"), ("srt2d:8", "srt.hierarchical"),
    ("rdn:2,k=1", "rdn.recursive"), ("prdt:16", "prdt.vector"), ("clos:m=2,n=2,r=4", "clos.nca"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "name"), BY_FAMILY)
def test_a_network_that_lies_about_its_family_is_refused_in_one_line(spec: str, name: str) -> None:
    """Routings of a family look up coordinates by params: they ended in signal 11, or had no end."""
    for seed in range(6):
        with pytest.raises(JumpnetError, match=r"its (params|coord) are not those of") as told:
            bind(name, lying(spec, seed))
        assert "\n" not in str(told.value)
    for same in (build(spec).renamed("mine"), replace(build(spec), orbits=None), degraded(build(spec), routers=[1])):
        bind(name, same)


def test_other_ways_to_lie_about_a_family() -> None:
    net = build("torus:4x4")
    narrow = {name: getattr(net, name)[:, :2] for name in ("neighbor", "far_port", "link_class")}
    cases = [
        (replace(net, **narrow), "it has 2 ports a router, torus:4x4 has 4"),
        (replace(net, attributes={"sides": (4, 5)}), "its params are not those of torus:4x5"),
        (replace(net, attributes={}), "its attributes are not those of a torus"),
        (replace(net, attributes={"sides": (10**6, 10**6)}), "its attributes are not those of a torus"),
        (ring(RING, family="torus"), "its attributes are not those of a torus"),
    ]
    for made, reason in cases:
        with pytest.raises(JumpnetError, match=f"torus.dateline does not fit .*: {reason}"):
            bind("torus.dateline", made)
        assert default_choice(made)[1].startswith(f"{made.spec} is no torus, {reason}: ")
    bind("up_down", cases[1][0])
    assert default_choice(build("graph:petersen"))[1].startswith("graph has no routing of its own")


def test_broadcasts_trees_and_patterns_of_a_family_refuse_one_that_lies() -> None:
    for spec, ask in (
        ("rdt:16", territories),
        ("hypercube:4", lambda net: broadcasts()["binomial"](net, 0)),
        ("dragonfly:2", lambda net: traffic.bind("bad_dragonfly", net)),
    ):
        ask(build(spec))
        with pytest.raises(JumpnetError, match="its params are not those of"):
            ask(lying(spec, 0))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"neighbor": None}, "neighbor has 0 dimensions"),
        ({"neighbor": [[1], [0, 1]]}, "rows of different lengths"),
        ({"neighbor": np.zeros((0, 2), int)}, "no router found"),
        ({"neighbor": np.ma.masked_equal(RING, 3)}, "masked values"),
        ({"neighbor": np.broadcast_to([[1, 0]], (1 << 40, 2))}, "of memory"),
        ({"spec": 7}, "text expected"),
        ({"class_names": (1, 2)}, r"class_names \(1, 2\) found, a tuple, each a text"),
        ({"labels": ("a",)}, "1 labels found"),
        ({"labels": list(range(ROUTERS))}, "labels is no tuple of texts"),
        ({"position": np.full((ROUTERS, 2), np.inf)}, "position holds inf"),
    ],
)
def test_what_is_no_table_and_names_that_are_no_text_are_refused(changed: dict[str, object], words: str) -> None:
    with pytest.raises(JumpnetError, match=words):
        ring(**changed)


@pytest.mark.parametrize("name", ["terminals", "sinks", "coord", "class_rank", "far_port", "link_class", "class_names"])
def test_an_array_that_a_network_must_have_is_not_none(name: str) -> None:
    with pytest.raises(JumpnetError, match=name):
        replace(ring(), **{name: None})  # type: ignore[arg-type]


def test_a_network_without_terminals_has_no_routes_to_tell_of() -> None:
    none = ring(terminals=np.zeros(ROUTERS, int))
    try:
        assert jumpnet.network(none).paths("minimal").maximum == 0
    except JumpnetError as refused:
        assert "\n" not in str(refused)


def test_terminals_that_only_send_are_named() -> None:
    ends = {"terminals": np.ones(3, int), "sinks": np.array([1, 0, 0])}
    net = from_links("mine", "mine", 3, np.array([(0, 1), (1, 2), (2, 0)]), **ends)
    with pytest.raises(JumpnetError, match="3 terminals that send, 1 that receive found, as many expected"):
        jumpnet.simulate(net, "up_down")
