/**
 * Runs of a network that the page makes itself: its arrays, what Python says of each routing (`src/jumpnet/explore/runs.py`)
 * and presets of the module give the record and the memory of a run, by compiled functions (`sizes.py`, `begun.py`).
 */
import { unpack } from "../data/decode";
import type { Network } from "../data/network";
import type { Kernels } from "./kernels";
import { type Block, type Layout, type Link, type Numbers, type Packed, type Preset, type Runs, VIEW, type Which } from "./runs";
import { names, prepared, started, type Traffic } from "./patterns";
import { countsFrom, layersOf, routedOf, tabled } from "./tables";
import { type Instance, RunError } from "./types";

/** A routing as the page has it. */
export interface Offer {
  readonly routing: string;
  readonly relation: string;
  readonly start: string;
  readonly draws: number;
  readonly queues: number;
  /** Counts of virtual channels, the fewest first. */
  readonly vcs: readonly number[];
  /** What `fit_sizes` is given of it. */
  readonly says: Readonly<Record<string, number>>;
  /** Whether it has escapes with each count of channels, where that is not the same for all. */
  readonly careful?: readonly number[];
  /** Numbers of its own and the shape of its table, where the page fills both. */
  readonly filled?: { readonly own: number; readonly table: readonly [number, number] };
  /** Whether its layers, and so the fewest virtual channels, are searched when it is asked for. */
  readonly searched?: boolean;
  /** What was prepared, and which of it each count of channels reads. */
  readonly made?: readonly { readonly own: BigInt64Array; readonly table: Int16Array; readonly shape: readonly [number, number] }[];
  readonly made_of?: readonly number[];
}

export interface Given {
  readonly mark: string;
  readonly network: string;
  /** Whether the first routing is what the network has when none is named. */
  readonly default: boolean;
  readonly routings: readonly Offer[];
  readonly traffic: readonly Traffic[];
}

/** Traffic that is the worst for a routing begins so. */
export const WORST = "worst:routing=";
const BUBBLES = "bubbles";
const ROOM = 1 << 15; // bytes for a record, what it is fitted by, and the sizes

export class Offered implements Runs {
  readonly channels: number;
  readonly links: readonly Link[];
  private readonly sizes: Readonly<Record<string, number>>;
  private named: readonly string[] | null = null;
  private last: Traffic | null = null;
  private readonly worstFound = new Map<string, Traffic>();
  private readonly sought = new Map<string, Promise<void>>(); // worst traffic that is being looked for
  private readonly found = new Map<string, readonly number[]>(); // counts of virtual channels of routings that were searched

  private constructor(
    private readonly given: Given,
    private readonly net: Network,
    private readonly layout: Layout,
    private readonly desk: Instance,
  ) {
    this.channels = net.neighbor.reduce((sum, to) => sum + Number(to >= 0), 0);
    this.sizes = sizesOf(net);
    this.links = linksOf(layout);
  }

  static async open(text: string, net: Network, kernels: Kernels): Promise<Offered> {
    return Offered.of((await unpack(text)) as unknown as Given, net, kernels);
  }

  static async of(given: Given, net: Network, kernels: Kernels): Promise<Offered> {
    return new Offered(given, net, kernels.layout, await kernels.desk());
  }

  get mark(): string {
    return this.given.mark;
  }

  get network(): string {
    return this.given.network;
  }

  /** Whether the first routing is that which a command has where none is named. */
  get usual(): boolean {
    return this.given.default;
  }

  /** Names of the traffic that its runs can have, uniform first. */
  get patterns(): readonly string[] {
    return (this.named ??= [...new Set([...names(this.net, this.given.traffic), ...this.worst])]);
  }

  /** The traffic of a spec; throws a RunError that says what does not suit. */
  traffic(spec: string): Traffic {
    const found = this.worstFound.get(spec);
    if (found) return found;
    if (this.last?.traffic !== spec) this.last = prepared(spec, this.net, this.given.traffic);
    return this.last;
  }

