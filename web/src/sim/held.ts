/** The simulator and the run images of this page, unpacked when a view first asks for them. */
import { bytesOf, inflate } from "../data/decode";
import { Image, Kernels } from "./simulation";

const images = new Map<string, Promise<Image>>();
const ready = new Map<string, Image>();
let module: Promise<Kernels> | null = null;

const element = (spec: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('script[type="application/x-jumpnet-run"]')].find((each) => each.dataset.spec === spec);

/** Whether the page can follow routes and simulate on a network. */
export const runs = (spec: string): boolean => element(spec) !== undefined;

/** What to say where it cannot. */
export const noRuns = (spec: string): string =>
  `This page has no runs of ${spec}; jumpnet explore ${spec} writes one that has them.`;

/** The compiled simulator. */
export function kernels(): Promise<Kernels> {
  const text = document.querySelector('script[type="application/x-jumpnet-wasm"]')?.textContent ?? "";
  module ??= inflate(bytesOf(text)).then((bytes) => Kernels.load(bytes));
  return module;
}

/** The runs of a network: one for each routing, traffic and number of virtual channels. */
export function image(spec: string): Promise<Image> {
  const known = images.get(spec) ?? Image.open(element(spec)?.textContent ?? "");
  images.set(spec, known);
  void known.then((made) => ready.set(spec, made), () => undefined);
  return known;
}

/** The same where it has been unpacked, else null. */
export const opened = (spec: string): Image | null => ready.get(spec) ?? null;

/** Routings that go round faults, by tables that are filled here. */
export const ROUND = ["up_down", "lash", "dfsssp", "nue", "rdt.fault_tolerant", "minimal"];

/** Routings of an image, in its order: the default first. */
export const routingsOf = (held: Image): string[] => [...new Set(held.runs.map((run) => run.routing))];

/** Those of an image that go round faults. */
export const roundOf = (held: Image): string[] => ROUND.filter((name) => routingsOf(held).includes(name));
