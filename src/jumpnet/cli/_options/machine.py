"""Options of `jumpnet machine` as records: the protocol, the hardware, where pages and processes lie, time.

Each record checks its own options and turns them into arguments of `jumpnet.machine`. Used by `machine`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

from jumpnet.cli._options.shared import names_from
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.networks.kinds import ENDPOINTS
from jumpnet.coherence.without_effect import refuse_unused
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.files import read_text
from jumpnet.machine.place import METRICS
from jumpnet.machine.timed.design import cost_names, costs_of
from jumpnet.machine.timed.networks import LEAST
from jumpnet.machine.trace import SPACE_BITS

__all__ = ["Coherence", "Hardware", "Placing", "Timing", "TraceFormat", "TraceName", "number_lines"]

MAX_FILE_BYTES = 1 << 28
"""Of a list of pages."""
SEED = 1
TraceName = Annotated[
    str,
    typer.Argument(
        metavar="TRACE",
        help="Trace file (.parquet, .csv, .lackey, .din, .dinp), drmemtrace folder, or workload:NAME,key=value.",
    ),
]
TraceFormat = Annotated[str, typer.Option("--format", help="Trace format, if the ending of the file does not tell it.")]


def number_lines(path: str, columns: int, what: str) -> list[list[int]]:
    """Lines of so many whole numbers (hexadecimal after 0x); `#` starts a comment.

    Raises JumpnetError, with file and line, for anything else; `what` says what was expected.
    """
    text = read_text(path, MAX_FILE_BYTES, f"lines of {what} expected", "ascii")
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        try:
            row = [int(word, 0) for word in words]
        except ValueError:
            row = []
        if words and (len(row) != columns or min(row) < 0 or max(row) >= 1 << SPACE_BITS):
            raise JumpnetError(f"{path}:{number}: {line.strip()[:40]!r} found, {what} expected")
        rows += [row] if words else []
    return rows


def _bytes(what: str, text: str) -> int:
    """A number of bytes with K or M after it, or neither."""
    found = re.fullmatch(r"([0-9]{1,12})([KM]?)", text)
    if found is None:
        raise JumpnetError(f"{what} {text!r} found, a number of bytes such as 64 or 4K expected")
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found[2]]


def _cache_size(text: str) -> tuple[int, int] | None:
    """`infinite`, or `SIZE,WAYS` with K or M after the size."""
    if text == "infinite":
        return None
    found = re.fullmatch(r"([0-9]{1,12}[KM]?),([0-9]{1,6})", text)
    if found is None:
        raise JumpnetError(f"caches {text!r} found, infinite or SIZE,WAYS such as 16K,4 expected")
    return _bytes("caches", found[1]), int(found[2])


def _stages(text: str) -> tuple[int, int] | None:
    """Entries of the two translation stages."""
    found = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6})", text)
    if text and found is None:
        raise JumpnetError(f"translation {text!r} found, entries of two stages such as 64,1024 expected")
    return (int(found[1]), int(found[2])) if found else None


@dataclass(frozen=True)
class Coherence:
    """Who learns of which reference: protocol and directory."""

    protocol: Annotated[
        str,
        typer.Option("--protocol", help="Protocol: invalidate (msi), mesi, moesi, update, mixed, dragon, or your own."),
    ] = "invalidate"
    update_pages: Annotated[
        str, typer.Option("--update-pages", help="For mixed: file with the numbers of the pages in update mode.")
    ] = ""
    pages: Annotated[
        str,
        typer.Option(
            "--pages",
            help="For mixed: measured (or measured-multicast): update mode for pages where that takes fewer packets.",
        ),
    ] = ""
    directory: Annotated[
        str, typer.Option("--directory", help="Directory with an entry for each page, or for each line.")
    ] = "page"
    page_entry: Annotated[
        str,
        typer.Option("--page-entry", help="A page's entry lists: never_cleared (who touched it) or valid_holders."),
    ] = "never_cleared"
    encoding_name: Annotated[
        str,
        typer.Option(
            "--encoding",
            help="With --network: full-map (if left out), SM, LPRA, LARP, chained, ...",
            autocompletion=names_from("jumpnet.coherence.encoding", "encodings"),
        ),
    ] = ""
    hints: Annotated[bool, typer.Option("--hints", help="The home is notified when a clean copy is evicted.")] = False
    exclusive: Annotated[
        bool, typer.Option("--exclusive", help="A sole reader may write without a request, as in MESI.")
    ] = False

    def __post_init__(self) -> None:
        if self.update_pages and self.pages:
            given = f"--pages {self.pages} and --update-pages {self.update_pages}"
            raise JumpnetError(f"{given} found, one of them expected")

    @property
    def entry(self) -> str:
        """What a page's entry lists, as the machine spells it."""
        return self.page_entry.replace("-", "_")

    @property
    def encoding(self) -> str:
        """The encoding as it is registered, `full_map` for `full-map`; a full map where none is named."""
        name = self.encoding_name or "full_map"
        return name.replace("-", "_") if name.replace("-", "_") in encodings() else name

    def settings(self) -> dict[str, Any]:
        """Arguments of the machine. Reads the file of pages."""
        found: dict[str, Any] = {
            "hints": self.hints, "exclusive": self.exclusive, "directory": self.directory, "protocol": self.protocol,
            "page_entry": self.entry,
        }  # fmt: skip
        if self.update_pages:
            found["update_pages"] = [row[0] for row in number_lines(self.update_pages, 1, "a page number")]
        return found


