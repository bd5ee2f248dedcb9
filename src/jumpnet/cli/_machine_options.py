"""Options of `jumpnet machine`: the trace, the machine, where things lie, and time. Used by `machine`."""

from __future__ import annotations

from typing import Annotated

import typer

from jumpnet.cli._options import names_from
from jumpnet.machine.timed.design import cost_names

__all__ = [
    "Acknowledges", "Branches", "Caches", "ClustersOf", "CombiningEntries", "Cost", "Directory", "Encoding",
    "Exclusive", "Hints", "Homes", "LineBytes", "Locks", "MemoryProcessors", "Migrate", "Multicast", "Network",
    "Outstanding", "PageBytes", "PageEntry", "Pages", "PlaceBy", "Placement", "Processors", "Protocol", "Pruning",
    "Seed", "Timed", "TraceFormat", "TraceName", "Translation", "UpdatePages",
]  # fmt: skip

TraceName = Annotated[
    str,
    typer.Argument(
        metavar="TRACE",
        help="Trace file (.parquet, .lackey, .din, .dinp), drmemtrace folder, or workload:NAME,key=value.",
    ),
]
TraceFormat = Annotated[str, typer.Option("--format", help="Trace format, where the file's ending does not say it.")]
Protocol = Annotated[
    str, typer.Option("--protocol", help="Protocol: invalidate (msi), mesi, moesi, update, mixed, dragon, or your own.")
]
UpdatePages = Annotated[
    str, typer.Option("--update-pages", help="For mixed: file of the numbers of the pages in update mode.")
]
Pages = Annotated[
    str,
    typer.Option(
        "--pages",
        help="For mixed: measured (or measured-multicast), by update the pages where that takes fewer packets.",
    ),
]
Directory = Annotated[str, typer.Option("--directory", help="Directory: an entry for each page, or line.")]
PageEntry = Annotated[
    str, typer.Option("--page-entry", help="A page's entry lists: never_cleared (who touched it) or valid_holders.")
]
Encoding = Annotated[
    str,
    typer.Option(
        "--encoding",
        help="With --network: full-map (if left out), SM, LPRA, LARP, chained, ...",
        autocompletion=names_from("jumpnet.coherence.encoding", "encodings"),
    ),
]
ClustersOf = Annotated[int, typer.Option("--clusters-of", help="Processors of a cluster; clusters are then the nodes.")]
Caches = Annotated[
    str, typer.Option("--caches", help="Caches: infinite, or bytes and ways of each processor, e.g. 16K,4.")
]
Hints = Annotated[bool, typer.Option("--hints", help="Clean copies that are given up are told to the home.")]
Exclusive = Annotated[bool, typer.Option("--exclusive", help="A sole reader may write without asking, as in MESI.")]
Translation = Annotated[str, typer.Option("--translation", help="Entries of the two translation stages, e.g. 64,1024.")]
Pruning = Annotated[int, typer.Option("--pruning", help="Entries of each home's pruning cache (page directory).")]
Network = Annotated[
    str, typer.Option("--network", help="Network that messages go through, e.g. rdt:16; needed for receivers.")
]
Processors = Annotated[int | None, typer.Option("--processors", help="Processors, where the trace does not say it.")]
LineBytes = Annotated[int, typer.Option("--line-bytes", help="Bytes of a cache line.")]
PageBytes = Annotated[int, typer.Option("--page-bytes", help="Bytes of a page.")]
Placement = Annotated[str, typer.Option("--placement", help="Home of a page: first-touch, round-robin or interleaved.")]
PlaceBy = Annotated[str, typer.Option("--place", help="Put sharers near each other: by hops, by territory, or best.")]
Seed = Annotated[int, typer.Option("--seed", help="With --place: the seed.")]
Homes = Annotated[str, typer.Option("--homes", help="File of lines PAGE NODE: the homes, first touch for the rest.")]
Timed = Annotated[bool, typer.Option("--timed", help="With time: cycles and stalls, messages in the simulator.")]
Multicast = Annotated[
    bool, typer.Option("--multicast", help="With --timed: messages to many nodes down the encoding's tree.")
]
Acknowledges = Annotated[
    str,
    typer.Option(
        "--acknowledges", help="With --timed: single, counted (by the home's router), or combined (in the tree)."
    ),
]
Branches = Annotated[
    str,
    typer.Option(
        "--branches", help="With --multicast: packets (a tree of them), or routers (one packet that routers copy)."
    ),
]
CombiningEntries = Annotated[
    int | None,
    typer.Option(
        "--combining-entries",
        help="With --branches routers and combined acknowledges: combining buffers of a router, 4 unless told.",
    ),
]
Outstanding = Annotated[
    int,
    typer.Option("--outstanding", help="With --timed: requests of a processor at once; from 2 writes are buffered."),
]
MemoryProcessors = Annotated[
    int, typer.Option("--memory-processors", help="With --timed: memory-based processors of a cluster; JUMP-1 has 2.")
]
Migrate = Annotated[
    int,
    typer.Option(
        "--migrate", help="With --timed: a page moves to a node with so many requests more than its home's; 0: never."
    ),
]
Cost = Annotated[
    list[str] | None,
    typer.Option(
        "--cost",
        help="With --timed: NAME=CYCLES of a part, as bus-line=8, or of the handler of a kind of message, as data=6.",
        autocompletion=lambda: list(cost_names()),
    ),
]
Locks = Annotated[
    str,
    typer.Option(
        "--locks",
        help="With --timed: locks and barriers by message, or free; line: barriers of all by the barrier line.",
    ),
]
