"""Every reader of files from outside, with samples of what it reads. The mutator attacks all that stand here.

`READERS` gives a name, what a good file is, and a function that reads a file as far as a command would. Trace formats
are found in their registry; a sample for a new one is made where `SAMPLES` knows its ending.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import os
import signal
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import jumpnet
from jumpnet.analysis.deadlock.certificates.check import check_certificate
from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.walks.checkpoint import ProofCheckpoint
from jumpnet.cli._options.machine import number_lines
from jumpnet.coherence.functional import Functional
from jumpnet.fault.array import WaferArray
from jumpnet.fault.defects import from_file
from jumpnet.machine.dependence_file import read_dependent
from jumpnet.machine.trace import formats, open_trace
from jumpnet.machine.trace.netrace import HEADER, PACKET, open_netrace, packet_list
from jumpnet.routings import bind
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.result.point_cache import recall
from jumpnet.sim.simulate import simulate
from jumpnet.study.booksim.run import configuration
from jumpnet.study.point import resolve
from jumpnet.study.repair import repair
from jumpnet.study.results import open_plan
from jumpnet.study.store import Store
from jumpnet.topology import build
from jumpnet.topology import file as network_files
from jumpnet.traffic import read_packets

EXAMPLES = network_files.EXAMPLES
FORM_OF = {"anynet": "example.anynet", "edgelist": "example.edgelist", "graphml": "example.graphml"}


NETWORK = ("topology._linkfile", "topology.file")


class Reader(NamedTuple):
    """A reader of files."""

    file: str
    """Name of the file."""
    samples: Callable[[], list[bytes]]
    """Good files."""
    read: Callable[[Path], object]
    """Raises JumpnetError for a bad one."""
    modules: tuple[str, ...]
    """Modules of the package that open the file."""
    packing: str = "none"
    """How its bytes are packed: what lies inside is spoiled as well."""


def _network(path: Path) -> object:
    return jumpnet.network(f"file:{path}").metrics()


def _trace(name: str) -> Callable[[Path], object]:
    def read(path: Path) -> object:
        trace = open_trace(path, name)
        engine = Functional(min(trace.processors or 4, 64), directory="line", collect=True)
        for block in trace.blocks():
            inside = block.proc < engine.processors
            engine.feed(*(column[inside] for column in block))
        return engine.references

    return read


def _defects(path: Path) -> object:
    return from_file(WaferArray(4, 4), str(path))


def _netrace(path: Path) -> object:
    return packet_list(open_netrace(path), 64)


def _study(path: Path) -> object:
    plan = open_plan(path)
    return [resolve(dict(curve.point), 0.1) for curve in plan.curves[:3]]


def _store(path: Path) -> object:
    """Read and used; whatever comes of it, repaired."""
    try:
        _use(path)
    finally:
        repair(path)
    return path.stat()


def _use(path: Path) -> None:
    with Store(path) as store:
        for row in store.rows():
            store.figures([row.hash])
            assert row.result == {"latency": 1.5, "histogram": [1] * 300} and row.config and row.provenance
        store.claim("b" * 32)
        store.meaning("settings", "sources")


RUN: dict[str, Any] = {"load": 0.2, "warmup_cycles": 100, "measure_cycles": 100, "batch_cycles": 50}


def _checkpoint(path: Path) -> object:
    return simulate("torus:4x4", checkpoint=Checkpoint(path, 1e9), **RUN)


def _remembered(path: Path) -> object:
    found = recall(path.parent, path.stem)
    assert found is None or found.figures["accepted_load"] == 0.25
    return found


def _sample_store() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        with Store(Path(folder) / "s") as store:
            for name in ("a" * 32, "c" * 32):
                store.finish(name, {"load": 0.1}, {"latency": 1.5, "histogram": [1] * 300}, {"seed": 1})
            store.keep_meanings({"settings": "{}"}, "sources")
        with sqlite3.connect(Path(folder) / "s") as db:
            db.execute("INSERT INTO claims VALUES ('bb', 'far:1:2', 5.0)")
        db.close()
        return [(Path(folder) / "s").read_bytes()]


def _sample_checkpoint() -> list[bytes]:
    from jumpnet.sim.measure import checkpoint

    kept: list[bytes] = []
    whole = checkpoint.keep_arrays

    def write(path: Path, arrays: dict[str, Any], key: bytes) -> None:
        whole(path, arrays, key)
        kept.append(path.read_bytes())

    checkpoint.keep_arrays = write
    try:
        with tempfile.TemporaryDirectory() as folder:
            simulate("torus:4x4", checkpoint=Checkpoint(Path(folder) / "c", 0.0), **RUN)
    finally:
        checkpoint.keep_arrays = whole
    return kept[:1]


def _kept_proof(path: Path) -> object:
    return dependencies(bind("lash", build("torus:4")), checkpoint=ProofCheckpoint(path, 1e9))


def _sample_kept_proof() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        dependencies(bind("lash", build("torus:4")), checkpoint=ProofCheckpoint(Path(folder) / "p", 0.0))
        return [(Path(folder) / "p").read_bytes()]


def _sample_remembered() -> list[bytes]:
    from jumpnet.sim.config import SimConfig
    from jumpnet.sim.result import Point
    from jumpnet.sim.result.point_cache import remember

    with tempfile.TemporaryDirectory() as folder:
        figures = {"accepted_load": 0.25, "saturated": False}
        remember(Path(folder), "p", Point("torus:4", "torus.dateline", SimConfig(), figures))
        return [(Path(folder) / "p.json").read_bytes()]


def _sample_netrace() -> list[bytes]:
    cycles = range(40)
    packets = b"".join(
        PACKET.pack(k, k, 64 * k, 1, k % 16, k * 7 % 16, 0, k % 3) + b"\1\0\0\0" * (k % 3) for k in cycles
    )
    head = HEADER.pack(0x484A5455, 1.0, b"sample", 16, 0, 40, 40, 5, 1)
    return [bz2.compress(head + b"notes" + struct.pack("<QQQ", 0, 40, 40) + packets)]


@cache
def _certificates() -> list[bytes]:
    kept = []
    for name, spec in (("torus.dateline", "torus:3"), ("torus.duato", "torus:3"), ("torus.bubble", "torus:4")):
        bound = bind(name, build(spec))
        with tempfile.TemporaryDirectory() as folder:
            write_certificate(Path(folder) / "c", bound, prove(bound))
            kept.append((Path(folder) / "c").read_bytes())
    return kept


def _drmemtrace() -> bytes:
    rows = [(25, 0, 6), *((28, 2, k // 4) if k % 4 == 0 else (k % 2, 8, 64 * k) for k in range(60))]
    return np.array(rows, np.dtype([("type", "<u2"), ("size", "<u2"), ("value", "<u8")])).tobytes()


def _parquet() -> list[bytes]:
    import pyarrow
    import pyarrow.parquet

    n = np.arange(50)
    columns = {"seq": n, "proc": n % 4, "address": n * 64, "size": n * 0 + 4, "is_write": n % 2 == 0, "kind": n * 0}
    table = pyarrow.table(columns).replace_schema_metadata({"memcap": json.dumps({"processors": 4})})
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file, row_group_size=20)
    return [file.getvalue()]


def _dependent_parquet() -> list[bytes]:
    import pyarrow
    import pyarrow.parquet

    n = list(range(30))
    columns = {"id": n, "cycle": n, "source": [k % 16 for k in n], "destination": [k * 7 % 16 for k in n],
               "flits": [1 + k % 4 for k in n], "after": [list(range(max(0, k - 2), k)) for k in n]}  # fmt: skip
    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), file, row_group_size=10)
    return [file.getvalue()]


def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("chunk.0000", _drmemtrace())
    return file.getvalue()


def _png() -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes([0, 255, 255, 0, 255, 255]) for _ in range(6))
    head = struct.pack(">IIBBBBB", 6, 6, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


STUDY = b"""[study]
name = "s"
[settings]
preset = "booksim"
[[sweep]]
network = ["torus:4x4", "mesh:4x4"]
routing = ["torus.dateline", "mesh.dimension_order"]
zip = [["network", "routing"]]
vcs = [2, 4]
packet_flits = "1*0.8+5*0.2"
reply_flits = "$vcs"
injection = "onoff:alpha=0.1,beta=0.1"
load = { adaptive = true, points = 3, grid = [0.1, 0.2] }
"""
BOOKSIM = b"""// a torus
topology = torus; k = 4; n = 2;
routing_function = dim_order; num_vcs = 4; vc_buf_size = 8;
traffic = uniform; injection_rate = 0.15; packet_size = {1,5};
packet_size_rate = {3,1}; sim_type = latency; seed = 7;
"""

SAMPLES: dict[str, Callable[[], list[bytes]]] = {
    ".lackey": lambda: [b"==1== x\n L 1000,8\n S 1008,4\n M 7fff0,8\nI  400,3\n" * 4],
    ".din": lambda: [b"0 1000\n1 1008\n2 400 comment\n" * 5],
    ".dinp": lambda: [b"0 1000 0\n1 1008 3\n2 400 1 comment\n" * 5],
    ".csv": lambda: [b"proc,address,is_write,size\n0,64,0,8\n3,0x1008,True,4\n1,7,false,1\n"],
    ".trace.gz": lambda: [gzip.compress(_drmemtrace(), mtime=0)],
    ".trace.zip": lambda: [_zip()],
    ".parquet": _parquet,
}
"""Good traces by the ending of their format."""
PACKINGS = {".trace.gz": "gzip", ".trace.zip": "zip"}


@cache
def readers() -> dict[str, Reader]:
    """Every reader by name."""
    found = {
        f"network {name}": Reader(f"n.{name}", lambda name=name: [(EXAMPLES / FORM_OF[name]).read_bytes()], _network,
                                  NETWORK)
        for name in FORM_OF
    }  # fmt: skip
    matrix = b",a,b,c\na,0,1,2\nb,1,0,1.0\nc,2,1,\n"
    found |= {
        "network matrix": Reader("n.csv", lambda: [matrix, b"0,1\n1,0\n"], _network, NETWORK),
        "study": Reader("s.toml", lambda: [STUDY], _study, ("study.plan",)),
        "store": Reader("s.sqlite", _sample_store, _store, ("study.store", "study.repair", "study.schema")),
        "checkpoint": Reader("c.npz", _sample_checkpoint, _checkpoint, ("_seal", "sim.checkpoint")),
        "kept proof": Reader("p.npz", _sample_kept_proof, _kept_proof, ("_seal", "analysis.deadlock.walks.checkpoint")),
        "remembered point": Reader("p.json", _sample_remembered, _remembered, ("sim.result.point_cache",)),
        "dependent packets": Reader(
            "d.csv", lambda: [b"id,cycle,source,destination,flits,after\n1,0,0,3,4,\n2,5,3,0,1,1 # x\n3,5,3,9,1,1 2\n"],
            read_dependent, ("machine.dependence_file",),
        ),
        "dependent packets in Parquet": Reader(
            "d.parquet", _dependent_parquet, read_dependent, ("machine.dependence_file", "machine.parquet_size")
        ),
        "packets": Reader("p.csv", lambda: [b"cycle,source,destination,flits\n1,2,3,4\n5 6 7 8 # x\n"],
                          lambda path: read_packets(path, 16), ("traffic._trace",)),
        "booksim": Reader("b.cfg", lambda: [BOOKSIM], lambda path: configuration(path, {}), ("study.booksim.run",)),
        "pages": Reader("h.txt", lambda: [b"0x10 2\n17 3 # a page\n"],
                        lambda path: number_lines(str(path), 2, "PAGE NODE"), ("cli._options.machine",)),
        "certificate": Reader("c.cert", _certificates, check_certificate, ("analysis.deadlock.certificates.check",)),
        "packed certificate": Reader(
            "c.cert.gz", lambda: [gzip.compress(text, mtime=0) for text in _certificates()], check_certificate,
            ("analysis.deadlock.certificates.check",), "gzip",
        ),
        "netrace": Reader("n.tra.bz2", _sample_netrace, _netrace, ("machine.trace.netrace",), "bz2"),
    }  # fmt: skip
    maps = {
        ".csv": [b"row,column\n1,2\n3,3\n", b"kind,row,column,side,track\nlink,1,2,E\n", b"0,1,0,0,0,0\n" * 6],
        ".json": [b'{"defects": [[1, 2]], "links": [[1, 1, "E"]]}', b"[" + b",".join([b"[0,1,0,0,0,0]"] * 6) + b"]"],
        ".png": [_png()],
    }
    for ending, good in maps.items():
        found[f"defects {ending}"] = Reader(
            f"d{ending}",
            lambda good=good: good,
            lambda path: from_file(WaferArray(4, 4), str(path)),
            ("fault.defects",),
        )
    for name, trace_format in formats().items():
        for ending in trace_format.endings:
            module = f"machine.trace.{trace_format.open.__module__.rpartition('.')[2]}"
            modules = (module, "machine.trace.__init__")
            found[f"trace {name} {ending}"] = Reader(
                f"t{ending}", SAMPLES[ending], _trace(name), modules, PACKINGS.get(ending, "none")
            )
    return found


def _dies() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


SABOTAGE = {
    "dies": Reader("x.txt", lambda: [b"good"], lambda path: path.read_bytes() == b"good" or _dies(), ()),
    "fails": Reader("x.txt", lambda: [b"good"], lambda path: 1 // (path.read_bytes() == b"good"), ()),
    "takes": Reader("x.txt", lambda: [b"good"], lambda path: bytearray((path.read_bytes() != b"good") << 32), ()),
    "warns": Reader("x.txt", lambda: [b"good"], lambda path: np.log(np.float64(path.read_bytes() == b"good")), ()),
    "refuses what is good": Reader("x.txt", lambda: [b"good"], lambda path: read_packets(path, 1), ()),
}
"""Readers that fall: the mutator must see it."""
