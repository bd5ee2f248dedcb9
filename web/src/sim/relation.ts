/** One routing on one network: its relation and start hook, the compiled Python, asked a packet at a time. */
import { breaking, type Broken } from "./broken";
import type { Kernels } from "./kernels";
import { Machine } from "./machine";
import type { Runs, Which } from "./runs";
import { tabled } from "./tables";
import { type Candidate, type Header, type Place, RunError } from "./types";

export class Relation {
  private constructor(private readonly machine: Machine) {
    const { layout } = machine;
    // names that no block of a run has
    machine.reserve("asked head", 8 * layout.header_fields);
    machine.reserve("asked out", 8 * 4 * layout.candidates);
    machine.reserve("asked queue", 8 * Math.max(1, machine.run.routers * machine.run.link_outputs));
  }

  static async from(image: Runs, kernels: Kernels, which?: number | Which, broken: Broken | null = null): Promise<Relation> {
    return new Relation(await Machine.of(image, await tabled(image, image.run(which), kernels, broken), kernels, breaking(broken)));
  }

  /** Draws that the start hook tells apart (intermediate routers of Valiant, say). */
  get draws(): number {
    return this.machine.run.draws;
  }

  get routing(): string {
    return this.machine.run.routing;
  }

  /** A packet about to enter; `draw` is below `draws`. All queues that a start hook may look at are empty. */
  start(source: number, destination: number, draw = 0): Place {
    const header: Header = { source, destination, state: 0n, in_port: -1, in_vc: -1, intermediate: -1 };
    const hook = this.name("start");
    if (hook === undefined) return { here: source, header };
    this.write(header);
    const { machine } = this;
    machine.ask(hook, machine.address("view"), machine.address("asked head"), draw, machine.address("asked queue"));
    return { here: source, header: this.read() };
  }

  /** What the relation offers, in its order; empty once arrived. */
  candidates(packet: Place): Candidate[] {
    const { machine } = this;
    this.write(packet.header);
    const [view, head, out] = ["view", "asked head", "asked out"].map((name) => machine.address(name)) as [number, number, number];
    const count = machine.ask(this.name("relation")!, view, packet.here, head, out);
    if (count < 0) throw new RunError(`${machine.run.routing} has no route from router ${packet.here} on`);
    const { kinds } = machine.layout;
    const rows = machine.longs("asked out");
    const neighbor = machine.ints("view.neighbor");
    return Array.from({ length: count }, (_, k) => {
      const [port, vc, kind] = [0, 1, 3].map((j) => Number(rows[4 * k + j])) as [number, number, number];
      const state = rows[4 * k + 2]!;
      const to = neighbor[packet.here * machine.run.link_outputs + port]!;
      return { port, vc, state, escape: (kind & kinds.escape) !== 0, enters: (kind & kinds.enters) !== 0, to };
    });
  }

  /** The packet after one hop. */
  take(packet: Place, by: Candidate): Place {
    const in_port = this.machine.ints("view.far_port")[packet.here * this.machine.run.link_outputs + by.port]!;
    return { here: by.to, header: { ...packet.header, state: by.state, in_port, in_vc: by.vc } };
  }

  /** The header's state as the routing has it: of one that runs as tables, what stands beside its number. */
  told(header: Header): bigint {
    const { layout, run } = this.machine;
    if (this.name("relation") !== layout.tabled.relation) return header.state;
    const own = this.machine.longs("view.own");
    const [draws, states, rows] = [0, 1, 2].map((k) => Number(own[k])) as [number, number, number];
    return own[layout.tabled.head + run.routers ** 2 * draws + states + 1 + rows + Number(header.state)]!;
  }

  private name(what: string): string | undefined {
    return this.machine.run.calls.find((call) => call.what === what)?.name;
  }

  private write(header: Header): void {
    const words = this.machine.longs("asked head").fill(0n);
    for (const [name, at] of Object.entries(this.machine.layout.header)) words[at] = BigInt(header[name as keyof Header]);
  }

  private read(): Header {
    const words = this.machine.longs("asked head");
    return Object.fromEntries(
      Object.entries(this.machine.layout.header).map(([name, at]) => [name, name === "state" ? words[at]! : Number(words[at])]),
    ) as unknown as Header;
  }
}
