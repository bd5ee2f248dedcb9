"""What references do under each protocol, argued by hand from its charts, against the rows made from its tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.tiny.protocols import (
    AROUND,
    COUNTING,
    FIREFLY,
    LAST,
    LAST_OWNER,
    MESIF,
    PAST,
    THROUGH,
    WITHOUT_ALLOCATION,
    changed,
)

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.functional import Functional, settings
from jumpnet.coherence.protocol import protocol, protocols
from jumpnet.coherence.rules import codes as at
from jumpnet.coherence.rules.rows import rules_of
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.design import Design, without_time
from jumpnet.machine.trace import block_of

READ, WRITE, EVICT = "read", "write", "evict"
WORDS = ("asks", "tells", "fetches", "cleans", "takes", "soils", "stores")
# (protocol, home, owner, the actor's part, event, alone): home and owner afterwards, who is the owner, what is done.
CHARTS = {
    # A copy that may be read is read, in every protocol; so is the owner's.
    ("msi", "S", "", at.HOLDER, READ, False): None,
    ("moesi", "O", "O", at.OWNER, READ, False): None,
    ("dragon", "O", "Sm", at.HOLDER, READ, False): None,
    # Of two that would write the second asks, and the first is told by FetchInv, which also brings its line.
    ("msi", "U", "", at.NONE, WRITE, True): ("M", "M", at.ACTOR, "asks soils"),
    ("msi", "M", "M", at.NONE, WRITE, False): ("M", "M", at.ACTOR, "asks tells fetches takes soils"),
    ("msi", "S", "", at.HOLDER, WRITE, False): ("M", "M", at.ACTOR, "asks tells takes soils"),
    # A dirty line that is read goes to memory; in silence none is given up but a clean shared one.
    ("msi", "M", "M", at.NONE, READ, False): ("S", "", at.NOBODY, "asks fetches cleans"),
    ("msi", "M", "M", at.OWNER, WRITE, False): ("M", "M", at.KEEP, "soils"),
    ("msi", "M", "M", at.OWNER, EVICT, False): ("U", "", at.NOBODY, "asks stores"),
    ("msi", "S", "", at.HOLDER, EVICT, False): None,
    # The first reader of MESI owns the line, writes in silence, and tells when it gives the line up, written or not.
    ("mesi", "U", "", at.NONE, READ, True): ("M", "E", at.ACTOR, "asks"),
    ("mesi", "U", "", at.NONE, READ, False): ("S", "", at.KEEP, "asks"),  # a page of which others have other lines
    ("mesi", "M", "E", at.OWNER, WRITE, True): ("M", "M", at.KEEP, "soils"),
    ("mesi", "M", "E", at.OWNER, EVICT, True): ("U", "", at.NOBODY, "asks"),
    ("mesi", "M", "E", at.NONE, READ, False): ("S", "", at.NOBODY, "asks fetches"),
    ("mesi", "S", "", at.NONE, READ, True): ("S", "", at.KEEP, "asks"),
    # The writer of MOESI keeps what is read of it, and only what it gives up itself goes to memory.
    ("moesi", "M", "M", at.NONE, READ, False): ("O", "O", at.KEEP, "asks fetches"),
    ("moesi", "O", "O", at.NONE, READ, False): ("O", "O", at.KEEP, "asks fetches"),
    ("moesi", "O", "O", at.OWNER, WRITE, False): ("M", "M", at.KEEP, "asks tells takes soils"),
    ("moesi", "O", "O", at.HOLDER, WRITE, False): ("M", "M", at.ACTOR, "asks tells fetches takes soils"),
    ("moesi", "O", "O", at.OWNER, EVICT, False): ("S", "", at.NOBODY, "asks stores"),
    ("moesi", "S", "", at.NONE, READ, True): ("M", "E", at.ACTOR, "asks"),
    # Under update each write is told, memory has it, and nobody owns anything.
    ("update", "V", "", at.HOLDER, WRITE, False): ("V", "", at.KEEP, "asks tells"),
    ("update", "V", "", at.NONE, WRITE, False): ("V", "", at.KEEP, "asks tells"),
    # The last writer of Dragon has what memory lacks; one that is left alone asks once more, and then no more.
    ("dragon", "S", "", at.HOLDER, WRITE, False): ("O", "Sm", at.ACTOR, "asks tells soils"),
    ("dragon", "O", "Sm", at.HOLDER, WRITE, False): ("O", "Sm", at.ACTOR, "asks tells cleans soils"),
    ("dragon", "O", "Sm", at.NONE, WRITE, False): ("O", "Sm", at.ACTOR, "asks tells fetches cleans soils"),
    ("dragon", "O", "Sm", at.OWNER, WRITE, True): ("M", "M", at.KEEP, "asks soils"),
    ("dragon", "M", "M", at.OWNER, WRITE, True): ("M", "M", at.KEEP, "soils"),
    ("dragon", "S", "", at.HOLDER, EVICT, False): ("S", "", at.KEEP, "asks"),
    ("dragon", "O", "Sm", at.OWNER, EVICT, False): ("S", "", at.NOBODY, "asks stores"),
    # A list loses no link in silence; of few pointers the rows are MSI's, what is read makes room first.
    ("chained", "S", "", at.HOLDER, EVICT, False): ("S", "", at.KEEP, "asks"),
    ("chained", "S", "", at.HOLDER, WRITE, False): ("M", "M", at.ACTOR, "asks tells takes soils"),
    ("limited", "S", "", at.NONE, READ, False): ("S", "", at.KEEP, "asks"),
    # An owner of MESIF serves the next reader, who is the owner then; a writer takes its copy, and no line.
    ("mesif", "F", "F", at.NONE, READ, False): ("F", "F", at.ACTOR, "asks fetches"),
    ("mesif", "F", "F", at.HOLDER, WRITE, False): ("M", "M", at.ACTOR, "asks tells takes soils"),
    # Whoever is alone with a shared line of Firefly owns it, clean; a writer without a copy gets the owner's.
    ("firefly", "S", "", at.HOLDER, WRITE, True): ("M", "E", at.ACTOR, "asks"),
    ("firefly", "M", "M", at.NONE, WRITE, False): ("S", "", at.NOBODY, "asks tells fetches cleans"),
    # A page of the mixed protocol is in its mode.
    ("mixed", "V", "", at.HOLDER, WRITE, False): ("V", "", at.KEEP, "asks tells"),
    ("mixed", "S", "", at.HOLDER, WRITE, False): ("M", "M", at.ACTOR, "asks tells takes soils"),
}


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: " ".join(map(str, chart)))
def test_rows_are_the_charts(chart) -> None:
    name, home, owner, part, event, alone = chart
    rules = rules_of({"mesif": MESIF, "firefly": FIREFLY}.get(name) or protocol(name))
    row = rules.row(home, owner, part, event, alone)
    if CHARTS[chart] is None:
        assert row == 0
        return
    did = " ".join(word for word in WORDS if row & getattr(at, word.upper()))
    if alone:  # a message to nobody is not sent, so that the row may be that of others
        did = " ".join(word for word in did.split() if word not in ("tells", "takes"))
    owners = row & (at.ACTOR | at.NOBODY)
    assert (*rules.names[row & at.CLASS_BITS], owners, did) == CHARTS[chart]
    assert bool(row & at.CHANGES) == ((home, owner) != CHARTS[chart][:2] or owners != at.KEEP)


@pytest.mark.parametrize("name", sorted(protocols()))
def test_no_copy_is_stale_and_no_writer_beside_another(name) -> None:
    """The checker's verdict, once more on the rows: with every class they keep what coherence asks."""
    rules = rules_of(protocol(name))
    for k, (home, owner) in enumerate(rules.names):
        for alone in (False, True):
            for part in (at.NONE, at.HOLDER, at.OWNER):
                write = rules.row(home, owner, part, WRITE, alone)
                silent = not write & at.ASKS
                if part != at.NONE and write and silent:
                    assert part == at.OWNER and rules.row(home, owner, at.NONE, READ, False) & at.FETCHES
                if owner and part == at.NONE:  # a line that somebody may have written in silence is fetched
                    assert rules.row(home, owner, part, READ, alone) & at.FETCHES
                    assert write & at.FETCHES
        assert rules.row(home, owner, at.NONE, READ) & at.ASKS, k


