"""Networks on reconfigured wafers: traced links, negative controls, defect files, yield, speed-free facts."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jumpnet.analysis.reconfigure import array_for, on_wafer, reconfigure
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.breaks import Break, breaks_from
from jumpnet.fault.configuration import verify
from jumpnet.fault.defects import from_file, from_places, random_defects
from jumpnet.fault.method import methods
from jumpnet.fault.yields import BOUND, wafer_yield, wilson
from jumpnet.topology import build

SPECS = [
    "srt2d:4",
    "srt2d:16",
    "srt2d:16,variant=ls,shift=uniform",
    "srt2d:16,variant=ss,shift=uniform",
    "torus:9x5",
    "mesh:4x7",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("method", ["local", "graph", "exact"])
def test_traced_links_are_the_networks_own(spec: str, method: str) -> None:
    for seed in range(3):
        made = reconfigure(spec, method=method, density=0.03, seed=seed)
        if made.repaired:
            assert made.isomorphic and (made.added_segments[-1] > 0) == (len(made.configuration.faults) > 0)


def test_without_defects_every_element_stays_and_nothing_is_longer() -> None:
    made = reconfigure("srt2d:8", density=0.0)
    assert made.repaired and not made.added_segments.any() and not (made.configuration.row_switches > 1).any()
    # Span 4, or span 2 over the wrap-around, which also passes two unused spares.
    assert made.longest_wire == 4 and made.configuration.wires.longest == 3


@pytest.mark.parametrize("tracks", [1, 2])
def test_every_wrong_switch_on_a_bent_wire_is_found(tracks: int) -> None:
    array = WaferArray(6, 6, tracks=tracks)
    bad = from_places(array, [(3, 3), (5, 2), (2, 5)])
    made = methods()["exact"](array, bad)
    assert made.verified
    for g, x, t in np.argwhere(made.row_switches > 1).tolist():
        for state in range(4):
            wrong = made.row_switches.copy()
            wrong[g, x, t] = state
            same = state == made.row_switches[g, x, t]
            assert verify(array, bad, made.place, wrong, made.column_switches)[1] == same


def test_every_cross_switch_set_otherwise_is_found() -> None:
    array = WaferArray(4, 4)
    made = methods()["local"](array, from_places(array, [(2, 2)]))
    for g, x, t in np.argwhere(made.column_switches == 1).tolist():
        wrong = made.column_switches.copy()
        wrong[g, x, t] = 0
        used = 1 <= x <= 4 or (made.owner[:, x] >= 0).any()
        assert not used or not verify(array, made.bad, made.place, made.row_switches, wrong)[1]


def test_an_element_on_a_defect_or_used_twice_is_found() -> None:
    array = WaferArray(4, 4)
    bad = from_places(array, [(2, 2)])
    made = methods()["local"](array, bad)
    assert not verify(array, made.owner >= 0, made.place, made.row_switches, made.column_switches)[1]
    twice = made.place.copy()
    twice[0, 0] = twice[3, 3]
    assert not verify(array, bad, twice, made.row_switches, made.column_switches)[1]


def test_a_wrong_connect_mode_breaks_the_isomorphism() -> None:
    made = reconfigure("srt2d:8", density=0.04, seed=3)
    assert made.repaired
    rows = made.bunches[0]
    connect = rows.connect.copy()
    connect[2, :, 0] = np.roll(connect[2, :, 0], 1)
    wrong = replace(made, bunches=(replace(rows, connect=connect), made.bunches[1]))
    assert not wrong.isomorphic and not wrong.repaired


def test_spares_and_tracks_only_help() -> None:
    few = [wafer_yield(WaferArray.around(12, 12, 1, s), 0.03, 300).repaired for s in ("E", "ES", "NESW")]
    assert few[0] < few[1] < few[2]
    for name in ("graph", "exact"):
        one, two = (wafer_yield(WaferArray(12, 12, tracks=t), 0.06, 80, method=name).repaired for t in (1, 2))
        assert one <= two
    per = {m: wafer_yield(WaferArray(12, 12), 0.07, 80, method=m).repaired for m in ("local", "graph", "exact", BOUND)}
    assert max(per["local"], per["graph"]) <= per["exact"] <= per[BOUND]


def test_yield_does_not_depend_on_threads_and_clusters_are_as_dense() -> None:
    array = WaferArray(10, 10)
    assert wafer_yield(array, 0.06, 300, threads=1) == wafer_yield(array, 0.06, 300, threads=5)
    for pattern in ("random", "clustered"):
        share = np.mean([random_defects(array, 0.1, 1, w, pattern).mean() for w in range(300)])
        assert abs(share - 0.1) < 0.012
    low, high = wilson(0, 50)
    assert low == 0.0 and 0.05 < high < 0.1


def _png(mask: np.ndarray, colour: int = 0, kind: int = 0) -> bytes:
    """A PNG with dark pixels where the mask is true; `kind` is the line filter, 1 or 2 applied by hand."""
    channels = {0: 1, 2: 3, 3: 1, 6: 4}[colour]
    grey = np.where(mask, 0, 255).astype(np.uint8)
    pixels = np.repeat(grey[:, :, None], channels, axis=2)
    if colour == 6:
        pixels[:, :, 3] = 255
    lines = pixels.reshape(len(mask), -1)
    zero = np.zeros_like(lines)
    left, above = zero.copy(), zero.copy()
    left[:, channels:], above[1:] = lines[:, :-channels], lines[:-1]
    guess = [zero, left, above, ((left.astype(int) + above) // 2).astype(np.uint8)][kind]
    raw = b"".join(bytes([kind]) + row.tobytes() for row in lines - guess)
    return _file(mask.shape[1], mask.shape[0], colour, raw)


def _file(width: int, height: int, colour: int, raw: bytes) -> bytes:
    """The PNG file of such a header and pixels."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")


