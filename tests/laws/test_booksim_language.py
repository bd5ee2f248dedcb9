"""BookSim's configuration language: what it accepts, and where it says a file is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.errors import JumpnetError
from jumpnet.study.booksim._keys import DEFAULTS
from jumpnet.study.booksim._language import assignments, settings


def test_statements_comments_and_later_assignments() -> None:
    text = "// a torus\ntopology = torus;\nk  =4;n=2 ; k = 8; // the last one wins\n\ninternal_speedup=1.7;"
    assert settings(text) == {"topology": "torus", "k": 8, "n": 2, "internal_speedup": 1.7}


def test_a_pattern_with_lists_is_one_word() -> None:
    assert settings("traffic = hotspot({3,17},{2,1});") == {"traffic": "hotspot({3,17},{2,1})"}
    assert settings("traffic = {uniform,transpose};") == {"traffic": "{uniform,transpose}"}


def test_numbers() -> None:
    text = "packet_size = {1,5}; injection_rate = .5; burst_alpha = 1e-2; output_buffer_size = -1;"
    want = {"packet_size": "{1,5}", "injection_rate": ".5", "burst_alpha": 0.01, "output_buffer_size": -1}
    assert settings(text) == want


WITH_A_POINT = "a number with a point or an exponent expected, as BookSim2 does"
BAD = [
    ("k = 8", "cfg:1:5: end found after '8', ; expected"),
    ("k 8;", "cfg:1:3: '8' found, = expected"),
    ("\n  k = ;", "cfg:2:7: ';' found, a value expected"),
    ("= 8;", "cfg:1:1: '=' found, a key expected"),
    ("k = 8; $", "cfg:1:8: character '$' found, a key or value expected"),
    ("k = eight;", "cfg:1:1: k = eight found, a whole number expected"),
    ("k = 8.0;", "cfg:1:1: k = 8.0 found, a whole number expected"),
    ("packet_size = 1e1;", "cfg:1:1: packet_size = 1e1 found, a whole number expected"),
    ("internal_speedup = 2;", f"cfg:1:1: internal_speedup = 2 found, {WITH_A_POINT}"),
    ("latency_thres = 1000000;", f"cfg:1:1: latency_thres = 1000000 found, {WITH_A_POINT}"),
    ("traffic = 3;", "cfg:1:1: traffic = 3 found, a word expected"),
    ("num_vc = 2;", "cfg:1:1: unknown BookSim key 'num_vc'; did you mean 'num_vcs'?"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_errors_name_line_and_column(text: str, message: str) -> None:
    with pytest.raises(JumpnetError) as caught:
        settings(text, name="cfg")
    assert str(caught.value) == message


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(JumpnetError, match="found, a whole number expected"):
        settings(f"k = {'9' * 5000};")


def test_overrides_win_and_are_checked() -> None:
    assert settings("k = 4;", {"k": "16"}) == {"k": 16}
    with pytest.raises(JumpnetError, match="override: unknown BookSim key 'kk'"):
        settings("k = 4;", {"kk": "16"})


NUMBERS = {key for key, value in DEFAULTS.items() if str(value).replace(".", "").lstrip("-").isdigit()}
WITH_POINT = {key for key in NUMBERS if "." in str(DEFAULTS[key])}


@given(st.dictionaries(st.sampled_from(sorted(NUMBERS)), st.integers(0, 999)))
def test_what_is_written_is_read(values: dict[str, int]) -> None:
    text = "".join(f"{key} = {value}{'.0' if key in WITH_POINT else ''};\n" for key, value in values.items())
    got = settings(text)
    assert {key: float(value) for key, value in got.items()} == {k: float(v) for k, v in values.items()}


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        statements = assignments(text, "cfg")
    except JumpnetError as error:
        assert str(error).startswith("cfg:") and "\n" not in str(error)
    else:
        assert all(s.key and s.word for s in statements)