# (node, write?) on a line whose home is node 0; packets between nodes by hand, a request and its answer two.
COUNTS = [
    # E at node 1 is written in silence; node 2 asks and the line is fetched (2 + 2); it writes: node 1 is told (2 + 2).
    ("mesi", [(1, 0), (1, 1), (2, 0), (2, 1)], {"requests": 3, "fetches": 1, "messages": 1, "packets": 10}),
    # The dirty line stays with node 1, from which node 3 fetches it again; after MSI's or MESI's fetch memory has it.
    ("moesi", [(1, 1), (2, 0), (3, 0)], {"requests": 3, "fetches": 2, "messages": 0, "packets": 10}),
    ("mesi", [(1, 1), (2, 0), (3, 0)], {"requests": 3, "fetches": 1, "messages": 0, "packets": 8}),
    # Node 1 owns, node 2 reads (fetched), writes and owns; node 1 writes again, with its copy: nothing is fetched.
    ("dragon", [(1, 1), (2, 0), (2, 1), (1, 1)], {"requests": 4, "fetches": 1, "messages": 2, "packets": 14}),
    ("update", [(1, 1), (2, 0), (2, 1), (1, 1)], {"requests": 4, "fetches": 0, "messages": 2, "packets": 12}),
]


@pytest.mark.parametrize(("name", "references", "counts"), COUNTS)
def test_counts_by_hand(name, references, counts) -> None:
    engine = Functional(4, protocol=name, directory="line")
    engine.feed(*block_of(0, [0], 4, False))  # another line of the page: node 0 is its home, and asks itself
    proc, write = zip(*references, strict=True)
    engine.feed(*block_of(proc, np.full(len(proc), 64), 4, np.array(write, bool)))
    found = {"requests": engine.machine["requests"] - 1, "fetches": engine.machine["fetches"]}
    found |= {"messages": engine.messages, "packets": engine.packets()}
    assert found == counts


