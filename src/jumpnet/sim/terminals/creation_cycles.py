"""When sources create packets: by their process at the load of the cycle, a trace, or the messages that are to come.

The twin is `Source.next_cycle` of `reference.simulation`.
"""

from jumpnet.jit.linked import inlined, kernel
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.calls import ask_process
from jumpnet.sim.memory.rows import calls_of, terminal_of, trace_of
from jumpnet.traffic.injection_process import COUNTER, LAST, MEMORY_WORDS, MODE, NEVER

__all__ = ["next_creation"]


@inlined
def begin_process(m, i, cycle):
    """The process of source i begins anew at a cycle where the load changes, with draws of its own."""
    memory = i * MEMORY_WORDS
    m.process_memory[memory + COUNTER] = cycle * at.STEP_DRAWS
    for word in range(MODE, MEMORY_WORDS):
        m.process_memory[memory + word] = 0


@kernel
def process_cycle(m, c, i):
    """Creation cycle of the next packet of source i, of class c, by the load of that cycle."""
    memory, row, since = i * MEMORY_WORDS, c, 0
    until = calls_of(m, row).until
    while True:
        while m.process_memory[memory + LAST] + 1 >= until:
            row += 1 if row > c else (m.classes if m.kinds == at.SEVERAL else 1)
            since, until = until, calls_of(m, row).until
        if m.process_memory[memory + COUNTER] < since * at.STEP_DRAWS:
            begin_process(m, i, since)
        cycle = ask_process(m, row, i)
        if cycle < until or m.process_memory[memory + LAST] != cycle:  # a user's own that fails leaves another number
            return cycle
        m.process_memory[memory + LAST] = until - 1


@kernel
def next_creation(m, i):
    """Set the creation cycle of source i's next packet."""
    terminal = terminal_of(m, i)
    number = terminal.sequence
    if m.traced == 1:
        row = m.trace_first[i] + number
        cycle = trace_of(m, row).cycle if row < m.trace_first[i + 1] else NEVER
    else:
        cycle = process_cycle(m, i // m.terminals if m.kinds == at.SEVERAL else 0, i)
    if m.queue_limit > 0:
        start = m.queue_start[i * m.queue_limit + number % m.queue_limit]
        if start > cycle:
            cycle = start
            m.process_memory[i * MEMORY_WORDS + LAST] = cycle
    terminal.next_creation = cycle
