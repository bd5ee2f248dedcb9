"""Broadcasting in the RDN paper: Algorithm 2 played under the one-port model, Theorem 3 and the steps of Figure 8."""

from __future__ import annotations

from jumpnet.multicast import broadcast
from jumpnet.multicast.broadcast_bfs import best_schedule
from jumpnet.multicast.broadcast_rdn import base_of, dual_net_schedule
from jumpnet.multicast.schedule import play
from jumpnet.network import Network
from jumpnet.paper._section import Cell, Golden, Progress, Section, Table
from jumpnet.papers import claim
from jumpnet.topology import build

TITLE = "Algorithm 2 and Theorem 3: broadcasting"
ORDER = 50

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
EXAMPLES = {"rdn:3,k=1": "broadcast_3_1", "rdn:3,k=2": "broadcast_3_2"}
LITERAL = "rdn:3,k=1"


def _base_steps(net: Network) -> int:
    """B0: most steps of the base's one-port broadcast over its sources."""
    base = base_of(net)
    return max(best_schedule(base, s).steps for s in range(base.routers))


def _row(spec: str) -> list[Cell | None]:
    net = build(spec)
    k, base = int(net.params[0]), _base_steps(net)
    played = play(net, broadcast("rdn")(net, 0), "one-port")
    gathered = play(net, broadcast("rdn")(net, 0).backwards(), "one-port")
    full = played.informed == net.routers
    fewest = (net.routers - 1).bit_length()
    return [
        Cell(None, net.routers),
        Cell(None, base),
        Cell(str(2**k * base + 2 ** (k + 1) - 2), played.steps),
        Cell("yes", "yes" if full and played.once else "no"),
        Cell(None, "yes" if gathered.informed == net.routers else "no"),
        Cell(None, fewest),
    ]


def section(golden: Golden, progress: Progress) -> Section:
    """Play the broadcast on each network, forwards and, as a gather, backwards."""
    rows: list[tuple[str, list[Cell | None]]] = []
    for done, spec in enumerate(NETWORKS):
        progress(done, len(NETWORKS))
        rows.append((spec, _row(spec)))
    theorem = Table(
        "Algorithm 2, one-port",
        "li2009rdn, Theorem 3",
        (
            "nodes",
            "B0, steps in the base",
            f"steps (printed: {claim(golden, 'theorem_3')})",
            "each node receives exactly once",
            "read backwards it gathers from all",
            "log2 of the nodes: no broadcast is faster",
        ),
        rows,
    )
    steps: list[tuple[str, list[Cell | None]]] = []
    for spec, name in EXAMPLES.items():
        net = build(spec)
        steps.append((spec, [Cell(claim(golden, name), play(net, broadcast("rdn")(net, 0)).steps)]))
    net = build(LITERAL)
    literal = play(net, dual_net_schedule(net, 0, literal=True))
    words = f"{literal.informed} of {net.routers} nodes receive, {int((literal.received > 1).sum())} of them twice"
    steps.append((f"{LITERAL}, the words of Algorithm 2", [Cell("each node once", words, SLIP)]))
    examples = Table("Figure 8 and the last phase", "li2009rdn, section 4", ("steps, or who receives",), steps)
    return Section(TITLE, TEXT, (theorem, examples))


SLIP = """In the last phase the paper excludes the cluster that holds s', the partner of the source. With cross edges
that swap the ids, those that must keep still are the nodes entered over a cross edge, one in each cluster; the count
of senders is the same, and so is that of the steps."""
TEXT = """The broadcast in the base network is a general one-port broadcast (a largest matching of informed to
uninformed nodes in each step). The schedule is played on the network: every transfer has its link and a sender that
holds the message, and no node sends to, or receives from, two neighbors in a step."""