CHANGED = [
    ("home", "DM  Done       M   -", "DM  Other      M   -", "no row for Done at the home in DM"),
    ("cache", "M   write     M   write", "M   write     S   write", "write at a cache in M makes its own copy clean"),
    ("cache", "S   write     SM  send GetM", "S   other     SM  send GetM", "no write found where one was expected"),
    ("home", "DM  reply DataM, clear, own", "DM  reply DataM, own", "takes some copies and leaves others"),
    ("home", "DS  store, keep, release,", "DS  store,", "evict at a cache in S leaves an owner without a copy"),
    ("home", "S   GetS       DS  ask, reply Data, add", "S   GetS  SX  ask\nSX  Done  S  -", "never comes to rest"),
]


@pytest.mark.parametrize(("side", "row", "other", "message"), CHANGED)
def test_tables_without_such_rows_are_refused(side, row, other, message) -> None:
    made = protocol("msi")
    assert row in getattr(made, side)
    with pytest.raises(JumpnetError, match=f"protocol msi: .*{message}"):
        rules_of(replace(made, **{side: getattr(made, side).replace(row, other)}))


def test_rows_follow_the_tables() -> None:
    """Nothing of the rows is written elsewhere: MESI's without its first row is MSI with another name for a state."""
    mesi = protocol("mesi")
    plain = replace(mesi, home=mesi.home.replace("DM  ask, reply DataE, own", "DS  ask, reply Data, add"))
    assert rules_of(plain).names != rules_of(mesi).names
    assert rules_of(plain).rows.tolist() == rules_of(protocol("msi")).rows.tolist()


