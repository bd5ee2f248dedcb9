"""Readers of network files: what they accept, and that bad or hostile files end in one line with the place."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.topology import _linkfile, build


def write(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return f"file:{path}"


def refused(spec: str) -> str:
    with pytest.raises(JumpnetError) as error:
        build(spec)
    message = str(error.value)
    assert "\n" not in message and len(message) < 400
    return message


def latency(net: Network, here: int, there: int) -> int:
    assert net.latency is not None
    return int(net.latency[here, net.neighbor[here].tolist().index(there)])


def test_anynet_of_booksims_example(tmp_path: Path) -> None:
    text = "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\n"
    net = build(write(tmp_path, "a.anynet", text + "router 2 node 6 node 7 node 8 router 1 router 0\n"))
    net.check()
    assert net.neighbor.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert net.terminals.tolist() == [3, 3, 3]
    assert net.latency is None and net.labels is None and "nodes" not in net.attributes


def test_anynet_latency_is_one_way_and_one_where_not_said(tmp_path: Path) -> None:
    net = build(
        write(tmp_path, "a.anynet", "router 0 router 1 15 router 2\nrouter 2 router 1 4\nrouter 1 router 2 6\n")
    )
    assert [latency(net, 0, 1), latency(net, 1, 0), latency(net, 0, 2), latency(net, 2, 1), latency(net, 1, 2)] == [
        15, 1, 1, 4, 6,
    ]  # fmt: skip
    assert net.endpoints == 0


def test_anynet_layout_is_free(tmp_path: Path) -> None:
    text = "# comment\r\n\r\n  ROUTER 7\tnode 1 Router 3\r\n// more\nnode 0 router 3\nrouter 9"
    net = build(write(tmp_path, "net.txt", text))
    assert net.labels == ("3", "7", "9")
    assert net.neighbor.tolist() == [[1], [0], [-1]]
    assert net.terminals.tolist() == [1, 1, 0]


def test_anynet_keeps_node_numbers_that_do_not_ascend_with_the_routers(tmp_path: Path) -> None:
    net = build(write(tmp_path, "a.anynet", "router 0 node 1 node 2 router 1\nrouter 1 node 0\n"))
    assert net.attributes["nodes"] == (1, 2, 0)


@pytest.mark.parametrize(
    "text,place,found",
    [
        ("router 0 router 1\nrotuer 1", 2, "'rotuer' found, router or node expected"),
        ("router 0 router", 1, "the line ends after 'router'"),
        ("router 0 router 1\nrouter -1 router 0", 2, "router '-1' found"),
        ("router 0 router 99999999999999999999999", 1, "a number 0 to"),
        ("router 0 router ٣", 1, "a number 0 to"),
        ("router 0 router 1 0", 1, "latency '0' found"),
        ("router 0 router 1 -3", 1, "latency '-3' found"),
        ("router 0 router 1 2.5", 1, "latency '2.5' found"),
        ("router 0 router 1 1000001", 1, "1 to 1000000 cycles"),
        ("router 0 router 0", 1, "joined to itself"),
        ("router 0 router 1\nrouter 0 router 1", 2, "twice"),
        ("router 0 router 1 router 1", 1, "twice"),
        ("node 0 node 1", 1, "joined to node 1"),
        ("router 0 node 0 router 1\nrouter 1 node 0", 2, "already at router 0"),
        ("router 0 node 0 node 0", 1, "already at router 0"),
        ("router 0 node 0 5", 1, "latency 5 between node 0 and its router"),
    ],
)
def test_malformed_anynet_is_refused_with_its_line(tmp_path: Path, text: str, place: int, found: str) -> None:
    message = refused(write(tmp_path, "a.anynet", text))
    assert f"a.anynet:{place}: " in message and found in message


def test_edge_list_with_words_weights_and_comments(tmp_path: Path) -> None:
    text = "# a comment\n% another\nb a 3\na c {}\nb c 4.0\nc d\n# router e terminals 2 sinks 3\nf\n"
    net = build(write(tmp_path, "g.edges", text))
    assert net.labels == ("b", "a", "c", "d", "e", "f")
    assert [latency(net, 0, 1), latency(net, 1, 0), latency(net, 1, 2), latency(net, 2, 0)] == [3, 3, 1, 4]
    assert net.terminals.tolist() == [1, 1, 1, 1, 2, 1] and net.sinks.tolist() == [1, 1, 1, 1, 3, 1]


def test_edge_list_pairs_in_both_orders_and_repeated(tmp_path: Path) -> None:
    net = build(write(tmp_path, "g.edgelist", "0 1 2\n1 0 5\n1 2\n1 2\n"))
    assert net.links == 3
    assert net.neighbor.tolist() == [[1, -1, -1], [0, 2, 2], [1, 1, -1]]
    assert (latency(net, 0, 1), latency(net, 1, 0)) == (2, 5)


def test_directed_edge_list(tmp_path: Path) -> None:
    net = build(write(tmp_path, "g.edgelist", "# directed\n0 1\n1 2\n2 0\n1 0\n"))
    net.check()
    assert net.directed and net.links == 4 and net.degrees.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    "text,place,found",
    [
        ("0 1\n1 1\n", 2, "to itself"),
        ("0 1 2 3", 1, "4 words found"),
        ("0 1 0.5", 1, "latency '0.5'"),
        ("0 1 -2", 1, "latency '-2'"),
        ("0 1 nan", 1, "latency 'nan'"),
        ("0 1 {'weight': 3}", 1, "words found"),
        ("0 1\n# directed\n1 2", 2, "after the first link"),
        ("# router a terminals -1", 1, "'-1' terminals"),
        ("# router a terminals 99999999", 1, "terminals found"),
        ("x" * 2000 + " y", 1, "2000 characters"),
    ],
)
def test_malformed_edge_list_is_refused_with_its_line(tmp_path: Path, text: str, place: int, found: str) -> None:
    message = refused(write(tmp_path, "g.edgelist", text))
    assert f"g.edgelist:{place}: " in message and found in message


GRAPH = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{}<graph edgedefault="undirected">{}</graph></graphml>'


def test_graphml(tmp_path: Path) -> None:
    keys = '<key id="k" for="edge" attr.name="latency"/><key id="n" for="node" attr.name="name"/>'
    body = (
        '<node id="a&amp;b"><data key="n">ignored &lt;text&gt;</data></node><node id="c"/>'
        '<edge source="a&amp;b" target="c"><data key="k"> 7 </data></edge>'
    )
    net = build(write(tmp_path, "g.graphml", GRAPH.format(keys, body)))
    net.check()
    assert net.labels == ("a&b", "c") and latency(net, 0, 1) == latency(net, 1, 0) == 7


BOMB = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
LEAK = '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    "text,found",
    [
        (BOMB + GRAPH.format("", '<node id="&b;"/>'), "g.graphml:1: a document type or entity"),
        (LEAK + GRAPH.format("", '<node id="&x;"/>'), "a document type or entity"),
        (("\n" + BOMB).encode("utf-16"), "a document type or entity"),
        ("<graphml>\n<graph edgedefault='undirected'>\n<node id='a'>", "g.graphml:3: not well-formed"),
        ("<graphml></graphml>", "no <graph>"),
        ("<svg></svg>", "<graphml> expected"),
        (GRAPH.format("", "<node/>"), "<node> without id"),
        (GRAPH.format("", "<edge source='a'/>"), "<edge> without target"),
        (GRAPH.format("", "<edge source='a' target='a'/>"), "to itself"),
        (GRAPH.format("", "<hyperedge/>"), "<hyperedge> found"),
        (GRAPH.format("", "<node id='a'><graph edgedefault='directed'/></node>"), "<graph> found"),
        (GRAPH.format("", "<edge source='a' target='b' directed='true'/>"), "edgedefault"),
        (GRAPH.format("", "<x>" * 50 + "</x>" * 50), "nested more than"),
        ("<graphml><graph edgedefault='both'/></graphml>", "'both' found"),
        ("<?xml version='1.0' encoding='klingon'?><graphml/>", "encoding"),
        (
            GRAPH.format(
                "<key id='k' attr.name='latency'/>", "<edge source='a' target='b'><data key='k'>x</data></edge>"
            ),
            "latency 'x' found",
        ),
        (
            GRAPH.format(
                "<key id='k' attr.name='sinks'/>", "<node id='a'><data key='k'>" + "9" * 9999 + "</data></node>"
            ),
            "characters in <data>",
        ),
        ("", "no element found"),
    ],
)
def test_malformed_and_hostile_graphml_is_refused(tmp_path: Path, text: str | bytes, found: str) -> None:
    message = refused(write(tmp_path, "g.graphml", text))
    assert found in message and "g.graphml:" in message


def test_format_is_decided_by_suffix_then_content(tmp_path: Path) -> None:
    assert build(write(tmp_path, "one", "\n router 0 router 1")).endpoints == 0
    assert build(write(tmp_path, "three", GRAPH.format("", '<node id="a"/>'))).labels == ("a",)
    assert build(write(tmp_path, "four.txt", "0 1")).endpoints == 2
    assert "router or node expected" in refused(write(tmp_path, "five", "0 1") + ",format=anynet")
    assert "did you mean 'anynet'" in refused("file:x,format=anynett")


def test_files_that_are_no_files(tmp_path: Path) -> None:
    assert "no such file" in refused(f"file:{tmp_path}/missing.anynet")
    assert "not a regular file" in refused(f"file:{tmp_path}")
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refused(f"file:{tmp_path}/pipe")
    assert "a file name expected" in refused("file:a\0b")
    assert "no router found" in refused(write(tmp_path, "empty.anynet", ""))
    assert "no router found" in refused(write(tmp_path, "empty.edgelist", "# nothing\n"))


def test_binary_data_is_refused_with_its_line(tmp_path: Path) -> None:
    assert "b.edgelist:2: binary data" in refused(write(tmp_path, "b.edgelist", b"0 1\n\xff\xfe\x00"))
    assert "b.anynet:1: binary data" in refused(write(tmp_path, "b.anynet", b"router 0\0 router 1"))


def test_limits_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = write(tmp_path, "g.edgelist", "".join(f"{i} {i + 1}\n" for i in range(30)))
    with monkeypatch.context() as patch:
        patch.setattr(_linkfile, "MAX_ROUTERS", 20)
        assert "g.edgelist:20: more than 20 routers" in refused(spec)
    with monkeypatch.context() as patch:
        patch.setattr(_linkfile, "MAX_LINKS", 10)
        assert "more than 10 links" in refused(spec)
    with monkeypatch.context() as patch:
        patch.setattr(_linkfile, "MAX_BYTES", 50)
        assert "at most 50 expected" in refused(spec)
    with monkeypatch.context() as patch:
        patch.setenv("JUMPNET_MEMORY_LIMIT", "1000")
        assert "a table of 31 routers with up to 2 ports needs about" in refused(spec)
    assert build(spec).links == 30


def test_an_adjacency_matrix_counts_links(tmp_path: Path) -> None:
    two_way = build(write(tmp_path, "a.csv", "# from NumPy\n0.0e+00,1.0e+00,0\n1,,2\n\n0,2,0\n"))
    assert not two_way.directed and two_way.labels is None
    assert two_way.neighbor.tolist() == [[1, -1, -1], [0, 2, 2], [1, 1, -1]]
    one_way = build(write(tmp_path, "b.txt", ',"a, b",c\n"a, b",0,1\nc,0,0\n') + ",format=matrix")
    assert one_way.directed and one_way.labels == ("a, b", "c")
    assert one_way.neighbor.tolist() == [[1], [-1]]


@pytest.mark.parametrize(
    "text,place,found",
    [
        ("0,1\n1,0,0", 2, "3 cells found, 2 expected as in the first row"),
        ("0,1\n", 2, "1 rows of 2 cells found, a square matrix expected"),
        ("0,x\n1,0", 1, "'x' found, a number of links from 0 to 4096 expected"),
        ("0,nan\n1,0", 1, "'nan' found, a number of links"),
        ("0,0.5\n1,0", 1, "'0.5' found, a number of links"),
        ("0,-1\n1,0", 1, "'-1' found, a number of links"),
        ("0,1\n1,1", 2, "to itself"),
        (",a,b\na,0,1\nc,1,0", 3, "row 'c' found, 'b' expected, as in the heading"),
        (",a,a\na,0,1\na,1,0", 2, "router 'a' found twice in the heading"),
        (",a\na,0\nb,0", 3, "row 'b' found, the end expected"),
    ],
)
def test_bad_matrices_name_the_row(tmp_path: Path, text: str, place: int, found: str) -> None:
    assert f"x.csv:{place}: " in (message := refused(write(tmp_path, "x.csv", text))) and found in message


def test_nothing_is_guessed_into_an_edge_list_or_graphml(tmp_path: Path) -> None:
    assert "x.edgelist:1: '0,1' found, 'u v' expected" in refused(write(tmp_path, "x.edgelist", "0,1\n1,2\n"))
    body = (
        '<graphml><graph edgedefault="undirected">\n<edge source="a" target="b"/>\n<node id="a"/>{}</graph></graphml>'
    )
    assert build(write(tmp_path, "x.graphml", body.format('<node id="b"/>'))).links == 1
    assert "x.graphml:2: an edge to 'b' found, which is no node" in refused(
        write(tmp_path, "x.graphml", body.format(""))
    )
    assert "x.graphml:3: node 'a' found twice" in refused(write(tmp_path, "x.graphml", body.format('<node id="a"/>')))


@given(st.binary(max_size=200), st.sampled_from(["anynet", "edgelist", "graphml", "csv"]))
def test_any_bytes_give_a_network_or_one_line(tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: str) -> None:
    folder = tmp_path_factory.mktemp("bytes")
    try:
        build(write(folder, f"x.{kind}", data)).check()
    except JumpnetError as error:
        assert "\n" not in str(error)


WORDS = st.sampled_from(
    ["router", "node", "0", "1", "2", "3", "7", "-1", "x", "#", "\n", "\n", "directed", "{}", "1,0", ",1"]
)


@given(st.lists(WORDS, max_size=30), st.sampled_from(["anynet", "edgelist", "csv"]))
def test_any_words_give_a_network_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, words: list[str], kind: str
) -> None:
    folder = tmp_path_factory.mktemp("words")
    try:
        net = build(write(folder, f"x.{kind}", " ".join(words)))
    except JumpnetError as error:
        assert "\n" not in str(error)
    else:
        net.check()
        assert (net.neighbor != np.arange(net.routers)[:, None]).all()
