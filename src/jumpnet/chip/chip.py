"""One chip of one slice, clock by clock: links, buffers, bit-map generators, crossbar, combining unit, modes.

Source: nishi1997router section 4 (Figure 9). A clock has six phases, which the network runs over all chips in turn:
`transfer` (crossbar), `arbitrate`, `check` (opposite buffer empty?), `decide` (bit-map), `receive` (line and input
buffer), `finish` (ready levels, timers, modes). Each uses what the phases before it left in the clock before, so a
header takes one clock for each of the five (choices in docs/decisions/0050). The slow, obvious twin of the kernel
`compiled._phases`.
"""

from __future__ import annotations

from typing import NamedTuple

from jumpnet.chip.bitmap import SINK, Decision, bitmap, sent_vc
from jumpnet.chip.buffer import PacketBuffer
from jumpnet.chip.combining import CombiningUnit, Entry
from jumpnet.chip.configuration import NO_LINK, from_words, to_words
from jumpnet.chip.crossbar import Crossbar, Transfer
from jumpnet.chip.half_duplex import Line, Register
from jumpnet.chip.links import COMBINE, IDLE, LAST, LINKS, MBP0, MBP1, NAMES, OUTPUTS, TAG, VCS, names
from jumpnet.chip.modes import END, NORMAL, SETTING_UP, SHOOT, SHOOTING, WATCHDOG, Command, Modes
from jumpnet.chip.packet import ACKED, HEADER_FLITS, Tag
from jumpnet.chip.parity import odd
from jumpnet.chip.settings import Settings
from jumpnet.chip.watchdog import FIRES_AT, Watchdog, limit_clocks
from jumpnet.terms import I64

__all__ = ["Chip"]


class _Request(NamedTuple):
    """What an input link asks for."""

    buffer: PacketBuffer
    way: int
    outputs: tuple[int, ...]

    def wants(self, output: int) -> bool:
        """Whether it asks for an output; no more when a header flit that came in meanwhile was wrong."""
        return output in self.outputs and (self.buffer.flush or not self.buffer.bad)


