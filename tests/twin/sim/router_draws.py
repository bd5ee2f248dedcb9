"""What routers may have, whatever a twin of theirs draws besides."""

from __future__ import annotations

from hypothesis import strategies as st

ROUTERS = {
    "vc_needs_credit": st.booleans(),
    "vc_empty_first": st.booleans(),
    "vc_reuse": st.sampled_from(["tail", "tail", "empty"]),
    "injection_ports": st.integers(1, 2),
    "reply_flits": st.sampled_from([0, 2]),
    "input_speedup": st.sampled_from([1, 2]),
    "internal_speedup": st.sampled_from([1.0, 1.0, 2.0]),
    "hold_switch": st.booleans(),
    "speculation": st.booleans(),
}
