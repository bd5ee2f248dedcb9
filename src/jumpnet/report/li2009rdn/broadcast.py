"""Broadcasting in the RDN paper: Algorithm 2 played under the one-port model, Theorem 3 and the steps of Figure 8."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast.broadcast_bfs import best_schedule
from jumpnet.multicast.broadcast_rdn import Last, base_of, dual_net_schedule
from jumpnet.multicast.schedule import Schedule, play
from jumpnet.networks import Network
from jumpnet.report._formulas import by_formula, yes
from jumpnet.report._section import Cell, Golden, Progress, Rows, Section, Table, claimed
from jumpnet.topology import build

TITLE = "Algorithm 2 and Theorem 3: broadcasting"
ORDER = 60

NETWORKS = (
    "rdn:3,k=1",
    "rdn:3,k=2",
    "rdn:5,k=2",
    "rdn:3x3,k=1",
    "rdn:5x5,k=1",
    "rdn:3x3,k=2",
    "rdn:4,k=1,base=hypercube",
    "rdn:4,k=2,base=complete",
)
READ = ("rdn:3,k=1", "rdn:3,k=2", "rdn:3x3,k=1", "rdn:3,k=1,cross=exchanged", "rdn:3,k=2,cross=exchanged")
"""Under both orders of the ids: the readings of the last phase do not depend on what nodes are called."""
LAST: tuple[Last, ...] = ("entered", "cluster")
EXAMPLES = {"rdn:3,k=1": "broadcast_3_1", "rdn:3,k=2": "broadcast_3_2"}
FIGURE_8 = "rdn:3,k=2"


def _base_steps(net: Network) -> int:
    """B0: most steps of the base's one-port broadcast over its sources."""
    base = base_of(net)
    return max(best_schedule(base, s).steps for s in range(base.routers))


def _one_port(net: Network, schedule: Schedule) -> bool:
    """Whether it plays under the one-port model: no router sends or receives twice in a step."""
    try:
        play(net, schedule, "one-port")
    except JumpnetError:
        return False
    return True


def _row(golden: Golden, spec: str) -> list[Cell | None]:
    net = build(spec)
    k, base, schedule = int(net.params[0]), _base_steps(net), dual_net_schedule(net, 0)
    played, gathered = play(net, schedule), play(net, schedule.backwards())
    return [
        Cell(None, net.routers),
        Cell(None, base),
        by_formula(golden, "theorem_3", played.steps, {"k": k, "B0": base}),
        claimed(golden, "one_port", yes(_one_port(net, schedule))),
        Cell(None, yes(gathered.informed == net.routers)),
        Cell(None, (net.routers - 1).bit_length()),
    ]


def _read(golden: Golden, spec: str, last: Last) -> Cell:
    """Who receives under one reading of the last phase."""
    net = build(spec)
    try:
        played = play(net, dual_net_schedule(net, 0, last=last))
        twice = int((played.received > 1).sum())
        words = f"{played.informed} of {net.routers} nodes receive, {twice} of them twice."
        once = played.informed == net.routers and played.once
    except JumpnetError as error:  # A level above sends from nodes that the one below has left out.
        words, once = f"{error}.", False
    return claimed(golden, "algorithm_2", yes(once), reading=f"last:{last}", detail=words)


def _ranks(net: Network, schedule: Schedule) -> list[int]:
    """Level of the links that each step uses; -1 where a step mixes levels."""
    port = (net.neighbor[schedule.sender] == schedule.receiver[:, None]).argmax(axis=1)
    rank = net.class_rank[net.link_class[schedule.sender, port]]
    steps = [np.unique(rank[schedule.step == step]) for step in range(schedule.steps)]
    return [int(found[0]) if len(found) == 1 else -1 for found in steps]


def _figure_8(golden: Golden) -> Table:
    """The phases of the schedule, read off the links that are used step by step."""
    net = build(FIGURE_8)
    schedule = dual_net_schedule(net, 0)
    ranks = _ranks(net, schedule)
    names = {-1: "mixed", 0: "base"}
    phases = ", ".join(f"{names.get(r, f'k{r}')} {len(list(run))}" for r, run in groupby(ranks))
    top = [step for step, rank in enumerate(ranks) if rank == 2]
    sends = [int((schedule.step == step).sum()) for step in top]
    rows: Rows = [
        ("links used and steps", [claimed(golden, "figure_8", phases)]),
        ("transfers over level 2, the first time", [claimed(golden, "figure_8_senders", sends[0])]),
        ("transfers over level 2, the second time", [claimed(golden, "figure_8_last", sends[-1])]),
    ]
    for spec, name in EXAMPLES.items():
        small = build(spec)
        steps = play(small, dual_net_schedule(small, 0)).steps
        rows.append((f"steps in {spec}", [claimed(golden, name, steps)]))
    return Table("Broadcasting in RDN(3,2)", "li2009rdn, section 4 and Figure 8", ("found",), rows)


def section(golden: Golden, progress: Progress) -> Section:
    """Play the broadcast on each network, forwards and, as a gather, backwards; both readings of its last phase."""
    rows: Rows = []
    for done, spec in enumerate(NETWORKS):
        progress(done, len(NETWORKS) + 1)
        rows.append((spec, _row(golden, spec)))
    columns = (
        "nodes", "B0, steps in the base", "steps", "one-port in every step", "read backwards it gathers from all",
        "log2 of the nodes: no broadcast is faster",
    )  # fmt: skip
    theorem = Table("Algorithm 2, one-port", "li2009rdn, Theorem 3", columns, rows)
    progress(len(NETWORKS), len(NETWORKS) + 1)
    read: Rows = [(f"last={last}", [_read(golden, spec, last) for spec in READ]) for last in LAST]
    readings = Table("Each node receives exactly once", "li2009rdn, Algorithm 2", READ, read)
    return Section(TITLE, TEXT, (theorem, readings, _figure_8(golden)))


TEXT = """The broadcast in the base network is a general one-port broadcast (a largest matching of informed to
uninformed nodes in each step). The schedule is played on the network, from node 0: every transfer has its link and a
sender that holds the message.

In the last phase all nodes of the other type send but those of one cluster, says the paper. Then some nodes of the
source's cluster receive twice and some others never, under either order of the ids. Where those keep still that the
message entered over a cross edge, one in each cluster, each node receives once."""
