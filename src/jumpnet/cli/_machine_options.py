"""Options of `jumpnet machine` as records: the protocol, the hardware, where pages and processes lie, time.

Each record checks its own options and turns them into arguments of `jumpnet.machine`. Used by `machine`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from jumpnet.cli._options import names_from
from jumpnet.coherence.encoding import encodings
from jumpnet.coherence.functional import tables_named
from jumpnet.coherence.networks.kinds import ENDPOINTS
from jumpnet.errors import JumpnetError
from jumpnet.files import read_text
from jumpnet.machine.timed.design import cost_names, costs_of, fetches_lines
from jumpnet.machine.timed.networks import LEAST
from jumpnet.machine.trace import SPACE_BITS

__all__ = ["Coherence", "Hardware", "Placing", "Timing", "TraceFormat", "TraceName", "number_lines"]

MAX_FILE_BYTES = 1 << 28
"""Of a list of pages."""
SEED = 1
SHARING = ("invalidate", "msi", "mixed")
"""Protocols under which a sole reader sends a request before it writes, without `--exclusive`."""

TraceName = Annotated[
    str,
    typer.Argument(
        metavar="TRACE",
        help="Trace file (.parquet, .lackey, .din, .dinp), drmemtrace folder, or workload:NAME,key=value.",
    ),
]
TraceFormat = Annotated[str, typer.Option("--format", help="Trace format, where the file's ending does not say it.")]


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


def _cache_size(text: str) -> tuple[int, int] | None:
    """`infinite`, or `SIZE,WAYS` with K or M after the size."""
    if text == "infinite":
        return None
    found = re.fullmatch(r"([0-9]{1,12})([KM]?),([0-9]{1,6})", text)
    if found is None:
        raise JumpnetError(f"caches {text!r} found, infinite or SIZE,WAYS such as 16K,4 expected")
    return int(found[1]) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found[2]], int(found[3])


def _stages(text: str) -> tuple[int, int] | None:
    """Entries of the two translation stages."""
    found = re.fullmatch(r"([0-9]{1,6}),([0-9]{1,6})", text)
    if text and found is None:
        raise JumpnetError(f"translation {text!r} found, entries of two stages such as 64,1024 expected")
    return (int(found[1]), int(found[2])) if found else None


def _refuse(*unused: tuple[object, str, str]) -> None:
    """Raise JumpnetError for the first option (whether it was given, what, what it needs) that would change nothing."""
    for given, what, needed in unused:
        if given:
            raise JumpnetError(f"{what} found without {needed}")


@dataclass(frozen=True)
class Coherence:
    """Who learns of which reference: protocol and directory."""

    protocol: Annotated[
        str,
        typer.Option("--protocol", help="Protocol: invalidate (msi), mesi, moesi, update, mixed, dragon, or your own."),
    ] = "invalidate"
    update_pages: Annotated[
        str, typer.Option("--update-pages", help="For mixed: file of the numbers of the pages in update mode.")
    ] = ""
    pages: Annotated[
        str,
        typer.Option(
            "--pages",
            help="For mixed: measured (or measured-multicast), by update the pages where that takes fewer packets.",
        ),
    ] = ""
    directory: Annotated[str, typer.Option("--directory", help="Directory: an entry for each page, or line.")] = "page"
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
        str, typer.Option("--network", help="Network that messages go through, e.g. rdt:16; needed for receivers.")
    ] = ""
    processors: Annotated[
        int | None, typer.Option("--processors", help="Processors, where the trace does not say it.")
    ] = None
    line_bytes: Annotated[int, typer.Option("--line-bytes", help="Bytes of a cache line.")] = 32
    page_bytes: Annotated[int, typer.Option("--page-bytes", help="Bytes of a page.")] = 4096

    def settings(self) -> dict[str, Any]:
        """Arguments of the machine, but for its network and the numbers of processors."""
        return {
            "caches": _cache_size(self.caches), "translation": _stages(self.translation), "pruning": self.pruning,
            "line_bytes": self.line_bytes, "page_bytes": self.page_bytes,
        }  # fmt: skip

    def check(self, coherence: Coherence) -> None:
        """Raise JumpnetError for options of the protocol and of the hardware that change nothing together."""
        by_page, name = coherence.directory == "page", coherence.encoding_name
        _refuse(
            (name and not self.network, f"--encoding {name}", "--network"),
            (self.pruning and not by_page, f"--pruning {self.pruning}", "--directory page"),
            (coherence.entry != "never_cleared" and not by_page, "--page-entry", "--directory page"),
            (coherence.hints and self.caches == "infinite", "--hints", "--caches of limited size"),
            (
                coherence.hints and not tables_named(coherence.protocol).gives_up(in_silence=True),
                "--hints",
                f"copies that protocol {coherence.protocol} gives up in silence",
            ),
            (
                coherence.exclusive and coherence.protocol not in SHARING,
                "--exclusive",
                "--protocol invalidate or mixed",
            ),
            (coherence.update_pages and coherence.protocol != "mixed", "--update-pages", "--protocol mixed"),
        )


@dataclass(frozen=True)
class Placing:
    """Where pages have their homes, and where processes run."""

    placement: Annotated[
        str, typer.Option("--placement", help="Home of a page: first-touch, round-robin or interleaved.")
    ] = "first-touch"
    place_by: Annotated[
        str, typer.Option("--place", help="Put sharers near each other: by hops, by territory, or best.")
    ] = ""
    seed: Annotated[int, typer.Option("--seed", help="With --place: the seed.")] = SEED
    homes: Annotated[
        str, typer.Option("--homes", help="File of lines PAGE NODE: the homes, first touch for the rest.")
    ] = ""

    def check(self) -> None:
        """Raise JumpnetError for an option that would change nothing without another one."""
        _refuse(
            (self.seed != SEED and not self.place_by, f"--seed {self.seed}", "--place"),
            (self.homes and self.placement != "first-touch", "--homes", "--placement first-touch"),
        )

    def settings(self) -> dict[str, Any]:
        """Arguments of the machine. Reads the file of homes."""
        if not self.homes:
            return {"placement": self.placement}
        return {"placement": "given", "homes": {row[0]: row[1] for row in number_lines(self.homes, 2, "PAGE NODE")}}


@dataclass(frozen=True)
class Timing:
    """What only a machine with time has."""

    timed: Annotated[bool, typer.Option("--timed", help="With time: cycles and stalls, messages in the simulator.")] = (
        False
    )
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
            "--outstanding", help="With --timed: requests of a processor at once; from 2 writes are buffered."
        ),
    ] = 1
    locks: Annotated[
        str,
        typer.Option(
            "--locks",
            help="With --timed: locks and barriers by message, or free; line: barriers of all by the barrier line.",
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
            help="With --timed: a page moves to a node with so many requests more than its home's; 0: never.",
        ),
    ] = 0
    networks: Annotated[
        str,
        typer.Option(
            "--networks",
            help="With --timed: virtual networks, a number, least, or who shares one ('GetS GetM / Data ...').",
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
            help="With --timed: messages of each virtual network that a node has room for, come or to be sent; 0: any.",
        ),
    ] = 0
    cost: Annotated[
        list[str] | None,
        typer.Option(
            "--cost",
            help="With --timed: NAME=CYCLES of a part, as bus-line=8, or of the handler of a kind of message, as "
            "data=6.",
            autocompletion=lambda: list(cost_names()),
        ),
    ] = None

    def check(self, coherence: Coherence, hardware: Hardware, placing: Placing) -> None:
        """Raise JumpnetError for options without `--timed`, or without the others that they need."""
        inside, entries = self.branches != "packets", self.combining_entries
        given = {
            "multicast": self.multicast, "acknowledges": self.acknowledges != "single",
            "outstanding": self.outstanding != 1, "locks": self.locks != "message",
            "memory-processors": self.memory_processors != 1, "migrate": self.migrate != 0, "cost": bool(self.cost),
            "branches": inside, "combining-entries": entries is not None, "networks": bool(self.networks),
            "endpoint-room": self.endpoint_room != 0,
        }  # fmt: skip
        combined = inside and self.acknowledges == "combined"
        numbered = self.networks == LEAST or self.networks.isdecimal()
        _refuse(
            *((is_given and not self.timed, f"--{name}", "--timed") for name, is_given in given.items()),
            (inside and not self.multicast, f"--branches {self.branches}", "--multicast"),
            (
                self.endpoints != "held" and not self.endpoint_room and not numbered,
                f"--endpoints {self.endpoints}",
                "--endpoint-room or a number of --networks",
            ),
            (
                entries is not None and not combined,
                f"--combining-entries {entries}",
                "--branches routers --acknowledges combined",
            ),
        )
        if self.timed and (not hardware.network or placing.place_by):
            raise JumpnetError(f"--timed found {'with --place' if placing.place_by else 'without --network'}")
        if self.timed and coherence.exclusive:
            raise JumpnetError("--timed with --exclusive found, --protocol mesi expected for readers that need not ask")
        self._check_costs(coherence, hardware)

    def _check_costs(self, coherence: Coherence, hardware: Hardware) -> None:
        """Raise JumpnetError for costs of what this machine does not do."""
        if not self.cost:
            return
        one, two = _stages(hardware.translation) or (0, 0)
        limited, anew = hardware.caches != "infinite", self.multicast and coherence.encoding == "REMAKE"
        heard = coherence.hints or tables_named(coherence.protocol).gives_up(in_silence=False)
        # Packets branch at their nodes; where routers branch them, arrivals at a barrier that are combined still do.
        by_nodes = self.branches == "packets" or (self.acknowledges == "combined" and self.locks != "free")
        forward = "--branches packets, or combined acknowledges and no --locks free" * self.multicast or "--multicast"
        needs = {
            "stage-1": (one, "a first stage in --translation"), "stage-2": (two, "a second stage in --translation"),
            "barrier-line": (self.locks == "line", "--locks line"), "sync": (self.locks == "free", "--locks free"),
            "forward": (self.multicast and by_nodes, forward), "remake": (anew, "--multicast --encoding REMAKE"),
            "page": (self.migrate, "--migrate"), "spacing": (not self.multicast, "messages one after another"),
            **dict.fromkeys(
                ("fetch", "owners-data"),
                (fetches_lines(coherence.protocol), "a protocol whose copies may be dirty beside readers"),
            ),
            **dict.fromkeys(
                ("write-back", "write-back-done"),
                (limited and heard, "--caches of limited size and dirty copies or --hints"),
            ),
            **dict.fromkeys(
                ("lock", "grant", "unlock", "barrier", "release"), (self.locks != "free", "--locks message or line")
            ),
        }  # fmt: skip
        named = [word.partition("=")[0] for word in self.cost]
        _refuse(*((not needs[name][0], f"--cost {name}", needs[name][1]) for name in named if name in needs))

    def design(self, encoding: str) -> dict[str, Any]:
        """Arguments of the machine with time, whose multicasts go down the tree of this encoding."""
        return {
            "encoding_name": encoding, "multicast": encoding * self.multicast, "acknowledges": self.acknowledges,
            "outstanding": self.outstanding, "synchronisation": self.locks, "branches": self.branches,
            "memory_processors": self.memory_processors, "migrates": self.migrate,
            "combining_entries": self.combining_entries, "costs": costs_of(self.cost or ()),
            "networks": self.networks, "endpoints": self.endpoints, "endpoint_room": self.endpoint_room,
        }  # fmt: skip
