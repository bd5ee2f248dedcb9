"""What BookSim 2 calls the simulator's settings, for tables and for messages to those who come from there."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["BOOKSIM"]

BOOKSIM: Mapping[str, str] = {
    "load": "injection_rate",
    "traffic": "traffic",
    "injection": "injection_process",
    "packet_flits": "packet_size",
    "subnets": "subnets",
    "class_priority": "class_priority",
    "vcs": "num_vcs",
    "buffer_flits": "vc_buf_size",
    "flow_control": "vct",
    "vc_reuse": "wait_for_tail_credit",
    "routing_delay_cycles": "routing_delay",
    "vc_allocation_delay_cycles": "vc_alloc_delay",
    "switch_allocation_delay_cycles": "sw_alloc_delay",
    "st_prepare_delay_cycles": "st_prepare_delay",
    "st_final_delay_cycles": "st_final_delay",
    "credit_delay_cycles": "credit_delay",
    "speculation": "speculative",
    "allocator": "sw_allocator",
    "vc_allocator": "vc_allocator",
    "allocator_iterations": "alloc_iters",
    "input_speedup": "input_speedup",
    "output_speedup": "output_speedup",
    "internal_speedup": "internal_speedup",
    "priority": "priority",
    "channels_by_next_output": "noq",
    "hold_switch": "hold_switch_for_packet",
    "output_buffer_flits": "output_buffer_size",
    "seed": "seed",
    "warmup_cycles": "warmup_periods",
    "measure_cycles": "sample_period",
    "max_cycles": "max_samples",
    "precision": "stopping_thres",
}
"""BookSim 2's name of a setting, where it has one; units and values may differ (`study.booksim` translates)."""