  /** Traffic that loads a routing most, for each of jumpnet's own; those of a user stand as tables here. */
  private get worst(): string[] {
    const { relation } = this.layout.tabled;
    return this.given.routings.filter((each) => each.relation !== relation).map((each) => `${WORST}${each.routing}`);
  }

  /** Whether that is worst traffic which has yet to be found (`find`). */
  unfound(spec: string): boolean {
    return this.worst.includes(spec) && !this.given.traffic.some((row) => row.traffic === spec) && !this.worstFound.has(spec);
  }

  /** Finds worst traffic, where it has not been; throws a RunError where that is too much. */
  async find(spec: string, kernels: Kernels): Promise<void> {
    if (!this.unfound(spec)) return;
    const search = this.sought.get(spec) ?? this.search(spec, kernels).finally(() => this.sought.delete(spec));
    this.sought.set(spec, search); // who asks again meanwhile waits for the same one
    await search;
  }

  private async search(spec: string, kernels: Kernels): Promise<void> {
    const routing = spec.slice(WORST.length);
    await this.settle(routing, kernels);
    const run = await tabled(this, this.run({ routing, traffic: "uniform" }), kernels, null);
    const { terminals, sinks } = this.net;
    const to = await kernels.worst({ routed: routedOf(run, kernels, `worst traffic for ${routing} on ${this.network}`), terminals, sinks });
    this.worstFound.set(spec, { traffic: spec, destination: "traffic._permutation.destination", own: BigInt64Array.from(to, BigInt), draws: 1 });
  }

  /** Terminals that send, and that receive. */
  get ends(): { readonly sources: number; readonly sinks: number } {
    return { sources: total(this.net.terminals), sinks: total(this.net.sinks) };
  }

  /** A spec to begin with where a pattern is chosen by its name. */
  begun(name: string): string {
    return started(name, this.net, this.given.traffic) ?? name;
  }

  /** Its routings, the default one first. */
  get routings(): string[] {
    return this.given.routings.map((each) => each.routing);
  }

  counts(routing: string): readonly number[] {
    return this.found.get(routing) ?? this.offer(routing).vcs;
  }

  /** Whether it is known how many virtual channels a routing may have. */
  counted(routing: string): boolean {
    return !this.offer(routing).searched || this.found.has(routing);
  }

  /** Finds how many virtual channels a routing has, where that is not known; throws a RunError where they are too many. */
  async settle(routing: string, kernels: Kernels): Promise<void> {
    if (!this.offer(routing).searched || this.found.has(routing)) return;
    this.found.set(routing, countsFrom(await layersOf(this, this.run({ routing }), kernels)));
  }

  presets(routing: string): string[] {
    return this.offer(routing).says.bubble ? ["booksim"] : Object.keys(this.layout.presets).filter((name) => name !== BUBBLES);
  }

  /** Flits of an input buffer, the preset's own first. */
  buffers(routing: string, preset: string): number[] {
    const usual = this.preset(routing, preset).settings.buffer_flits as number;
    return this.offer(routing).says.bubble ? [usual] : [...new Set([usual, ...this.layout.buffers])];
  }

  settings(routing: string, preset: string): Packed["settings"] {
    return this.preset(routing, preset).settings;
  }

  private preset(routing: string, name: string): Preset {
    const found = this.layout.presets[this.offer(routing).says.bubble ? BUBBLES : name];
    if (!found) throw new RunError(`preset ${name} found, one of ${this.presets(routing).join(", ")} expected`);
    return found;
  }

  private offer(routing: string): Offer {
    const found = this.given.routings.find((each) => each.routing === routing);
    if (!found) throw new RunError(`${this.network} has no run of routing ${routing}`);
    return found;
  }