@dataclass(frozen=True)
class Hardware:
    """What the machine is built of."""

    clusters_of: Annotated[
        int, typer.Option("--clusters-of", help="Processors of a cluster; clusters are then the nodes.")
    ] = 1
    caches: Annotated[
        str, typer.Option("--caches", help="Caches: infinite, or bytes and ways of each processor, e.g. 16K,4.")
    ] = "infinite"
    translation: Annotated[
        str, typer.Option("--translation", help="Entries of the two translation stages, e.g. 64,1024.")
    ] = ""
    pruning: Annotated[
        int, typer.Option("--pruning", help="Entries of each home's pruning cache (page directory).")
    ] = 0
    network: Annotated[
        str,
        typer.Option("--network", help="Network of the machine, e.g. rdt:16; without one receivers are not counted."),
    ] = ""
    processors: Annotated[
        int | None, typer.Option("--processors", help="Number of processors, if the trace does not tell it.")
    ] = None
    line_bytes: Annotated[str, typer.Option("--line-bytes", help="Bytes of a cache line.")] = "32"
    page_bytes: Annotated[str, typer.Option("--page-bytes", help="Bytes of a page, e.g. 4096 or 4K.")] = "4096"

    def settings(self) -> dict[str, Any]:
        """Arguments of the machine, but for its network and the numbers of processors."""
        return {
            "caches": _cache_size(self.caches), "translation": _stages(self.translation), "pruning": self.pruning,
            "line_bytes": _bytes("--line-bytes", self.line_bytes),
            "page_bytes": _bytes("--page-bytes", self.page_bytes),
        }  # fmt: skip


