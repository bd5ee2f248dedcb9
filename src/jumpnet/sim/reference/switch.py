"""The switch of the reference router: its sides, who goes first there, and how it is allocated; and the matchings that
virtual-channel allocation makes in the same way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from jumpnet.jit.random import plain_stream_key
from jumpnet.sim.reference.matching import WHOLE, largest, lonely, one_of, sweep
from jumpnet.sim.reference.parts import Arbiters, Lane, OutVc, out_vcs_of_port
from jumpnet.sim.reference.surroundings import Surroundings

__all__ = ["BLIND", "Switch"]

Bid = tuple[int, int, int]
"""Lane, output VC, and whether it goes after others."""
Place = TypeVar("Place")

BLIND = ("islip", "pim", "lonely_output", "max_size")
"""Allocators that look at priorities among the lanes of an input that bid for one output only."""


def several(ports: list[int], each: int) -> list[int]:
    """Numbers of what ports have, so much each.

    >>> several([0, 2], 2)
    [0, 1, 4, 5]
    """
    return [port * each + k for port in ports for k in range(each)]


class Switch:
    """Lanes, output VCs, and the switch between them."""

    def __init__(self, sim: Surroundings, number: int) -> None:
        self.sim, self.c, self.number = sim, sim.c, number
        self.out_vcs = [out_vc for _ in range(sim.outputs) for out_vc in out_vcs_of_port(sim.c, sim.vcs)]
        self.lanes = [Lane(OutVc(sim.c.lane_flits(sim.vcs))) for _ in range(sim.inputs * sim.vcs)]
        self.turn_output = [0] * (sim.inputs * sim.c.input_speedup)
        self.turn_vc = [0] * (sim.inputs * sim.c.input_speedup)
        self.turn_input = [0] * (sim.outputs * sim.c.output_speedup)
        ports, c = sim.ports_there(number), sim.c
        self.lanes_there, self.out_vcs_there = (several(found, sim.vcs) for found in ports)
        """Lanes and output VCs of ports that the router has; then the inputs and outputs of the switch."""
        self.inputs_there, self.outputs_there = several(ports[0], c.input_speedup), several(ports[1], c.output_speedup)
        self.stalled: set[int] = set()
        """Lanes whose bids are of no use in this step."""
        self.diagonals = [0, 0]
        """Of a wavefront: where the next sweep of the switch begins, and that of the output VCs. Of a matching of most
        inputs: the input that goes first."""
        self.whole_turns = [
            ([0] * len(self.inputs_there), [0] * len(self.outputs_there)),
            ([0] * len(self.lanes_there), [0] * len(self.out_vcs_there)),
        ]
        """Of lonely outputs, likewise: the turns of inputs and of outputs."""
        self.asking_there = sorted(self.lanes_there, key=self.asking_number)
        sides = ((len(self.turn_output), len(self.turn_input)), (len(self.lanes), len(self.out_vcs)))
        kinds = (c.arbiter, c.arbiter_groups), (c.vc_arbiter, c.vc_arbiter_groups)
        (self.input_arbiters, self.output_arbiters), (self.lane_arbiters, self.out_vc_arbiters) = (
            (Arbiters(ones * kept, others, *kind), Arbiters(others * kept, ones, *kind))
            for (ones, others), kind, kept in zip(sides, kinds, c.places_kept, strict=True)
        )
        stream = 2 * (sim.endpoints * (1 + len(c.more_classes)) + number)
        self.switch_key, self.out_vc_key = plain_stream_key(c.seed, stream), plain_stream_key(c.seed, stream + 1)

    def asking_number(self, b: int) -> int:
        """The number of a lane among those that ask for output VCs: by port, or by virtual channel first."""
        port, vc = divmod(b, self.sim.vcs)
        return vc * self.sim.inputs + port if self.c.vc_asks_by_channel else b

    def switch_input(self, b: int) -> int:
        """The input of the switch that lane b uses."""
        port, vc = divmod(b, self.sim.vcs)
        return port * self.c.input_speedup + vc % self.c.input_speedup

    def switch_output(self, b: int, o: int) -> int:
        """The output of the switch by which lane b gets to output VC o."""
        return o // self.sim.vcs * self.c.output_speedup + b // self.sim.vcs % self.c.output_speedup

    def _order(self, b: int) -> int:
        """What goes first where priorities count: the lowest."""
        return self.sim.order_at(self.lanes[b]) if self.lanes[b].packet is not None else 0

    def _input_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        v, i, outputs = self.sim.vcs, self.switch_input(b), len(self.turn_input)
        output, vc = (self.switch_output(b, o) - self.turn_output[i]) % outputs, (b % v - self.turn_vc[i]) % v
        if self.c.places_kept[0]:
            output = self.input_arbiters.place(i, self.switch_output(b, o))
        if self.c.allocator in BLIND:
            return output, later, self._order(b), vc
        return later, self._order(b), output, vc

    def _output_rank(self, bid: tuple[int, int, int]) -> tuple[int, ...]:
        b, o, later = bid
        i, q = self.switch_input(b), self.switch_output(b, o)
        in_turn = (i - self.turn_input[q]) % len(self.turn_output)
        rank = self.output_arbiters.place(q, i) if self.c.places_kept[0] else in_turn
        first = () if self.c.allocator in BLIND else (later, self._order(b))
        return (*first, rank, *self._input_rank(bid))

    def allocate_switch(self, bids: list[tuple[int, int, int]], t: int) -> list[tuple[int, int]]:
        """Match inputs and outputs of the switch; returns (lane, output VC) of the winners."""
        if self.c.allocator in ("wavefront", "rr_wavefront", *WHOLE):
            return self._match_cells(bids)
        v, granted = self.sim.vcs, []
        into, out_of = lambda bid: self.switch_input(bid[0]), lambda bid: self.switch_output(*bid[:2])
        for iteration in range(self.c.allocator_iterations):
            if self.c.allocator == "pim":
                self._draw_switch_turns(t * self.c.allocator_iterations + iteration)
            sides = [(into, self._input_rank), (out_of, self._output_rank)]
            if self.c.allocator in ("output_first", "islip", "pim"):
                sides.reverse()
            left = bids
            for port, rank in sides:
                first = self._first_of_each(left, port, rank)
                left = [bid for bid in left if self._goes_with(bid, first[port(bid)], port is into)]
            for b, o, _ in sorted(left):
                granted.append((b, o))
                i, q = self.switch_input(b), self.switch_output(b, o)
                if iteration == 0 or self.c.allocator != "islip":
                    self.turn_output[i] = (q + 1) % len(self.turn_input)
                    if b not in self.stalled:
                        self.turn_vc[i] = (b % v + self.c.input_speedup) % v
                    self.turn_input[q] = (i + 1) % len(self.turn_output)
                    self.input_arbiters.serve(i, q)
                    self.output_arbiters.serve(q, i)
            outputs, won = {out_of(bid) for bid in left}, {into(bid): bid for bid in left}
            bids = [x for x in bids if out_of(x) not in outputs and self._goes_with(x, won.get(into(x), x), True)]
        return granted

    def _first_of_each(
        self, bids: list[Bid], place: Callable[[Bid], Place], rank: Callable[[Bid], Any]
    ) -> dict[Place, Bid]:
        """The bid that goes first of those of each place. One that is alone there has no need of a rank."""
        rivals: dict[Place, list[Bid]] = {}
        for bid in bids:
            rivals.setdefault(place(bid), []).append(bid)
        return {at: some[0] if len(some) == 1 else min(some, key=rank) for at, some in rivals.items()}

    def _goes_with(self, bid: tuple[int, int, int], first: tuple[int, int, int], at_input: bool) -> bool:
        """Whether a bid gets what the first at an input or output gets: it is that one, unless packets branch."""
        return bid == first

    def _draw_switch_turns(self, time: int) -> None:
        """Every side of the switch begins anywhere; the virtual channels of an input and output go in turn."""
        inputs, outputs = len(self.turn_output), len(self.turn_input)
        first, key = time * (inputs + outputs), self.switch_key
        self.turn_output = [one_of(self.outputs_there, key, first + i) for i in range(inputs)]
        self.turn_input = [one_of(self.inputs_there, key, first + inputs + q) for q in range(outputs)]

    def _match_cells(self, bids: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
        """By a wavefront or as a whole; of the bids of an input for one output the lane in turn stands for all."""
        best = self._first_of_each(
            bids, lambda bid: (self.switch_input(bid[0]), self.switch_output(*bid[:2])), self._input_rank
        )
        sides = self.inputs_there, self.outputs_there, self.c.allocator
        if self.c.allocator in WHOLE:
            found = list(self._match_whole(0, {i: [q for j, q in best if j == i] for i, _ in best}, *sides).items())
        else:
            found = self._sweep(0, {cell: (bid[2], self._order(bid[0])) for cell, bid in best.items()}, *sides)
        for cell in found:
            if best[cell][0] not in self.stalled:
                self.turn_vc[cell[0]] = (best[cell][0] % self.sim.vcs + self.c.input_speedup) % self.sim.vcs
        return sorted(best[cell][:2] for cell in found)

    def _sweep(
        self, which: int, cells: dict[tuple[int, int], Any], inputs: list[int], outputs: list[int], kind: str
    ) -> list[tuple[int, int]]:
        """A wavefront over requests and their ranks, after which the next one begins a diagonal later.

        Of the inputs and outputs that are there the places count.
        """
        if not cells:
            return []
        square = max(len(inputs), len(outputs))
        placed = {(inputs.index(i), outputs.index(o)): rank for (i, o), rank in cells.items()}
        found = sweep(placed, self.diagonals[which], square)
        last = sum(found[0]) if kind == "rr_wavefront" else self.diagonals[which]
        self.diagonals[which] = (last + 1) % square
        return [(inputs[i], outputs[o]) for i, o in found]

    def _match_whole(
        self, which: int, asked: Mapping[int, Any], inputs: list[int], outputs: list[int], kind: str
    ) -> dict[int, int]:
        """Match inputs with outputs that they ask for, as a whole; of those that are there the places count."""
        if not asked:
            return {}
        placed = {inputs.index(i): [outputs.index(o) for o in wanted] for i, wanted in asked.items()}
        if kind == "lonely_output":
            found = lonely(placed, *self.whole_turns[which])
        else:
            found = largest(placed, len(inputs), self.diagonals[which])
            self.diagonals[which] = (self.diagonals[which] + 1) % len(inputs)
        return {inputs[i]: outputs[o] for i, o in found.items()}
