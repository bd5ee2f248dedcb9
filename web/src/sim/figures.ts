/** A window of cycles, and the figures of the packets in it: as `jumpnet.sim.measure.run` and `simulate` have them. */
import type { Machine } from "./machine";
import { halfWidth, jain, longest, mean, mergeBatches, percentile } from "./numbers";
import type { Channel, Figures } from "./types";

const KINDS = ["packet", "network", "flit"] as const;
const SUMMED = ["latency_sum", "network_sum", "flit_sum", "flits", "hops_sum"];
const COUNTED = ["created_measured", "done_measured", "created_flits_measured", "max_latency"];

/** What a run remembers besides its memory. */
export class Window {
  start = 0;
  /** First cycle after it; -1 while it goes on. */
  end = -1;
  /** Flits sent by each output port before it, and once it is over in it. */
  sent: Int32Array;
  /** Flits that had arrived, at its start and after each of its batches. */
  left: number[];
  /** Mean flits of an input buffer, one sample a batch. */
  readonly occupancy: number[] = [];
  accepted = NaN;
  lag = NaN;
  saturated = false;
  warm = false;
  drained = false;
  /** Channels that wait for each other, when a deadlock has been found. */
  deadlock: Channel[] | null = null;
  longestWait = 0;

  constructor(readonly machine: Machine) {
    this.sent = new Int32Array(machine.run.routers * machine.run.outputs);
    this.left = [machine.counter("ejected")];
  }

  /** Begin at this cycle; `fresh` forgets what packets were counted before. */
  open(cycle: number, fresh: boolean): void {
    const { machine } = this;
    this.start = cycle;
    this.sent = sentNow(machine);
    this.left = [machine.counter("ejected")];
    machine.setWord("window", 0, cycle);
    if (!fresh) return;
    for (const name of [...SUMMED, ...COUNTED, ...SUMMED.map((each) => `reply_${each}`), "replies_measured"])
      machine.setCounter(name, 0);
    machine.longs("histogram").fill(0n);
    machine.longs("by_source").fill(0n);
    this.forgetPackets();
  }

  /** Packets on their way, created before the window, do not count when they arrive. */
  private forgetPackets(): void {
    const { layout } = this.machine;
    const packets = this.machine.ints("packet"); // lower halves of 64-bit numbers
    for (let at = 2 * layout.packet_kind; at < packets.length; at += 2 * layout.packet_fields) packets[at]! &= layout.measured - 1;
  }

  /** A batch of it is over. */
  sample(): void {
    const { machine } = this;
    const { routers, link_outputs, port_vcs } = machine.run;
    this.left.push(machine.counter("ejected"));
    const held = machine.answer("held", routers * link_outputs);
    machine.call("sum_held", machine.record, held.byteOffset);
    let total = 0;
    for (const flits of held) total += flits;
    this.occupancy.push(total / Math.max(1, machine.channels * port_vcs));
  }

  close(cycle: number): void {
    const { machine } = this;
    const { routers, outputs, link_outputs } = machine.run;
    const { terminals } = machine;
    this.end = cycle;
    machine.setWord("window", 1, cycle);
    const now = sentNow(machine);
    this.sent = now.map((flits, k) => flits - this.sent[k]!);
    let ejected = 0;
    for (let r = 0; r < routers; r++)
      for (let p = link_outputs; p < outputs; p++) ejected += this.sent[r * outputs + p]!;
    this.accepted = ejected / Math.max(1, cycle - this.start) / terminals;
    this.lag = machine.call("sum_lag", machine.record, cycle) / terminals / Math.max(1, cycle);
  }

  /** Mean and half width of one column of the whole batches over another. */
  private band(sums: string, counts = "packets"): [number, number] {
    const { layout, run } = this.machine;
    const size = run.settings.batch_cycles as number;
    const rows = this.machine.longs("batches");
    const column = (name: string): number[] => {
      const values = [];
      for (let k = Math.ceil(this.start / size); k < Math.floor(this.end / size); k++)
        values.push(Number(rows[k * layout.batch_fields + layout.batch.indexOf(name)]));
      return values;
    };
    return this.bandOf(column(sums), column(counts));
  }

  private bandOf(sums: number[], counts: number[]): [number, number] {
    const { groups, student } = this.machine.layout;
    const means = mergeBatches(sums, counts, groups);
    return [mean(means), halfWidth(means, student)];
  }

  histogram(kind: (typeof KINDS)[number]): Float64Array {
    const all = this.machine.ints("histogram"); // 64-bit counts, whose halves are read much faster than the whole
    const cells = this.machine.size("histogram_cells");
    const first = KINDS.indexOf(kind) * cells;
    const upTo = Math.min(cells, this.machine.counter("max_latency") + 1);
    const counts = new Float64Array(upTo);
    for (let k = 0, at = 2 * first; k < upTo; k++, at += 2) counts[k] = (all[at]! >>> 0) + all[at + 1]! * 2 ** 32;
    return counts;
  }