@dataclass(frozen=True)
class Placing:
    """Where pages have their homes, and where processes run."""

    placement: Annotated[
        str, typer.Option("--placement", help="Home of a page: first-touch, round-robin or interleaved.")
    ] = "first-touch"
    place_by: Annotated[
        str, typer.Option("--place", help="Place processes that share data near each other: hops, territory, or best.")
    ] = ""
    seed: Annotated[int, typer.Option("--seed", help="With --place: seed of its search.")] = SEED
    homes: Annotated[
        str,
        typer.Option(
            "--homes", help="File with the home of pages, one line PAGE NODE each; first touch for the others."
        ),
    ] = ""

    def check(self, hardware: Hardware) -> None:
        """Raise JumpnetError for an option that would change nothing without another one."""
        refuse_unused(
            (self.place_by, "--place", hardware.network, "--network"),
            (self.seed != SEED, f"--seed {self.seed}", self.place_by, "--place"),
            (self.homes, "--homes", self.placement == "first-touch", "--placement first-touch"),
        )
        if self.place_by not in ("", *METRICS, "best"):
            raise unknown_name("placement of processes", self.place_by, (*METRICS, "best"))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Metrics by which processes are placed."""
        return METRICS if self.place_by == "best" else (self.place_by,)

    def settings(self) -> dict[str, Any]:
        """Arguments of the machine. Reads the file of homes."""
        if not self.homes:
            return {"placement": self.placement}
        return {"placement": "given", "homes": {row[0]: row[1] for row in number_lines(self.homes, 2, "PAGE NODE")}}


@dataclass(frozen=True)
class Timing:
    """What only a machine with time has."""

    timed: Annotated[
        bool, typer.Option("--timed", help="Add time: cycles and stalls, with the messages in the simulator.")
    ] = False
    multicast: Annotated[
        bool, typer.Option("--multicast", help="With --timed: messages to many nodes down the encoding's tree.")
    ] = False
    branches: Annotated[
        str,
        typer.Option(
            "--branches", help="With --multicast: packets (a tree of them), or routers (one packet that routers copy)."
        ),
    ] = "packets"
    acknowledges: Annotated[
        str,
        typer.Option(
            "--acknowledges", help="With --timed: single, counted (by the home's router), or combined (in the tree)."
        ),
    ] = "single"
    combining_entries: Annotated[
        int | None,
        typer.Option(
            "--combining-entries",
            help="With --branches routers and combined acknowledges: combining buffers of a router, 4 if left out.",
        ),
    ] = None
    outstanding: Annotated[
        int,
        typer.Option(
            "--outstanding",
            help="With --timed: requests that a processor may have open; writes are buffered from 2 on.",
        ),
    ] = 1
    locks: Annotated[
        str,
        typer.Option(
            "--locks",
            help="With --timed: locks and barriers by message or free of messages; line: barriers of all by the "
            "barrier line.",
        ),
    ] = "message"
    memory_processors: Annotated[
        int,
        typer.Option("--memory-processors", help="With --timed: memory-based processors of a cluster; JUMP-1 has 2."),
    ] = 1
    migrate: Annotated[
        int,
        typer.Option(
            "--migrate",
            help="With --timed: a page moves to a node that makes this many requests more than its home; 0: never.",
        ),
    ] = 0
    networks: Annotated[
        str,
        typer.Option(
            "--networks",
            help="With --timed: virtual networks: a number, least, or the messages of each ('GetS GetM / Data ...').",
            autocompletion=lambda: [LEAST],
        ),
    ] = ""
    endpoints: Annotated[
        str,
        typer.Option(
            "--endpoints",
            help="With --endpoint-room or a number of --networks: what messages wait for: held, reserved or queued.",
            autocompletion=lambda: list(ENDPOINTS),
        ),
    ] = "held"
    endpoint_room: Annotated[
        int,
        typer.Option(
            "--endpoint-room",
            help="With --timed: messages of each virtual network that a node has room for, received or to send; 0: no "
            "limit.",
        ),
    ] = 0
    cost: Annotated[
        list[str] | None,
        typer.Option(
            "--cost",
            help="With --timed: cycles of a part, as bus-line=8, or of the handler of a kind of message, as data=6; "
            "may be repeated.",
            autocompletion=lambda: list(cost_names()),
        ),
    ] = None

    def check(self, coherence: Coherence, hardware: Hardware, placing: Placing) -> None:
        """Raise JumpnetError for options without `--timed`, and for `--timed` with what has no time."""
        given = {each.name for each in fields(self) if getattr(self, each.name) != each.default} - {"timed"}
        refuse_unused(*((True, f"--{name.replace('_', '-')}", self.timed, "--timed") for name in sorted(given)))
        if self.timed and (not hardware.network or placing.place_by):
            raise JumpnetError(f"--timed found {'with --place' if placing.place_by else 'without --network'}")
        if self.timed and coherence.exclusive:
            raise JumpnetError("--timed with --exclusive found, --protocol mesi expected for readers that need not ask")

    def design(self, encoding: str) -> dict[str, Any]:
        """Arguments of the machine with time, whose multicasts go down the tree of this encoding."""
        return {
            "encoding_name": encoding, "multicast": encoding * self.multicast, "acknowledges": self.acknowledges,
            "outstanding": self.outstanding, "synchronisation": self.locks, "branches": self.branches,
            "memory_processors": self.memory_processors, "migrates": self.migrate,
            "combining_entries": self.combining_entries, "costs": costs_of(self.cost or ()),
            "networks": self.networks, "endpoints": self.endpoints, "endpoint_room": self.endpoint_room,
        }  # fmt: skip
