/** The simulator of this page and what runs it has of its networks, unpacked when a view first asks for them. */
import { bytesOf, inflate, unpack } from "../data/decode";
import { load } from "../data/store";
import { anywhere, modelOf } from "./anywhere";
import type { Given } from "./offered";
import { beside } from "./beside";
import { fill, type Filled } from "./filling";
import { withLayers } from "./layers";
import { Kernels, Offered } from "./simulation";

const offers = new Map<string, Promise<Offered>>();
const ready = new Map<string, Offered>();
let module: Promise<Kernels> | null = null;

const element = (spec: string, kind = "run"): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(`script[type="application/x-jumpnet-${kind}"]`)].find((each) => each.dataset.spec === spec);

/** Whether the page can follow routes and simulate on a network. */
export const runs = (spec: string): boolean => element(spec) !== undefined || element(modelOf(spec)) !== undefined;

/** What to say where it cannot. */
export const noRuns = (spec: string): string =>
  `This page has no runs of ${spec}; jumpnet explore ${spec} writes one that has them.`;

/** The compiled simulator. */
export function kernels(): Promise<Kernels> {
  const text = document.querySelector('script[type="application/x-jumpnet-wasm"]')?.textContent ?? "";
  module ??= inflate(bytesOf(text)).then((bytes) => Kernels.load(bytes)).then(withThread);
  return module;
}

const AT_ONCE = 300; // routers up to which tables take no time to speak of

/** Tables of larger networks are filled beside the page, and worst cases found. */
function withThread(made: Kernels): Kernels {
  made.fill = async (filling) => {
    if (filling.ends.length <= AT_ONCE) return fill(await made.instance(), filling);
    return beside<Filled>(`the tables of ${filling.what}`, { module: made.module, pages: made.layout.pages, filling });
  };
  made.worst = (loaded) => beside<number[]>(`the ${loaded.routed.what}`, { module: made.module, pages: made.layout.pages, loaded });
  return made;
}

/** The runs of a network: every routing, number of virtual channels, preset and traffic. */
export function offered(spec: string): Promise<Offered> {
  const known = offers.get(spec) ?? made(spec);
  offers.set(spec, known);
  void known.then((made) => ready.set(spec, made), () => undefined);
  return known;
}

async function made(spec: string): Promise<Offered> {
  const own = element(spec);
  const [net, compiled, given] = await Promise.all([load(spec), kernels(), unpack((own ?? element(modelOf(spec)))?.textContent ?? "")]);
  if (own) return Offered.of(given as unknown as Given, net, compiled);
  const sized = element(spec, "size");
  const { routings } = sized ? ((await unpack(sized.textContent ?? "")) as unknown as Pick<Given, "routings">) : { routings: [] };
  const here = anywhere(given as unknown as Given, net, routings);
  return Offered.of(sized ? here : await withLayers(here, net, compiled), net, compiled);
}

/** The same where it has been unpacked, else null. */
export const opened = (spec: string): Offered | null => ready.get(spec) ?? null;

/** Routings that go round faults, by tables that are filled here. */
export const ROUND = ["up_down", "lash", "dfsssp", "nue", "rdt.fault_tolerant", "minimal"];

/** Those of a network that go round faults. */
export const roundOf = (held: Offered): string[] => ROUND.filter((name) => held.routings.includes(name));
