"""The page that reads long lists of dependencies at once, against the plain page: what it accepts that accepts too."""

from __future__ import annotations

import gzip
import io
import random
import re

import pytest
from tools import check_acyclic, check_acyclic_numpy

from jumpnet.analysis.deadlock.certificates.text import write_certificate
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build

CASES = [
    ("torus:4x3", "torus.dateline", 0),
    ("mesh:3x3", "mesh.west_first", 10**6),
]


def written(spec, name, states, folder):
    net = build(spec)
    bound = bind(name, net)
    write_certificate(folder / "c.cert", bound, prove(bound), states)
    return (folder / "c.cert").read_bytes()


@pytest.mark.parametrize(("spec", "name", "states"), CASES)
def test_a_good_file_is_accepted_packed_too(spec, name, states, tmp_path, capsys):
    written(spec, name, states, tmp_path)
    assert check_acyclic_numpy.main(str(tmp_path / "c.cert")) == 0
    assert f"{name} on {spec}" in capsys.readouterr().out


def edited(data, draw):
    """The file with one or two lines dropped, doubled or exchanged, or words or single bytes altered."""
    lines = data.split(b"\n")
    for _ in range(draw.choice([1, 1, 2])):
        k = draw.randrange(len(lines))
        words, how = lines[k].split(b" "), draw.randrange(8)
        if how > 5 and lines[k]:
            at, new = draw.randrange(len(lines[k])), draw.choice([b" ", b"", b"\t", b"\r", b"-", b"3"])
            lines[k] = lines[k][: at + draw.randrange(2)] + new + lines[k][at + 1 :]
        elif how == 0:
            del lines[k]
        elif how == 1:
            lines.insert(draw.randrange(len(lines)), lines[k])
        elif how == 2:
            j = draw.randrange(len(lines))
            lines[k], lines[j] = lines[j], lines[k]
        else:
            new = draw.choice(
                [b"0", b"1", b"7", b"-", b"+", b"-1", b"x", b"", b"99999999999999999999", str(k).encode()]
            )
            words[draw.randrange(len(words))] = new
            lines[k] = b" ".join(words)
    return b"\n".join(lines)


@pytest.mark.parametrize(("spec", "name", "states"), CASES)
def test_what_it_accepts_of_spoilt_files_the_plain_page_accepts(spec, name, states, tmp_path):
    data, draw, accepted, refused = written(spec, name, 0, tmp_path), random.Random(1), 0, 0
    for _ in range(3000):
        wrong = edited(data, draw)
        try:
            check_acyclic_numpy.check(wrong)
        except check_acyclic_numpy.Refused as why:
            refused += 1
            assert re.fullmatch("line [0-9]+: [^\n]+", str(why))
            continue
        accepted += 1
        check_acyclic.check(io.StringIO(wrong.decode("latin-1"), newline="\n"))
    assert refused > 1000 and accepted > 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"wants 0 4\n", b"wants 4 0\n", "does not"),
        (b"channel 3 ", b"channel 5 ", "channel expected"),
        (b"dependencies ", b"dependencies 1", "other counts"),
        (b"condition acyclic", b"condition escape", "another kind"),
        (b"\nend\n", b"\n", "cut off"),
        (b"\nend\n", b"\nend\nend\n", "end or states expected"),
        (b"wants 5 ", b"wants5 ", "whole numbers expected"),
        (b"wants 0 ", b"wants  0 ", "whole numbers expected"),
        (b"channel 3 ", b"chan nel3 ", "whole numbers expected"),
        (b"channel 3 0 ", b"channel 3 0  ", "whole numbers expected"),
        (b"link 3 0", b"li3nk 0", "whole numbers expected"),
        (b"links ", b"links x", "a count is no number"),
        (b"wants 5 ", b"wants \nwants 5 ", "whole numbers expected"),
        (b"end\n", b"wants \nend\n", "whole numbers expected"),
    ],
)
def test_a_spoilt_file_is_refused_with_its_line(old, new, why, tmp_path):
    data = written("torus:4x3", "torus.dateline", 0, tmp_path)
    old = old if old in data else next(row + b"\n" for row in data.split(b"\n") if row.startswith(b"wants "))
    if new == b"wants 4 0\n":  # the one wanted holds the other
        _, held, wanted = old.split()[:3]
        new = b"wants " + wanted + b" " + held + b"\n"
    line = data[: data.index(old)].count(b"\n") + 1
    with pytest.raises(check_acyclic_numpy.Refused, match=why) as told:
        check_acyclic_numpy.check(data.replace(old, new, 1))
    if why not in ("cut off", "end or states expected", "other counts", "another kind"):
        assert f"line {line}:" in str(told.value)


@pytest.mark.parametrize("page", [check_acyclic, check_acyclic_numpy])
def test_a_packed_file_with_a_wrong_byte_is_refused(page, tmp_path):
    packed = bytearray(gzip.compress(written("torus:4x3", "torus.dateline", 0, tmp_path), mtime=0))
    file = tmp_path / "c.cert.gz"
    for at in range(12, 200, 4):
        packed[at] ^= 255
        file.write_bytes(packed)
        assert str(file) in str(page.main(str(file)))
        packed[at] ^= 255


@pytest.mark.parametrize("page", [check_acyclic, check_acyclic_numpy])
def test_channels_of_one_number_do_not_ascend(page, tmp_path, capsys):
    rows = written("torus:4x3", "torus.dateline", 0, tmp_path).decode().split("\n")
    at = next(k for k, row in enumerate(rows) if row.startswith("wants "))
    held, wanted = (
        next(k for k, row in enumerate(rows) if row.startswith(f"channel {which} ")) for which in rows[at].split()[1:3]
    )
    one, other = rows[held].split(), rows[wanted].split()
    rows[held] = " ".join([*one[:5], other[5], one[6]])
    (tmp_path / "c.cert").write_text("\n".join(rows))
    why = str(page.main(str(tmp_path / "c.cert")))
    assert "does not ascend" in why and f"line {at + 1}:" in why