class Chip:
    """A router chip. `lines[l]` and `ends[l]` say which end of which line its link l is; the network sets them."""

    def __init__(self, registers: I64, settings: Settings) -> None:
        self.registers, self.settings = registers, settings
        self.lines: list[Line | None] = [None] * LINKS
        self.ends = [0] * LINKS
        self.buffers = [[PacketBuffer(link, v) for v in range(VCS)] for link in range(LINKS)]
        self.crossbar = Crossbar()
        self.unit = CombiningUnit(settings.entries)
        self.watchdog = Watchdog(settings.watchdog_clocks)
        self.modes = Modes()
        self.requests: list[_Request | None] = [None] * LINKS
        self.last_vc = [VCS - 1] * LINKS
        self.turn = LINKS - 1
        """The input served last of those that ask for several outputs at once."""
        self.target: list[PacketBuffer | None] = [None] * LINKS
        """The buffer that the packet on each line goes to."""
        self.command: list[int] | None = None
        self.to_unit = Register()
        self.emitting: list[int] = []
        self.asleep = False
        self.woken = -1
        self.ticked = False
        """Whether the prescaler of the watchdog ticked in the clock before."""
        self.errors: list[str] = []
        self.log: list[str] | None = None
        """Words of this clock's trace line; None when nobody listens."""

    def _note(self, text: str) -> None:
        if self.log is not None:
            self.log.append(text)

    # The six phases of a clock.

    def transfer(self, clock: int) -> None:
        """One flit of each granted pass goes through the crossbar and onto the lines."""
        for link, now in enumerate(self.crossbar.transfer):
            pulled = None if now is None else now.pull()
            if now is None or pulled is None:
                continue
            flit, strobe = pulled
            first = strobe != TAG and now.position == 1 and not now.buffer.flush
            for output, vc in now.outputs.items():
                sent = int(sent_vc(flit, vc)) if first else flit
                if output == COMBINE:
                    self.to_unit.put(sent, strobe, clock)
                else:
                    self._line(output).put(self.ends[output], sent, strobe, clock)
            if strobe == LAST:
                self._release(link, now, clock)

    def _release(self, link: int, now: Transfer, clock: int) -> None:
        for output in now.outputs:
            if output != COMBINE:
                self._line(output).release(self.ends[output], clock)
        self.crossbar.release(link)
        now.buffer.sent()
        self._note(f"sent {NAMES[link]}.{now.buffer.vc}")

    def arbitrate(self, clock: int) -> None:
        """Each free output, if its line is free too, goes to the next input in turn that asks."""
        several = {
            link
            for link, request in enumerate(self.requests)
            if self.settings.wait_for_all and request and len(request.outputs) > 1
        }
        if clock % 2 == 0:
            self._grant_whole(several, clock)
        granted: dict[int, list[int]] = {}
        for output in range(OUTPUTS):
            asking = {link for link, request in enumerate(self.requests) if request and request.wants(output)} - several
            if asking and self._free(output, clock):
                granted.setdefault(self.crossbar.arbiters[output].grant(asking), []).append(output)
        for link, outputs in granted.items():
            request = self.requests[link]
            assert request is not None
            self._connect(link, request, outputs)
        if clock % 2:
            self._grant_whole(several, clock)

    def _free(self, output: int, clock: int) -> bool:
        """Whether an output has no owner and its line may be taken."""
        if self.crossbar.owner[output] is not None:
            return False
        return output == COMBINE or self._line(output).may_send(self.ends[output], clock)

    def _grant_whole(self, links: set[int], clock: int) -> None:
        """Each of these inputs in turn gets all the outputs that it asks for, or none (`Settings.wait_for_all`)."""
        served = []
        for k in range(1, LINKS + 1):
            link = (self.turn + k) % LINKS
            request = self.requests[link]
            if link not in links or request is None:
                continue
            if all(request.wants(j) and self._free(j, clock) for j in request.outputs):
                self._connect(link, request, list(request.outputs))
                served.append(link)
        self.turn = served[0] if served else self.turn

    def _connect(self, link: int, request: _Request, outputs: list[int]) -> None:
        buffer, decision = request.buffer, request.buffer.decision
        mask = sum(1 << output for output in outputs)
        vc_1 = 0 if decision is None or buffer.flush else decision.vc_1
        tag = None
        if buffer.flush:
            tag = buffer.tag().flit()
            buffer.sending = True
            if buffer.entry is not None and not buffer.known:
                self.unit.release(buffer.entry)
        else:
            if request.way == SINK and buffer.soft:
                assert decision is not None
                tag = Tag(link, buffer.vc, decision.outputs, 1).flit()
            buffer.grant(1 << MBP0 if request.way == SINK else mask)
        self.crossbar.connect(
            link, Transfer(buffer, request.way, {output: vc_1 >> output & 1 for output in outputs}, tag)
        )
        for output in outputs:
            if output != COMBINE:
                self._line(output).start(self.ends[output])
        self.last_vc[link] = buffer.vc
        self._note(f"grant {NAMES[link]}.{buffer.vc}>{names(mask)}")

    def check(self, clock: int) -> None:
        """Each input link that is free in the next clock asks for the outputs whose opposite buffer is ready."""
        wanted = 0
        for link in range(LINKS):
            now = self.crossbar.transfer[link]
            self.requests[link] = None
            if now is not None and not now.ends_next:
                continue
            for k in range(1, VCS + 1):
                request = self._wish(self.buffers[link][(self.last_vc[link] + k) % VCS])
                if request is not None:
                    self.requests[link] = request
                    wanted |= sum(1 << output for output in request.outputs)
                    break
        for output in range(LINKS):
            line = self.lines[output]
            if line is not None:
                line.wants[self.ends[output]] = bool(wanted >> output & 1)
        if wanted:
            self._note(f"ask {names(wanted)}")

    def _wish(self, buffer: PacketBuffer) -> _Request | None:
        if self.modes.now == SETTING_UP or buffer.closing or (buffer.sending and buffer.flush):
            return None
        if self.modes.now == SHOOTING and buffer.complete and not buffer.sending:
            buffer.flush = True
        if buffer.flush:
            to_mbp = buffer.complete and self._output_ready(MBP0, 0)
            return _Request(buffer, SINK, (MBP0,)) if to_mbp else None
        if self.modes.now == SHOOTING:
            return None
        if buffer.decision is not None and buffer.acked and not buffer.known and buffer.entry is None:
            self._reserve(buffer, buffer.decision)
        for way, mask in buffer.passes():
            mine = mask
            if way == SINK:
                mine = 1 << MBP1 if buffer.ram[1] >> 15 & 1 else 1 << MBP0
            assert buffer.decision is not None
            vc_1 = buffer.decision.vc_1
            ready = tuple(j for j in range(OUTPUTS) if mine >> j & 1 and self._output_ready(j, vc_1 >> j & 1))
            if ready and (len(ready) == mine.bit_count() or not self.settings.wait_for_all):
                return _Request(buffer, way, ready)
        return None

    def _output_ready(self, output: int, vc: int) -> bool:
        if self.crossbar.vc_on(output) == vc:
            return False  # The level does not show the packet that is on its way.
        if output == COMBINE:
            return self.unit.ready
        return self._line(output).ready[1 - self.ends[output]][vc]

    def decide(self, clock: int) -> None:
        """Bit-maps of headers that have come far enough; keys to the combining unit; the unit's own clock."""
        for pair in self.buffers:
            for buffer in pair:
                if not buffer.count:
                    continue
                if buffer.bad:
                    buffer.flush |= not buffer.sending
                elif buffer.decision is None and buffer.count >= self.settings.bitmap_clocks:
                    self._decide(buffer)
                keyed = buffer.count > HEADER_FLITS and not buffer.bad
                if buffer.entry is not None and not buffer.known and keyed:
                    self._register(buffer, buffer.entry)
        self.unit.step(int(self.ticked), self.settings.entry_ticks)
        if self.modes.now == NORMAL and not self.emitting and self.buffers[MBP1][1].empty:
            self.emitting = self.unit.emit() or []

    def _decide(self, buffer: PacketBuffer) -> None:
        found = bitmap(buffer.header(), buffer.link, self.registers)
        if found is None:
            return
        buffer.decided(found)
        self._note(f"map {NAMES[buffer.link]}.{buffer.vc}={names(found.outputs) or 'error'}")

    def _reserve(self, buffer: PacketBuffer, decision: Decision) -> None:
        """Who is to combine; a destination that sends nothing on needs no entry, its MBP answers by itself."""
        if decision.outputs != decision.sink:
            buffer.entry = self.unit.reserve()
        if buffer.entry is None:
            buffer.combine_at_mbp()

    def _register(self, buffer: PacketBuffer, entry: Entry) -> None:
        """The key of a multicast and its number of copies."""
        assert buffer.decision is not None
        key, soft = buffer.ram[HEADER_FLITS] >> 2 & 0xFFFF, buffer.ram[1] >> 16 & 1
        if self.unit.register(entry, key, buffer.decision.outputs.bit_count(), buffer.link, soft):
            buffer.known = True
        else:
            buffer.combine_at_mbp()

    def receive(self, clock: int) -> None:
        """What the lines carry goes into the input buffers, an own acknowledge into that of MBP 1."""
        for link in range(LINKS):
            line = self.lines[link]
            flit, strobe = (0, IDLE) if line is None else line.take(self.ends[link], clock)
            if strobe == TAG:
                self._tagged(link, flit)
            elif strobe != IDLE and self.command is not None and link == MBP0:
                self.command.append(flit)
                if strobe == LAST:
                    self._execute()
            elif strobe != IDLE:
                self._store(link, flit, strobe)
        if self.emitting:
            flit = self.emitting.pop(0)
            self.buffers[MBP1][1].write(flit, IDLE if self.emitting else LAST)
        flit, strobe = self.to_unit.take(clock)
        if strobe != IDLE:
            self.unit.incoming.append(flit)

    def _tagged(self, link: int, flit: int) -> None:
        tag = Tag.parse(flit)
        if odd(flit):
            self.error(f"wrong parity in a tag on {NAMES[link]}")
        elif tag.link == NO_LINK:
            self.command = []
        else:
            self.target[link] = self.buffers[tag.link][tag.vc]
            self.buffers[tag.link][tag.vc].restored = tag

    def _store(self, link: int, flit: int, strobe: int) -> None:
        target = self.target[link]
        if target is None:
            vc = flit >> 17 & 1
            if odd(flit) and not self.buffers[link][vc].accepts(True):
                vc = 1 - vc  # The channel bit itself is wrong: the other buffer is the one that was promised.
            target = self.target[link] = self.buffers[link][vc]
        place = target.write(flit, strobe)
        address = place == HEADER_FLITS and target.ram[1] >> 13 & 3 == ACKED
        if (place < HEADER_FLITS or address) and odd(flit):
            target.spoil()
            self.error(f"wrong parity in flit {place + 1} on {NAMES[link]}")
        if strobe == LAST:
            self.target[link] = None
            self._note(f"in {NAMES[link]}.{target.vc}")

    def _execute(self) -> None:
        assert self.command is not None
        if any(map(odd, self.command)):
            self.error("wrong parity in a command")
        else:
            self.obey(Command.parse(self.command))
        self.command = None

    def obey(self, command: Command) -> None:
        """Do what the MBP has commanded."""
        if command.code == END:
            self.modes.end()
        elif command.code == SHOOT:
            self.shoot()
        elif command.code == WATCHDOG:
            self.watchdog.set(limit_clocks(command.value))
        else:
            words = to_words(self.registers)
            words[command.index] = command.value
            self.registers = from_words(words)

    def finish(self, clock: int) -> None:
        """Ready levels for the next clock, ages, and the mode."""
        open_ = self.modes.now == NORMAL
        for link in range(LINKS):
            line = self.lines[link]
            if line is not None:
                end, pair, early = self.ends[link], self.buffers[link], self.settings.early
                shown = open_ and not line.stuck_ready[end]
                own = link == MBP1  # Its channel 1 takes what the combining unit sends.
                line.ready[end] = (shown and pair[0].accepts(early), shown and not own and pair[1].accepts(early))
        self.ticked = self.watchdog.tick(clock)
        if self.ticked:
            self._grow_old()
        quiet = self.quiet
        self.modes.step(quiet)
        idle = quiet and self.woken < clock and self.modes.now == NORMAL
        self.asleep = idle and self.unit.idle and not self.settings.entry_ticks

    def _grow_old(self) -> None:
        for pair in self.buffers:
            for buffer in pair:
                buffer.age += buffer.count > 0
                if buffer.age >= FIRES_AT and buffer.complete and not buffer.sending and not buffer.flush:
                    buffer.flush = True
                    self.errors.append(f"watchdog of {NAMES[buffer.link]}.{buffer.vc}")
                    self._note(self.errors[-1])

    @property
    def quiet(self) -> bool:
        """Whether all packet buffers are empty and nothing moves."""
        moving = any(now is not None for now in self.crossbar.transfer) or self.emitting or any(self.target)
        return not moving and all(buffer.empty for pair in self.buffers for buffer in pair)

    def error(self, text: str) -> None:
        """An error was found: note it and shoot down (section 4.5)."""
        self.errors.append(text)
        self._note(text)
        self.shoot()

    def shoot(self) -> None:
        """Shoot down: the MBP, the barrier line or an error asks for it."""
        self.asleep = False
        self.modes.shoot()

    def status_parity(self) -> int:
        """The parity of the internal state that the two slices compare (choice E3)."""
        bits = self.modes.now
        for pair in self.buffers:
            for b in pair:
                state = b.count | b.arriving << 5 | b.sending << 10 | b.flush << 12 | b.known << 13
                bits ^= state ^ b.remaining ^ b.complete << 14 ^ b.soft << 15
        for owner in self.crossbar.owner:
            bits ^= 0 if owner is None else owner + 1
        for entry in self.unit.entries:
            bits ^= 0 if entry is None else entry.key ^ entry.count
        return odd(int(bits))

    def _line(self, output: int) -> Line:
        line = self.lines[output]
        assert line is not None, f"no line at {NAMES[output]}"
        return line
