/** What the page shows, as one plain object: its link, its Python line and its command all come from this. */
export type Value = string | number | boolean | readonly number[];

/** Keys that every panel may read. A panel's own keys begin with its id and a dot: `faults.links`. */
export interface State {
  readonly net: string; // spec of the network
  readonly panel: string; // id of the open panel
  readonly view: string; // "plane", "folded" or "space"
  readonly routing: string; // name of the routing, "" for the network's default
  readonly vcs: number; // virtual channels, 0 for what the routing needs
  readonly eye: string; // where the drawing is looked at from, "" for all of it
  readonly picked: readonly number[]; // routers picked, in order: source, destination, more
  readonly traffic: string;
  readonly load: number; // flits per terminal and cycle
  readonly packet: number; // flits of a packet
  readonly seed: number;
  readonly [key: string]: Value;
}

/** How a key is read and written: its default decides the type. Values outside are refused (the default is taken). */
export interface Key {
  readonly initial: Value;
  readonly least?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /** What a text must look like that is none of a list. */
  readonly form?: RegExp;
  /** The one spelling of a text that may be written in several ways. */
  readonly plain?: (text: string) => string;
  /** What its values are, for people, where the type and the bounds do not say it. */
  readonly like?: string;
  /** What its numbers number on a network: routers in any order, routers of a way, which ends before one that there is not, links by a channel. */
  readonly of?: "routers" | "way" | "links";
}

const WHOLE = /^\d{1,15}$/;
const PART = /^(\d{1,15}(\.\d{0,20})?|\.\d{1,20})(e[+-]?\d{1,2})?$/i; // as a command takes it

export const SHARED: Readonly<Record<string, Key>> = {
  net: { initial: "" },
  panel: { initial: "network" },
  view: { initial: "plane", choices: ["plane", "folded", "space"] },
  eye: {
    initial: "", form: /^\d{1,8}(?:_-?\d{1,8}){4}$/, plain: (text) => text && text.split("_").map(Number).join("_"),
    like: "numbers as the page writes them",
  },
  routing: { initial: "" },
  vcs: { initial: 0, least: 0, most: 64 },
  picked: { initial: [], of: "routers" },
  traffic: { initial: "uniform" },
  load: { initial: 0.1, least: 0, most: 1 },
  packet: { initial: 4, least: 1, most: 16 },
  seed: { initial: 1, least: 0, most: 4294967295 },
};

/** The state that a link's hash says; keys that are missing, unknown or out of range have their default. */
export function read(hash: string, keys: Readonly<Record<string, Key>>): State {
  const state: Record<string, Value> = {};
  for (const [name, key] of Object.entries(keys)) state[name] = key.initial;
  for (const [name, text] of wordsOf(hash)) {
    const key = keys[name];
    const value = key && text !== null ? parse(text, key) : null;
    if (value !== null) state[name] = value;
  }
  return state as unknown as State;
}

/** Keys and values of a link's hash; null for a word that is no pair. */
export function wordsOf(hash: string): [name: string, text: string | null][] {
  return hash.replace(/^#/, "").split("&").filter(Boolean).map((word) => {
    const at = word.indexOf("=");
    return at < 0 ? [decoded(word), null] : [word.slice(0, at), decoded(word.slice(at + 1))];
  });
}

/** The hash of a state: only what differs from the defaults, in the order of the keys. */
export function write(state: State, keys: Readonly<Record<string, Key>>): string {
  const words: string[] = [];
  for (const [name, key] of Object.entries(keys)) {
    const text = spelled(state[name] ?? key.initial);
    if (name === "net" || text !== spelled(key.initial)) words.push(`${name}=${encoded(text)}`);
  }
  return `#${words.join("&")}`;
}

/** A value as a link has it. */
export const spelled = (value: Value): string => (Array.isArray(value) ? value.join(".") : String(value));
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2C|3D|2B|2F)/g, decodeURIComponent).replaceAll("'", "%27");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The value that a text means, null where the key has none such. */
export function parse(text: string, key: Key): Value | null {
  const initial = key.initial;
  if (Array.isArray(initial)) {
    const words = text === "" ? [] : text.split(".");
    return words.every((each) => WHOLE.test(each)) ? words.map(Number) : null;
  }
  if (typeof initial === "boolean") return text === "true" ? true : text === "false" ? false : null;
  if (typeof initial === "number") {
    const number = Number(text);
    const inside = number >= (key.least ?? -Infinity) && number <= (key.most ?? Infinity);
    return (Number.isInteger(initial) ? WHOLE : PART).test(text) && inside ? number : null;
  }
  if (key.form && text !== key.initial && !key.form.test(text)) return null;
  return key.choices && !key.choices.includes(text) ? null : (key.plain?.(text) ?? text);
}