  /** The figures at this cycle; of a window that goes on, of its cycles so far. */
  figures(cycle: number): Figures {
    const { machine } = this;
    const over = this.end >= 0;
    const cycles = Math.max(1, (over ? this.end : cycle) - this.start);
    const { run } = machine;
    const done = machine.counter("done_measured");
    const [meanLatency, width] = over ? this.band("latency") : [NaN, NaN];
    const wait = machine.call("longest_wait", machine.record, cycle);
    const settings = run.settings;
    const size = settings.batch_cycles as number;
    const flits = this.left.slice(1).map((n, k) => n - this.left[k]!);
    const whole = flits.slice(0, Math.floor(cycles / size));
    const arrived = machine.counter("ejected") - this.left[0]!;
    const precision = (settings.precision as number | undefined) ?? 0.02;
    return {
      offered_load: settings.load as number,
      accepted_load: over ? this.accepted : arrived / cycles / machine.terminals,
      accepted_load_half_width: this.bandOf(whole, whole.map(() => size * machine.terminals))[1],
      ...this.latencies(done),
      packet_latency_max_cycles: done ? machine.counter("max_latency") : NaN,
      packet_latency_half_width_cycles: width,
      network_latency_half_width_cycles: over ? this.band("network")[1] : NaN,
      flit_latency_half_width_cycles: over ? this.band("flit", "flits")[1] : NaN,
      converged: this.warm && !this.saturated && width <= precision * meanLatency,
      saturated: this.saturated,
      warmup_detected: this.warm,
      warmup_cycles: this.start,
      measured_cycles: (over ? this.end : cycle) - this.start,
      cycles: cycle,
      drained: this.drained,
      packets: done,
      flit_hops: machine.counter("flit_hops"),
      source_lag: over ? this.lag : machine.call("sum_lag", machine.record, cycle) / machine.terminals / Math.max(1, cycle),
      ...this.channels(cycles, over),
      ...this.sources(cycles),
      longest_wait_cycles: Math.max(this.longestWait, wait),
      starved: this.longestWait > 10 * (settings.deadlock_cycles as number),
      deadlocked: this.deadlock !== null,
    };
  }

  private latencies(packets: number): Figures {
    const { machine } = this;
    const [latency, network, flit, flits, hops] = SUMMED.map((name) => machine.counter(name)) as [
      number, number, number, number, number,
    ];
    const each = packets ? 1 / packets : NaN;
    const figures: Figures = {
      packet_latency_mean_cycles: latency * each,
      network_latency_mean_cycles: network * each,
      flit_latency_mean_cycles: flits ? flit / flits : NaN,
      hops_mean: hops * each,
    };
    for (const kind of KINDS) {
      const histogram = this.histogram(kind);
      for (const q of [50, 90, 95, 99]) figures[`${kind}_latency_p${q}_cycles`] = percentile(histogram, q / 100);
      figures[`${kind}_latency_max_cycles`] = longest(histogram);
    }
    return figures;
  }

  private channels(cycles: number, over: boolean): Figures {
    const { machine } = this;
    const { routers, outputs, link_outputs } = machine.run;
    const neighbor = machine.ints("view.neighbor");
    const now = over ? null : sentNow(machine);
    const loads: number[] = [];
    for (let r = 0; r < routers; r++)
      for (let p = 0; p < link_outputs; p++)
        if (neighbor[r * link_outputs + p]! >= 0) {
          const k = r * outputs + p;
          loads.push((now ? now[k]! - this.sent[k]! : this.sent[k]!) / cycles);
        }
    const samples = this.occupancy;
    return {
      channel_load_mean: mean(loads),
      channel_load_max: loads.length ? loads.reduce((most, load) => Math.max(most, load), 0) : NaN,
      buffer_occupancy_mean_flits: mean(samples),
      buffer_occupancy_max_flits: samples.length ? Math.max(...samples) : NaN,
    };
  }

  private sources(cycles: number): Figures {
    const by = Array.from(this.machine.longs("by_source").subarray(0, this.machine.terminals), Number);
    const extreme = (better: (a: number, b: number) => number): number => by.reduce((a, b) => better(a, b)) / cycles;
    return {
      accepted_min_by_source: extreme(Math.min),
      accepted_max_by_source: extreme(Math.max),
      fairness_jain: jain(by),
    };
  }
}

/** (R, outputs) flits sent since cycle 0. */
export function sentNow(machine: Machine): Int32Array {
  const count = machine.run.routers * machine.run.outputs;
  const sent = machine.answer("sent", count);
  machine.call("sum_sent", machine.record, sent.byteOffset);
  return sent.slice();
}