  /** The run that is so; what is left out is the first that there is. */
  run(which: number | Which = {}): Packed {
    const wanted = typeof which === "number" ? {} : which;
    const { layout, net } = this;
    const offer = this.offer(wanted.routing ?? this.routings[0]!);
    const name = wanted.preset ?? "booksim";
    const preset = this.preset(offer.routing, name);
    const counts = this.counts(offer.routing);
    const vcs = wanted.vcs ?? counts[0]!;
    const buffer = wanted.buffer ?? this.buffers(offer.routing, name)[0]!;
    const traffic = this.traffic(wanted.traffic ?? this.patterns[0]!);
    if (!counts.includes(vcs)) throw new RunError(`${this.network} has no run of ${Object.entries(wanted).map(([key, value]) => `${key} ${value}`).join(", ")}`);
    const { record, bytes } = this.fitted(offer, preset, vcs, buffer);
    const word = (field: string): number => Number(record[layout.record.indexOf(field)]!);
    const entries = this.entries(word);
    const terminals = word("terminals");
    const calls = [
      { block: "record", word: layout.record.indexOf("relation"), what: "relation", name: offer.relation },
      { block: "record", word: layout.record.indexOf("start"), what: "start", name: offer.start },
      { block: "class_calls", word: 0, what: "destination", name: traffic.destination },
      { block: "class_calls", word: 3, what: "advance", name: preset.advance },
    ].filter((call) => call.name !== "");
    return {
      routing: offer.routing, preset: name, vcs, draws: offer.draws, entries, record, calls, buffer,
      settings: { ...preset.settings, vcs, buffer_flits: buffer, traffic: traffic.traffic },
      routers: net.routers, terminals, link_outputs: net.ports, link_inputs: word("link_inputs"), inputs: word("inputs"), outputs: word("outputs"),
      port_vcs: vcs, lanes: word("lanes"), lookahead: word("lookahead"), packets_a_cycle: 2 * terminals,
      mean_packet_flits: layout.longest, longest_flits: layout.longest,
      blocks: { ...this.memory(bytes, word, entries), ...this.view(offer, vcs), ...this.called(traffic) },
      pattern: { size: traffic.own.length, draws: traffic.draws },
      begun: { cycles: preset.link_cycles, longest: layout.longest }, filled: offer.filled !== undefined,
    };
  }

  /** The record of a run, and the bytes of its arrays. */
  private fitted(offer: Offer, preset: Preset, vcs: number, buffer: number): { record: BigInt64Array; bytes: BigInt64Array } {
    const { layout, desk } = this;
    const told: Record<string, number> = { ...this.sizes, ...offer.says, draws: offer.draws, vcs, buffer, longest: layout.longest };
    if (offer.careful) told.careful = offer.careful[offer.vcs.indexOf(vcs)]!;
    for (const [name, usual] of [["shortest", preset.link_cycles], ["farthest", preset.link_cycles]] as const) told[name] ??= usual;
    const parts = [preset.record.map(BigInt), layout.given.map((name) => BigInt(told[name]!)), layout.state.map(() => 0n)];
    let at = (desk.exports.__heap_base as WebAssembly.Global).value as number;
    if (desk.memory.buffer.byteLength < at + ROOM) desk.memory.grow(1);
    const addresses = parts.map((part) => {
      at = Math.ceil(at / 8) * 8;
      new BigInt64Array(desk.memory.buffer, at, part.length).set(part);
      return (at += 8 * part.length) - 8 * part.length;
    });
    (desk.exports.fit_sizes as (...args: number[]) => number)(...addresses);
    const [record, bytes] = [0, 2].map((k) => new BigInt64Array(desk.memory.buffer, addresses[k]!, parts[k]!.length).slice());
    return { record: record!, bytes: bytes! };
  }

