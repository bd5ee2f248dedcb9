"""Functional coherence: which nodes each invalidation or update message goes to, for a stream of memory references.

No time: a reference acts at once, as the tables of its protocol in `coherence.protocol` say when they are carried
through before the next one (`rules`). Under `invalidate` (msi), with S the nodes that hold a line and E the node that
may write it without a request, a read by p not in S adds p and clears E, and a write by p other than E needs a message,
then S = {p} and E = p; under `update` reads and writes add p to S, and each write needs a message; under `mixed` each
page has one of the two (kudoh1995rhbd section 5.1, Figure 9). Destinations leave out the writer: with a `line`
directory they are S just before the write, with a `page` directory every node that has touched the page so far. A
message without destinations is not counted.

Caches are without limit, one a node, unless they are given a size: then each processor has its own, and those of a node
share a bus (a miss that another of them can serve, and a write seen by the others, do not concern the network). A
dirty line that is evicted is written back; a clean one is dropped, with or without a hint. kudoh1995rhbd says of
address translation only that it has two stages: here one in each processor, asked by every access, one in each home,
asked by every request. The pruning cache is the idea of reference 30 of yang2001rdt in its simplest form, at the home:
for a few lines of page directories it keeps the line's own list. Called by `machine` and the report.
"""

from jumpnet.coherence.functional.design import FunctionalDesign
from jumpnet.coherence.functional.engine import Functional
from jumpnet.coherence.functional.messages import MessageSets
from jumpnet.coherence.functional.settings import (
    DIRECTORIES,
    MOST_NODES,
    PAGE_ENTRIES,
    PLACEMENTS,
    PROTOCOLS,
    check_names,
    given_homes,
    pages_by_update,
    tables_named,
)

__all__ = [
    "DIRECTORIES", "MOST_NODES", "PAGE_ENTRIES", "PLACEMENTS", "PROTOCOLS", "Functional", "FunctionalDesign",
    "MessageSets", "check_names", "given_homes", "pages_by_update", "tables_named",
]  # fmt: skip