def test_the_same_map_from_every_kind_of_file(tmp_path: Path) -> None:
    array = array_for(build("srt2d:4"))
    bad = random_defects(array, 0.2, 9)
    files = {
        "grid.csv": "\n".join(",".join(str(int(c)) for c in row) for row in bad).encode(),
        "places.csv": b"row,column\n" + "\n".join(f"{x},{y}" for x, y in np.argwhere(bad)).encode(),
        "grid.json": json.dumps(bad.astype(int).tolist()).encode(),
        "places.json": json.dumps({"defects": np.argwhere(bad).tolist()}).encode(),
        "grey.png": _png(bad),
        "sub.png": _png(bad, 2, 1),
        "up.png": _png(bad, 6, 2),
        "average.png": _png(bad, 2, 3),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        assert (from_file(array, str(tmp_path / name))[0] == bad).all(), name


GOOD = _png(np.zeros((6, 6), bool))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.csv", b"0,1\n1,0\n", "a map of 2x2 elements found, 6x6 expected"),
        ("a.csv", b"0,1\n1\n", "rows of different lengths"),
        ("a.csv", b"row,column\n7,0\n", "element (7, 0) found"),
        ("a.csv", b"row,column\nx,0\n", "'x' found, a whole number expected"),
        ("a.csv", b"", "an empty map found"),
        ("a.csv", b"\xff\xfe\x00", "not UTF-8"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b"[" * 100000, "not JSON"),
        ("a.csv", b"row,column\n--1,0\n", "'--1' found, a whole number expected"),
        ("a.csv", b"row,column\n" + b"9" * 5000 + b",0\n", "999' found, a whole number expected"),
        ("a.csv", "row,column\n\u00b2,0\n".encode(), "a whole number expected"),
        ("a.csv", b"row,column\nnan,0\n", "'nan' found, a whole number expected"),
        ("a.csv", b"row,column\n-1,0\n", "element (-1, 0) found"),
        ("a.csv", b"x,y\n1,2\n", "header 'x,y' found, row,column or kind,row,column,side,track expected"),
        ("a.json", b'{"defect": []}', "unknown key of"),
        ("a.json", b'{"defect": []}', "did you mean 'defects'?"),
        ("a.json", b"{}", "no keys found, some of defects, links, switches, tracks expected"),
        ("a.json", b'{"defects": [[NaN, 1]]}', "'nan' found, a whole number expected"),
        ("a.json", b'{"tracks": [[1, 1, "E", -1]]}', "track -1 of a track found, 0 to 0 expected"),
        ("a.png", _png(np.zeros((6, 6), bool), 3), "a palette of 0 colours found"),
        ("a.png", GOOD[:-1], "damaged PNG"),
        ("a.png", _png(np.zeros((6, 6), bool)).replace(b"IHDR", b"JHDR"), "damaged PNG"),
        ("a.png", _file(2**31 - 1, 2**31 - 1, 0, b""), "a map of 2147483647x2147483647 elements found"),
        ("a.json", b'{"defects": [[1]]}', "must be a list of [row, column]"),
        ("a.json", b"[[0, 2]]", "0 (good) or 1 (defective) expected"),
        ("a.png", _png(np.zeros((6, 7), bool)), "a map of 6x7 elements found, 6x6 expected"),
        ("a.png", GOOD[:60], "damaged PNG"),
        ("a.png", b"GIF89a", "no PNG signature"),
        ("a.png", GOOD[:40] + b"\x00" + GOOD[41:], "damaged PNG"),
        ("a.json", b'{"links": [[1, 1]]}', "2 words for a link found, row, column, side expected"),
        ("a.json", b'{"links": [1]}', "'links' must be a list of [row, column, side]"),
        ("a.json", b'{"switches": [[1, 1, "E", 1]]}', "track 1 of a switch found, 0 to 0 expected"),
        ("a.csv", b"kind,row,column,side,track\nlink,1,1,N\n", "side 'N' of a link found, E or S expected"),
        ("a.csv", b"kind,row,column,side,track\nlinks,1,1,E\n", "'links'; did you mean 'link'?"),
        ("a.csv", b"kind,row,column,side,track\ntrack,5,1,E,0\n", "tracks do not go round"),
        ("a.csv", b"kind,row,column,side,track\nlink,6,1,E\n", "link (6, 1, E) found, rows 0 to 5"),
        ("a.bmp", b"", "unknown kind of defect file '.bmp'"),
    ],
)
def test_defect_files_that_do_not_fit_are_refused_in_one_line(tmp_path, name, data, message) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(JumpnetError) as said:
        from_file(WaferArray(4, 4), str(tmp_path / name))
    assert message in str(said.value) and "\n" not in str(said.value)