  /** What simulates cycles: for plain runs another entry than for others, and one that keeps routers as sets (no routing looks at queues then). */
  private entries(word: (field: string) => number): Packed["entries"] {
    const { plain, sets_entries, single_entries } = this.layout;
    const isPlain = Object.entries(plain).every(([field, value]) => word(field) === value);
    if (!isPlain || !word("ring") || word("start_looks")) return { rows: isPlain ? "run_plain" : "run_any" };
    const members = Math.max(word("lanes"), word("out_vcs"));
    const sets = sets_entries.find(([most]) => members <= most)![1];
    return { rows: "run_plain", sets, single: single_entries[sets] };
  }

  private memory(bytes: BigInt64Array, word: (field: string) => number, entries: Packed["entries"]): Record<string, Block> {
    const blocks: Record<string, Block> = {};
    this.layout.state.forEach((name, k) => (blocks[name] = zeros(Number(bytes[k]!))));
    const places = entries.single ? word("route_places") : 0;
    blocks.stations = zeros(12 * places);
    blocks.standing = zeros(places ? 8 * word("routers") * word("lanes") * word("buffer") : 0);
    return blocks;
  }

  /** What a routing sees, and the record of its sizes. */
  private view({ filled, made, made_of, vcs: counts, queues }: Offer, vcs: number): Record<string, Block> {
    const { net } = this;
    const of = made?.[made_of![counts.indexOf(vcs)]!];
    const shape = filled?.table ?? of!.shape;
    const own = of ? holds(of.own) : zeros(8 * filled!.own);
    const numbers = [net.routers, net.ports, net.dims, net.params.length, own.bytes / 8, ...shape, vcs, queues];
    return {
      "view.neighbor": holds(net.neighbor), "view.far_port": holds(net.farPort), "view.link_class": holds(net.linkClass),
      "view.coord": holds(net.coord), "view.params": holds(net.params), "view.own": own,
      "view.table": of ? holds(of.table) : zeros(2 * shape[0]! * shape[1]!),
      view: holds(BigInt64Array.from([...VIEW.map(() => 0), ...numbers], BigInt)),
      "net.terminals": holds(net.terminals), "net.sinks": holds(net.sinks), ...(net.latency ? { "net.latency": holds(net.latency) } : {}),
    };
  }

  private called({ own }: Traffic): Record<string, Block> {
    const { call_fields, process_numbers } = this.layout;
    return { class_calls: zeros(8 * call_fields), pattern_own: holds(own), process_own: zeros(8 * process_numbers) };
  }
}

const zeros = (bytes: number): Block => ({ bytes, contents: null });
const holds = (contents: Numbers): Block => ({ bytes: contents.byteLength, contents });
const greatest = (numbers: Int32Array): number => numbers.reduce((a, b) => Math.max(a, b), 0);
const total = (numbers: Int32Array): number => numbers.reduce((a, b) => a + b, 0);

/** What `fit_sizes` is given of a network. */
function sizesOf(net: Network): Record<string, number> {
  const links = net.latency?.filter((_, channel) => net.neighbor[channel]! >= 0);
  const cycles: Record<string, number> = links?.length ? { shortest: links.reduce((a, b) => Math.min(a, b)), farthest: greatest(links) } : {};
  return {
    routers: net.routers, terminals: total(net.terminals), sinks: total(net.sinks), link_outputs: net.ports,
    link_inputs: Math.max(net.ports, net.farPort.reduce((a, b) => Math.max(a, b), -1) + 1),
    entering: greatest(net.terminals), leaving: greatest(net.sinks), ...cycles,
  };
}

/** Words of a run's memory that are addresses. */
function linksOf(layout: Layout): Link[] {
  const named: [string, string][] = [...layout.state.map((name): [string, string] => [name, name]), ["class_calls", "class_calls"], ["routing_view", "view"]];
  const record = named.map(([field, block]): Link => ["record", layout.record.indexOf(field), block]);
  return [...record, ...VIEW.map((name, word): Link => ["view", word, `view.${name}`]), ["class_calls", 1, "pattern_own"], ["class_calls", 4, "process_own"]];
}