def test_few_pointers_are_a_number_and_nothing_else_of_the_rows() -> None:
    msi, limited = rules_of(protocol("msi")), rules_of(protocol("limited"))
    assert (msi.pointers, limited.pointers) == (0, 2)
    assert (limited.rows.tolist(), limited.names) == (msi.rows.tolist(), msi.names)
    assert rules_of(replace(protocol("limited"), pointers=3)).pointers == 3
    with pytest.raises(JumpnetError, match="6 pointers found, at most 5 "):
        rules_of(replace(protocol("limited"), pointers=6))
    update, few = rules_of(protocol("update")), rules_of(protocol("limited_update"))
    assert (few.pointers, few.rows.tolist(), few.names) == (2, update.rows.tolist(), update.names)
    with pytest.raises(JumpnetError, match="1 pointers under limited found, at least 2 expected"):
        Functional(4, protocol="limited", pointers=1)


# MSI with shared copies that are given up with a word (the list is exact), with a dirty line that goes to its reader
# with all rights (migratory), and with copies that a writer updates who has one itself: the first two have time.
WITHOUT_TIME = [
    (
        {"S   evict     I   drop": "S   evict     SI  send PutS\nSI Inv SI send InvAck\nSI PutAck I drop"},
        {"S   PutM-      S   forget, ack": "S PutM- S forget, ack\nS PutS S forget, ack\nM PutS M ack\nU PutS U ack"},
        "",
    ),
    (
        {"IS  Data      S   take, send Done": "IS Data S take, send Done\nIS DataR M take, send Done"},
        {
            "WS  ask, fetch Fetch\n": "WS ask, fetch FetchInv\n",
            "DS  store, keep, release, reply Data, add": "DM store, reply DataR, own",
        },
        "",
    ),
    (
        {
            "S   write     SM  send GetM": "S write SW send Upd\nSW UpdDone S commit, send Done",
            "S   evict     I   drop": "S evict I drop\nS Update S merge, send UpdAck\nI Update I send UpdAck",
        },
        {"WI  last       DM": "S Upd XS ask, multicast Update\nXS last DS merge, reply UpdDone\nWI last DM"},
        "some writes take copies away and others update them",
    ),
]  # fmt: skip


def _changed(cache, home, name="msi"):
    """A protocol, MSI unless named, with other rows."""
    return changed(protocol(name), cache, home)


@pytest.mark.parametrize(("cache", "home", "why"), WITHOUT_TIME)
def test_protocols_that_the_timed_machine_does_not_run_are_told(cache, home, why) -> None:
    assert without_time(rules_of(_changed(cache, home))) == why


def test_what_the_machine_with_time_lacks_is_one_line(monkeypatch) -> None:
    cache, home, why = WITHOUT_TIME[2]
    monkeypatch.setattr(settings, "protocols", lambda: {"half": replace(_changed(cache, home), name="half")})
    with pytest.raises(JumpnetError, match=f"protocol half found, the machine with time has none in which {why}"):
        Design(protocol="half")


def test_all_protocols_have_time() -> None:
    reasons = {name: without_time(rules_of(made, in_time=True)) for name, made in protocols().items()}
    assert reasons == dict.fromkeys(reasons, "") and {"msi", "update", "limited", "limited_update"} <= set(reasons)


