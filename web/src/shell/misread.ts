/** What a link says that is not shown: what was found, what is expected, the nearest name. */
import { alike, shortened } from "../data/words";
import { parse, spelled, wordsOf, type Key, type State } from "../state/state";

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

/** A sentence for each key whose value the network or a panel has not, and what is shown in its place; `names`: what some keys may name. */
export function unshown(asked: State, shown: State, keys: Keys, names: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.keys(keys).flatMap((name) => {
    const [before, now, initial] = [asked[name]!, shown[name]!, keys[name]!.initial].map(spelled) as [string, string, string];
    if (before === now || before === initial || name === "net") return [];
    const near = alike(before, names[name] ?? []);
    if (near) return [`${said(name, before)} found, a ${name.split(".").at(-1)!} of ${shown.net} expected${meant(near)}`];
    if (name === "picked" && now === [...new Set(before.split("."))].join(".")) return [`${said(name, before)} found, each router once expected; ${said(name, now)} is shown.`];
    return [`${said(name, before)} found, which ${shown.net} does not have; ${now === initial ? "it is left out" : `${said(name, now)} is shown`}.`];
  });
}

/** The values of a key, in words. */
function expected({ initial, least, most, choices, form, like }: Key): string {
  if (Array.isArray(initial)) return "whole numbers joined by dots";
  if (typeof initial === "boolean") return "true or false";
  if (typeof initial === "number") {
    const kind = Number.isInteger(initial) ? "a whole number" : "a number";
    return least === undefined ? kind : most === undefined ? `${kind} from ${least} on` : `${kind} from ${least} to ${most}`;
  }
  if (form) return like ?? "numbers as the page writes them";
  return `one of ${choices!.filter(Boolean).join(", ")}`;
}
