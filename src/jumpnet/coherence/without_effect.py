"""Options of a machine that would change nothing, or that its protocol forbids: refused, with what they would need.

One rule for both machines, in Python and on the command line; what costs need is in `machine.timed.together`. Called by
`functional`, the timed machine and `cli`.
"""

from __future__ import annotations

from collections.abc import Collection

from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.rules import codes as rule
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.coherence.store import pair_of
from jumpnet.errors import JumpnetError

__all__ = ["refuse_unused", "refuse_unused_parts"]


def refuse_unused(*options: tuple[object, str, object, str]) -> None:
    """Raise JumpnetError for the first option that is given and lacks what it needs.

    options: (whether it is given, what it is, whether there is what it needs, what that is).

    >>> refuse_unused((True, "hints", False, "caches of limited size"))
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: hints found without caches of limited size
    """
    for given, what, is_there, needed in options:
        if given and not is_there:
            raise JumpnetError(f"{what} found without {needed}")


def refuse_unused_parts(
    tables: Protocol,
    *,
    by_page: bool,
    caches: object,
    hints: bool,
    update_pages: Collection[int],
    translation: tuple[int, int] | None,
    pruning: int,
    page_entry: str,
    exclusive: bool = False,
) -> None:
    """Raise JumpnetError for parts of either machine that would change nothing; page_entry: empty for the default.

    A stage of translation with 0 entries finds all, so that two of them are none.

    Also for a translation that is no pair, and for `exclusive` with caches of limited size where the tables say that
    every copy given up is told.

    >>> from jumpnet.coherence.protocol import protocol
    >>> none = dict(by_page=True, caches=None, hints=False, update_pages=())
    >>> none |= dict(translation=None, pruning=0, page_entry="")
    >>> refuse_unused_parts(protocol("msi"), **none | {"update_pages": [3]})
    Traceback (most recent call last):
        ...
    jumpnet.errors.JumpnetError: pages in update mode found without protocol mixed
    """
    rules = rules_of(tables)
    told = hints or tables.gives_up(in_silence=False)
    goes = (rules.rows & rule.TAKES).any() or (caches is not None and told)
    finds_all = pair_of("translation", translation) == (0, 0)
    refuse_unused(
        (translation is not None, "translation 0,0", not finds_all, "entries of one of its stages at least"),
        (pruning, f"a pruning cache of {pruning} entries", by_page, "directory page"),
        (page_entry, f"page entry {page_entry}", by_page, "directory page"),
        (hints, "hints", caches is not None, "caches of limited size"),
        (page_entry, f"page entry {page_entry}", goes, "copies that are taken away, or given up with a word"),
        (hints, "hints", tables.gives_up(in_silence=True), f"copies that protocol {tables.name} gives up in silence"),
        (len(update_pages), "pages in update mode", rules.other != rules.first, "protocol mixed"),
    )
    if exclusive:
        alone = (rules_of(tables, exclusive=True).rows != rules.rows).any()
        # A sole reader drops its clean line without a word: where every copy is a link of a list, none may go so.
        silent = caches is None or not rules.tells
        refuse_unused(
            (True, "exclusive", alone, "a sole reader that asks before it writes, as under invalidate"),
            (True, "exclusive", silent, f"clean copies that protocol {tables.name} may give up in silence"),
        )
