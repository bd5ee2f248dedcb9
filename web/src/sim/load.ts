/** What a run is given before its cycles: how long packets are, and how many flits a terminal offers in a cycle. */
import type { Machine } from "./machine";
import { type About, RunError } from "./types";

const [CALLS, COUNT] = ["class_calls", 5]; // the word that says how many numbers the process of injection has

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

/** So many flits per terminal and cycle, in packets of the length of the settings. */
export function setLoad(machine: Machine, { settings }: About, load: number): void {
  const rate = load / meanFlits(machine, String(settings.packet_flits));
  if (!(load >= 0 && load <= 1 && rate <= 1)) throw new RunError(`load ${load} found, 0 to 1 expected`);
  machine.setWord(CALLS, COUNT, numbersOf(machine, String(settings.injection), rate, load));
  settings.load = load;
}

/** Writes the numbers of a process of injection at a rate of packets; returns how many there are. */
function numbersOf(machine: Machine, injection: string, rate: number, load: number): number {
  const at = machine.address("process_own");
  const [process, ...options] = injection.split(/[:,]/);
  if (process === "bernoulli") return machine.call("rate_of_bernoulli", at, rate);
  const given = new Map(options.map((option) => option.split("=") as [string, string]));
  const number = (name: string, usual: number): number => Number(given.get(name) ?? usual);
  const numbers = machine.call("rate_of_onoff", at, rate, number("alpha", 0.5), number("beta", 0.5), number("r1", -1));
  if (!numbers) throw new RunError(`load ${load} found, one that ${process} can have expected`);
  return numbers;
}
