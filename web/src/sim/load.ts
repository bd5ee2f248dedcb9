/** What a run is given before its cycles: how long packets are, and how many flits a terminal offers in a cycle. */
import type { Machine } from "./machine";
import { type About, RunError } from "./types";

const CALLS = "class_calls"; // a row for each load that the run has had
const [OWN, COUNT, UNTIL] = [4, 5, 7]; // words of a row: where the numbers of the process of injection stand, how many they are, the cycle of the next load

/** Packets of so many flits. */
export function setLength(machine: Machine, text: string): void {
  const { run } = machine;
  if (text === run.settings.packet_flits) return;
  const flits = Number(text);
  if (!Number.isInteger(flits) || flits < 1 || flits > run.longest_flits || machine.longs("length").length > 1)
    throw new RunError(`packets of ${text} flits found, 1 to ${run.longest_flits} expected of this image`);
  if (machine.size("bubble")) machine.setSize("bubble", flits); // the room that a packet leaves free
  machine.longs("length")[0] = BigInt(flits);
}

function meanFlits({ run }: Machine, text: string): number {
  return text === run.settings.packet_flits ? run.mean_packet_flits : Number(text);
}

/** So many flits per terminal and cycle, in packets of the length of the settings, from a cycle on; from 0 on all of the run has that load. */
export function setLoad(machine: Machine, { settings }: About, load: number, from: number): void {
  const rate = load / meanFlits(machine, String(settings.packet_flits));
  if (!(load >= 0 && load <= 1 && rate <= 1)) throw new RunError(`load ${load} found, 0 to 1 expected`);
  const { call_fields: width, no_step, process_numbers } = machine.layout;
  const row = from === 0 ? 0 : 1 + lastRow(machine);
  const own = row === 0 ? machine.address("process_own") : machine.room(`process_own ${row}`, 8 * process_numbers);
  const count = numbersOf(machine, own, String(settings.injection), rate, load);
  if ((row + 1) * width > machine.longs(CALLS).length) machine.lengthen(CALLS, 2);
  if (row > 0) {
    machine.longs(CALLS).copyWithin(row * width, (row - 1) * width, row * width);
    machine.setWord(CALLS, (row - 1) * width + UNTIL, from);
    machine.setWord(CALLS, row * width + OWN, own);
  }
  machine.setWord(CALLS, row * width + COUNT, count);
  machine.setWord(CALLS, row * width + UNTIL, no_step);
  settings.load = load;
}

/** The row of the load that the run has now. */
function lastRow(machine: Machine): number {
  const { call_fields: width, no_step } = machine.layout;
  const calls = machine.longs(CALLS);
  let row = 0;
  while (calls[row * width + UNTIL] !== BigInt(no_step)) row++;
  return row;
}

/** Writes the numbers of a process of injection at a rate of packets; returns how many there are. */
function numbersOf(machine: Machine, at: number, injection: string, rate: number, load: number): number {
  const [process, ...options] = injection.split(/[:,]/);
  if (process === "bernoulli") return machine.call("rate_of_bernoulli", at, rate);
  const given = new Map(options.map((option) => option.split("=") as [string, string]));
  const number = (name: string, usual: number): number => Number(given.get(name) ?? usual);
  const numbers = machine.call("rate_of_onoff", at, rate, number("alpha", 0.5), number("beta", 0.5), number("r1", -1));
  if (!numbers) throw new RunError(`load ${load} found, one that ${process} can have expected`);
  return numbers;
}