# Tables that the checker has nothing against, and that do what rows have no words for: a writer that loses its copy,
# a home that keeps an owner or a sharer who has told it that it has gone, an eviction that does nothing or takes the
# other copies too, a second request, a second round of messages, a second fetch.
GIVES_NOTICE = {"S   evict     I   drop": "S evict SI send PutS\nSI Inv SI send InvAck\nSI PutAck I drop"}
NOT_IN_ROWS = {
    "write at a cache in S takes the copy of the one that asked": (
        "update", {"SW  UpdDone  S   commit, send Done": "SW UpdDone I commit, drop, send Done"}, {}
    ),
    "evict at a cache in E leaves an owner without a copy": (
        "mesi", {}, {"M   PutE       U   release, ack": "M PutE U ack"}
    ),
    "evict at a cache in S tells the home, which lists the copy as before": (
        "msi", GIVES_NOTICE, {"U   PutM-": "S PutS S ack\nM PutS M ack\nU PutS U ack\nU PutM-"}
    ),
    "evict at a cache in S leaves the copy where it was": ("update", {"S   evict    I   drop": "S evict S -"}, {}),
    "evict at a cache in S tells others": (
        "msi", GIVES_NOTICE,
        {
            "S   PutM-": "S PutS WP ask, multicast Inv\nWP last U reply PutAck, clear\nS   PutM-",
            "U   PutM-": "M PutS M ack\nU PutS U ack\nU PutM-",
        },
    ),
    "read at a cache in I makes the copy of another one dirty": (
        "moesi", {"E   Fetch     S   send OwnerClean": "E Fetch O send OwnerData"}, {}
    ),
    "write at a cache in I asks the home 2 times": (
        "msi",
        {
            "I   write     IM  send GetM": "I write IW send GetS",
            "I   Inv": "IW Data SM take, send Done, send GetM\nIW Inv IW send InvAck\nI   Inv",
        },
        {},
    ),
    "write at a cache in I tells another one twice": (
        "update",
        {"I   Update": "".join(f"{s} Warn {s} send WarnAck\n" for s in ("IS", "IW", "I", "S", "SW")) + "I   Update"},
        {"V   GetW  WV  ask, multicast Update": "V GetW PV ask, multicast Warn\nPV last WV multicast Update"},
    ),
    "write at a cache in I fetches the line 2 times": (
        "msi", {"M   evict": "M Peek M send Soon\nMI Peek MI send Soon\nM   evict"},
        {"M   GetM       WM  ask, fetch FetchInv": "M GetM WP ask, fetch Peek\nWP Soon WM fetch FetchInv"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", NOT_IN_ROWS)
def test_right_tables_that_do_what_no_row_says_are_refused(what) -> None:
    name, cache, home = NOT_IN_ROWS[what]
    made = _changed(cache, home, name)
    assert check_protocol(made, 3).fault == ""
    with pytest.raises(JumpnetError, match=f"{what}, for which machines have no step"):
        rules_of(made)


def test_a_state_of_the_home_in_which_three_share_the_line_is_met_by_a_fourth() -> None:
    rules = rules_of(COUNTING)
    assert set(rules.names) == {("U", ""), ("S1", ""), ("S2", ""), ("S3", ""), ("SN", ""), ("M", "M")}
    for before, after in (("U", "S1"), ("S1", "S2"), ("S2", "S3"), ("S3", "SN"), ("SN", "SN")):
        assert rules.names[rules.row(before, "", at.NONE, READ, before == "U") & at.CLASS_BITS] == (after, "")


def test_a_state_in_which_all_caches_of_the_search_have_the_line_is_refused() -> None:
    """Homes that count further than a search of six caches: nobody is left to read the line then."""
    last = "S3  GetS       DN  ask, reply Data, add"
    more = "".join(f"S{k} GetS D{k + 1} ask, reply Data, add\nD{k + 1} Done S{k + 1} -\n" for k in range(3, 6))
    ends = "".join(f"S{k} GetM WI ask, multicast Inv\n" for k in range(4, 7)) + "U PutS U ack\nM PutS M ack\n"
    ends += "S1 PutS U forget, ack\n" + "".join(f"S{k} PutS S{k - 1} forget, ack\n" for k in range(2, 7))
    cache, home = COUNTING.cache.replace(*GIVES_NOTICE.copy().popitem()), COUNTING.home.replace(last, more)
    with pytest.raises(JumpnetError, match=r"no read by a node without a copy met with the home in S6 .* and 6 caches"):
        rules_of(replace(COUNTING, cache=cache, home=home + "S6 GetS DN ask, reply Data, add\n" + ends))


def test_two_kinds_of_sharers_who_evict_otherwise_are_refused() -> None:
    """The first reader gives its copy up with a word, the others in silence."""
    silent, told = next(iter(GIVES_NOTICE.items()))
    caches = {
        "IS  Data ": "IS DataT T take, send Done\nT read T hit\nT write SM send GetM\nIS  Data ",
        silent: f"{silent}\nT Inv I send InvAck, drop\n{told.replace('S evict', 'T evict')}",
    }
    home = {
        "U   GetS       DS  ask, reply Data,": "U GetS DS ask, reply DataT,",
        "S   GetM": "S PutS S forget, ack\nS   GetM",
    }
    with pytest.raises(JumpnetError, match="evict at a cache in S has two outcomes with the home in S"):
        rules_of(_changed(caches, home))


@pytest.mark.parametrize("made", WITHOUT_ALLOCATION)
def test_a_write_that_leaves_no_copy_lists_its_node_as_the_tables_say(made) -> None:
    rules = rules_of(made)
    for home, owner in rules.names:
        row = rules.row(home, owner, at.NONE, WRITE)
        assert row & at.LEAVES and row & at.ASKS
        assert bool(row & at.LISTS) == rules.lingers == (made.name == "passing")
        assert not rules.row(home, owner, at.NONE, READ) & at.LEAVES


def test_reads_past_the_cache_share_nothing() -> None:
    rules = rules_of(PAST)
    assert rules.shared == at.UNSHARED and rules.names == (("U", ""), ("M", "M"))
    assert rules.row("M", "M", at.NONE, READ) == rules.names.index(("M", "M")) | at.ASKS | at.FETCHES | at.LEAVES


@pytest.mark.parametrize("made", [*WITHOUT_ALLOCATION, PAST, LAST, LAST_OWNER, COUNTING])
def test_tables_of_tests_are_coherent(made) -> None:
    assert check_protocol(made, 3).fault == ""


def test_exclusive_readers_are_none_where_writers_do_not_own_the_line() -> None:
    assert rules_of(THROUGH, exclusive=True).rows.tolist() == rules_of(THROUGH).rows.tolist()
    assert rules_of(protocol("msi"), exclusive=True).rows.tolist() != rules_of(protocol("msi")).rows.tolist()


def test_copies_and_lists_that_depend_on_others_are_refused() -> None:
    """A writer that is alone gets a copy, or is listed, and another one is not."""
    alone = {"V   GetW  WV": "V GetW+ DV ask, merge, reply DataU, add\nV   GetW  WV"}
    lists = replace(AROUND, home=AROUND.home.replace(*alone.copy().popitem()))
    with pytest.raises(
        JumpnetError, match="it lists the one that asked, or strikes it out, without a copy now and then"
    ):
        rules_of(lists)
    strikes = replace(AROUND, home=AROUND.home.replace("GetW  WV  ask", "GetW  WV  ask, forget"))
    assert strikes.home != AROUND.home and check_protocol(strikes, 3).fault == ""
    with pytest.raises(JumpnetError, match="lists the one that asked, or strikes it out, without a copy now and then"):
        rules_of(strikes)
    # The entry is cleared, but for a writer that is alone with the line; or it always is, and the class then tells.
    stays = {"V   GetW  WV": "V GetW+ DV ask, merge, reply Passed\nV   GetW  WV"}
    tells = {"V   GetW  WV": "V GetW+ DW ask, merge, clear, reply Passed\nDW Done W -\nW GetS DV ask, reply Data, add\n"
             "W GetW WV ask, multicast Inv\nW Upd XV ask, multicast Inv\nV   GetW  WV"}  # fmt: skip
    for home in (stays, tells):
        clears = changed(THROUGH, {}, home)
        assert check_protocol(clears, 3).fault == ""
        with pytest.raises(JumpnetError, match="strikes it out, without a copy now and then"):
            rules_of(clears)
    keeps = replace(lists, home=lists.home.replace("reply DataU, add", "reply DataK, add"))
    keeps = replace(keeps, cache=keeps.cache + "IW DataK S take, commit, send Done\n")
    assert check_protocol(keeps, 3).fault == ""
    with pytest.raises(JumpnetError, match="whether a write leaves a copy depends on others"):
        rules_of(keeps)