def test_files_of_every_format_name_the_same_breaks(tmp_path) -> None:
    array = WaferArray(4, 4, tracks=2)
    places: list[Break] = [("link", 1, 2, "E", 0), ("switch", 2, 2, "S", 1), ("track", 3, 1, "E", 0)]
    wanted = breaks_from(array, places)
    (tmp_path / "a.csv").write_text(
        "kind,row,column,side,track\nelement,0,5,,\nlink,1,2,E,\nswitch,2,2,s,1\ntrack,3,1,E,0\n"
    )
    data = {"defects": [[0, 5]], "links": [[1, 2, "E"]], "switches": [[2, 2, "S", 1]], "tracks": [[3, 1, "E", 0]]}
    (tmp_path / "a.json").write_text(json.dumps(data))
    for name in ("a.csv", "a.json"):
        bad, broken = from_file(array, str(tmp_path / name))
        assert np.argwhere(bad).tolist() == [[0, 5]] and broken is not None
        assert (broken.rows == wanted.rows).all() and (broken.columns == wanted.columns).all()
        assert broken.count == 4


@pytest.mark.parametrize(
    ("spec", "words", "message"),
    [
        ("rdt:8", {}, "none expected on a wafer"),
        ("hypercube:6", {}, "two-dimensional torus"),
        ("torus:4x4", {"sides": "NX"}, "some of the letters"),
        ("torus:4x4", {"spares": 9}, "0 to 4 expected"),
        ("torus:4x4", {"tracks": 0}, "1 to 16 expected"),
        ("torus:4x4", {"method": "grapf"}, "did you mean 'graph'"),
        ("torus:4x4", {"seed": 2**63}, "seed 9223372036854775808 found"),
        ("torus:4x4", {"seed": -1}, "seed -1 found"),
        ("torus:4x4", {"density": 1.5}, "less than 1 expected"),
        ("torus:4x4", {"pattern": "rnadom"}, "did you mean 'random'"),
    ],
)
def test_bad_words_are_refused(spec, words, message) -> None:
    with pytest.raises(JumpnetError, match=message.replace("(", r"\(")):
        reconfigure(spec, **words)


def test_more_spares_yield_more_and_exact_leads() -> None:
    found = {}
    for spares in (1, 2):
        array = WaferArray.around(10, 10, spares, tracks=2)
        for name in ("local", "graph", "exact"):
            found[spares, name] = wafer_yield(array, 0.09, 60, method=name).repaired
        bound = wafer_yield(array, 0.09, 60, method=BOUND).repaired
        assert max(found[spares, "local"], found[spares, "graph"]) <= found[spares, "exact"] <= bound
    assert found[1, "exact"] < found[2, "exact"] and found[1, "graph"] < found[2, "graph"]
    made = reconfigure("srt2d:16", method="exact", spares=2, tracks=2, density=0.08, seed=2)
    assert made.repaired and made.isomorphic


def test_big_arrays_with_more_spares_and_tracks() -> None:
    array = WaferArray(256, 256, 4, 4, 4, 4, 4)
    made = methods()["local"](array, random_defects(array, 0.01, 1))
    assert made.repaired and len(made.faults) > 600 and made.wires.longest > 1
    net = build("torus:256x256")
    assert on_wafer(net, made).configuration.verified
