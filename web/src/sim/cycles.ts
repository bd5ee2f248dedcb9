/** Cycles by the compiled simulator: with routers as rows or as sets, in calls that are not too long, with room for packets. */
import type { Machine } from "./machine";
import { type About, RunError } from "./types";

/** Simulates from one cycle up to another; `reached` is told of each cycle to which it has come. */
export function runCycles(machine: Machine, about: About, from: number, last: number, reached: (cycle: number) => void): void {
  const { layout, run } = machine;
  if (last >= layout.last_cycle) throw new RunError(`cycle ${last} found, below ${layout.last_cycle} expected`);
  const room = run.lookahead * run.packets_a_cycle;
  let cycle = from;
  while (cycle < last) {
    lengthenBatches(machine, last);
    const sets = asSets(machine);
    const most = run.entries.sets && !sets ? Math.min(layout.longest_call, layout.first_call + (cycle >> 2)) : layout.longest_call;
    machine.setSize("packed", sets ? 1 : 0);
    const single = about.settings.packet_flits === "1" ? run.entries.single : undefined;
    const entry = sets ? (single ?? run.entries.sets!) : run.entries.rows;
    const next = machine.call(entry, machine.record, cycle, Math.min(last, cycle + most), room, 0);
    refuse(machine, about);
    if (next === cycle) makeRoom(machine, room, cycle);
    reached((cycle = next));
  }
}

function lengthenBatches(machine: Machine, last: number): void {
  const needed = Math.floor(last / (machine.run.settings.batch_cycles as number)) + 2;
  while (needed > machine.size("batches_rows")) machine.lengthen("batches", 2);
}

/** Whether routers are kept as sets in the next cycles; the results are the same. */
function asSets(machine: Machine): boolean {
  const { run, layout } = machine;
  if (!run.entries.sets) return false;
  const atWork = machine.counter("entered") - machine.counter("ejected") + machine.counter("packets");
  return atWork >= layout.busy[run.entries.sets]! * run.routers * run.lanes;
}

function makeRoom(machine: Machine, room: number, cycle: number): void {
  const rows = machine.size("packet_rows");
  if (rows - machine.counter("packets") >= room) throw new RunError(`the run stands still at cycle ${cycle}`);
  machine.lengthen("packet", 2);
  machine.lengthen("flit", 2);
  machine.call("more_packets", machine.record, rows);
}

/** Throws where the simulator has met what it cannot do. */
function refuse(machine: Machine, { network, routing }: About): void {
  const why = machine.counter("error");
  if (!why) return;
  const { errors } = machine.layout;
  const where = `router ${machine.counter("error_router")} of ${network}`;
  if (why === errors.no_route) throw new RunError(`routing ${routing} has no route at ${where}`);
  if (why === errors.bad_candidate) throw new RunError(`routing ${routing} gives a port or vc that is not there at ${where}`);
  if (why === errors.livelock) throw new RunError(`livelock: a packet at ${where} has passed too many routers under ${routing}`);
  throw new RunError(`the run has failed at ${where}`);
}
