/** What a link says that is not shown: what was found, what is expected, the nearest name. */
import { bothWays } from "../data/faults";
import type { Network } from "../data/network";
import { alike, shortened } from "../data/words";
import { fitting, numbered } from "./fitting";
import { parse, spelled, wordsOf, write, type Key, type State, type Value } from "../state/state";

type Keys = Readonly<Record<string, Key>>;

const MOST_SAID = 60; // characters of what was found

const said = (name: string, text: string): string => shortened(`${name}=${text}`, MOST_SAID);

/** A sentence for each word that is no key, or no value of its key. */
export function misread(hash: string, keys: Keys): string[] {
  return wordsOf(hash).flatMap(([name, text]) => {
    if (text === null) return [`${shortened(name, MOST_SAID)} found, a key and its value as in view=space expected.`];
    const key = keys[name];
    if (key && parse(text, key) !== null) return [];
    const near = key ? alike(text, key.choices ?? []) : alike(name, Object.keys(keys));
    return [`${said(name, text)} found, ${key ? expected(key) : "a key of this page"} expected${meant(near)}`];
  });
}

const meant = (near: string): string => (near ? `; did you mean ${near}?` : ".");

/** A sentence for what a link says besides a network that is not here, if anything. */
export function besides(asked: State, keys: Keys): string[] {
  const rest = write({ ...asked, net: "" } as State, keys).replace(/^#net=&?/, "");
  return rest ? [`${shortened(rest, MOST_SAID)} is left out with it.`] : [];
}

/** What is known of some keys: what they may name, and sentences for those that a panel has looked at itself. */
export interface About {
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly said: Readonly<Record<string, string>>;
}

/** A sentence for each key whose value the network or a panel has not, and what is shown in its place. */
export function unshown(asked: State, shown: State, net: Network, keys: Keys, { names, said: known }: About): string[] {
  return Object.keys(keys).flatMap((name) => {
    const [before, now, initial] = [asked[name]!, shown[name]!, keys[name]!.initial].map(spelled) as [string, string, string];
    if (before === now || before === initial || name === "net") return [];
    if (known[name]) return [known[name]];
    if (alikeNumbers(asked[name]!, shown[name]!, keys[name]!, net)) return [];
    const near = alike(before, names[name] ?? []);
    if (near) return [`${said(name, before)} found, a ${name.split(".").at(-1)!} of ${net.spec} expected${meant(near)}`];
    const instead = now === initial ? "it is left out" : `${said(name, now)} is shown`;
    return [`${said(name, before)} found, ${wrong(name, asked, net, keys)}; ${instead}.`];
  });
}

/** Whether both number the same routers or links: in another order, or a link by its other end. */
function alikeNumbers(asked: Value, shown: Value, { of }: Key, net: Network): boolean {
  if (!of || !Array.isArray(asked) || !Array.isArray(shown)) return false;
  const told = (numbers: readonly number[]): string => (of === "links" ? lowest(numbers, net) : [...numbers]).sort((a, b) => a - b).join(".");
  return told(asked as readonly number[]) === told(shown as readonly number[]);
}

/** Links by their lower channels. */
const lowest = (links: readonly number[], net: Network): number[] => links.map((each) => (net.neighbor[each]! >= 0 ? bothWays(net, each)[0] : each));

/** What is wrong with a value that a network or a panel has not. */
function wrong(name: string, asked: State, net: Network, keys: Keys): string {
  const [key, value] = [keys[name]!, spelled(asked[name]!)];
  if (key.like) return `${key.like} expected`;
  const there = spelled(fitting(asked, net, keys)[name]!);
  if (key.of === "links" && there === value && new Set(lowest(asked[name] as readonly number[], net)).size < value.split(".").length) return "each link once expected";
  if (!key.of || there === value) return `which ${net.spec} does not have`;
  if (there === [...new Set(value.split("."))].join(".")) return `each ${key.of === "links" ? "link" : "router"} once expected`;
  return `${numbered(key, net)} of ${net.spec} expected`;
}

/** The values of a key, in words. */
function expected({ initial, least, most, choices, form, like }: Key): string {
  if (like) return like;
  if (Array.isArray(initial)) return "whole numbers joined by dots";
  if (typeof initial === "boolean") return "true or false";
  if (typeof initial === "number") {
    const kind = Number.isInteger(initial) ? "a whole number" : "a number";
    return least === undefined ? kind : most === undefined ? `${kind} from ${least} on` : `${kind} from ${least} to ${most}`;
  }
  if (form) return "numbers as the page writes them";
  return `one of ${choices!.filter(Boolean).join(", ")}`;
}
