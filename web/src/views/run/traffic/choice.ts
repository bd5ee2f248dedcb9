/** Choice of a traffic pattern by its name, and fields for its parameters: numbers, lists, a permutation, a matrix. */
import { button, choice, el, note, row, type Option } from "../../../shell/controls";
import type { App } from "../../../shell/panel";
import { worstFor } from "../choices";
import { PARAMETERS, parsed, spelled, type Parameter } from "../../../sim/patterns";
import { RunError, type Offered } from "../../../sim/simulation";
import { fromFile } from "./file";

const SELF = "uniform:self=1"; // the one parameter of uniform traffic stands in the list itself
const HEAVY = 100_000; // characters that are pasted at most

/** What stands in a field, as a spec has it: numbers joined by -, rows by /. */
export function packed(text: string): string {
  const lines = text.slice(0, HEAVY).split(/[\n/]+/).map((line) => line.trim().split(/[\s,;\-]+/).filter(Boolean).join("-"));
  return lines.filter(Boolean).join("/");
}

/** A number below zero, whose sign would be read as what joins numbers. */
const negative = (text: string): string => /(?:^|[\s,;/])(-\d+)/.exec(text.slice(0, HEAVY))?.[1] ?? "";

/** The other way round. */
export const unpacked = (value: string): string => value.replaceAll("-", " ").replaceAll("/", "\n");

const numbers = (parameter: Parameter): boolean => parameter.kind === "list" || parameter.kind === "area";

/** What is typed, as its spec has it: a permutation may be broken into lines as one likes. */
const given = (parameter: Parameter, text: string): string =>
  !numbers(parameter) ? text.trim() : parameter.key === "rows" ? packed(text) : packed(text).replaceAll("/", "-");

export class TrafficChoice {
  readonly element: HTMLElement;
  private readonly names;
  private readonly fields = el("div", { class: "fields" });
  private readonly wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  private readonly file = el("input", { type: "file", hidden: true, tabindex: -1 });
  private readonly open: HTMLButtonElement;
  private held: Offered | null = null;
  private shown = "";
  private waiting: File | null = null; // dropped before it is known what there is

  constructor(
    app: App,
    private readonly change: (traffic: string) => void,
  ) {
    this.names = choice({ label: "Traffic", options: [], value: "", change: (name) => this.held && change(this.held.begun(name)) });
    this.file.addEventListener("change", () => {
      const file = this.file.files?.[0];
      if (file) this.read(file);
      this.file.value = ""; // the same file may be chosen again
    });
    const title = "A destination for each terminal, or a row of weights for each; a file dropped on this page does too";
    this.open = button("From a file", () => this.file.click(), { title });
    this.element = el("div", {}, this.names.element, this.fields, this.wrong, this.file);
    app.onFile((file) => this.read(file));
  }

  private read(file: File): void {
    const { held } = this;
    this.waiting = held ? null : file;
    if (!held) return;
    if (this.file.disabled) return this.say(`${file.name} found; other traffic than ${this.shown} does not run here.`);
    fromFile(file, held.ends).then((traffic) => {
      if (held === this.held && this.suits(held, traffic) && traffic !== this.shown) this.change(traffic);
    }, (error) => this.say(`${error instanceof Error ? error.message : error}.`));
  }

  /** Whether there is such traffic; says why not. */
  private suits(held: Offered, traffic: string): boolean {
    try {
      held.traffic(traffic);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.say(`${error.message}.`);
      return false;
    }
    this.say("");
    return true;
  }

  /** Shows a traffic, and fields with its parameters; those that are being typed in stay where it is the same. */
  set(held: Offered, patterns: readonly string[], traffic: string, routing: string): void {
    const { name, options } = parsed(traffic.startsWith("worst:") ? "worst" : traffic); // which has no fields here
    const before = this.held;
    this.held = held;
    const among = patterns.flatMap((value): Option[] => (value === "uniform" && patterns.length > 1 ? [{ value }, { value: SELF, text: "uniform, to itself too" }] : [{ value, text: value === worstFor(routing) ? "worst" : value.replace(worstFor(""), "worst for ") }]));
    this.names.options(among, traffic === SELF || patterns.includes(traffic) ? traffic : name);
    this.file.disabled = patterns.length < 2;
    if (before === held && this.shown === traffic) return;
    this.shown = traffic;
    this.say("");
    const parameters = patterns.length > 1 && name !== "uniform" ? (PARAMETERS[name] ?? []).filter(({ key }) => !(options.nodes && (key === "count" || key === "seed"))) : [];
    const read = parameters.map((each) => this.field(each, options[each.key]!, () => this.take(name, read)));
    const typed = parameters.some(({ kind }) => kind === "area");
    this.fields.replaceChildren(
      ...read.map(({ element }) => element),
      ...(typed ? [row(button("Use it", () => this.take(name, read)), button("Start anew", () => this.change(held.begun(name))), this.open)] : []),
    );
    if (this.waiting) this.read(this.waiting);
  }

  private take(name: string, fields: readonly Field[]): void {
    for (const { parameter, value } of fields) {
      const below = numbers(parameter) ? negative(value()) : "";
      if (below) return this.say(`${name}: ${parameter.label.toLowerCase()} “${below}” found, whole numbers from 0 on expected.`);
    }
    const options = Object.fromEntries(fields.map(({ parameter, value }) => [parameter.key, given(parameter, value()) || (numbers(parameter) ? "" : parameter.initial)]));
    const traffic = spelled(name, options);
    if (this.held && this.suits(this.held, traffic) && traffic !== this.shown) this.change(traffic);
  }

  private say(words: string): void {
    this.wrong.textContent = words;
    this.wrong.hidden = words === "";
    if (words) this.wrong.scrollIntoView({ block: "nearest" });
    for (const field of this.fields.querySelectorAll("input, textarea")) field.setAttribute("aria-invalid", String(words !== ""));
  }

  private field(parameter: Parameter, value: string, done: () => void): Field {
    const { key, label, hint, kind, choices } = parameter;
    if (kind === "choice") {
      let chosen = value;
      const made = choice({ label, options: choices!.map((each) => ({ value: each })), value, change: (next) => ((chosen = next), done()) });
      made.element.title = hint;
      return { parameter, element: made.element, value: () => chosen };
    }
    const id = `traffic-${key}`;
    const [text, area] = [numbers(parameter) ? unpacked(value) : value, kind === "area"];
    const input = area ? el("textarea", { id, rows: 5, spellcheck: "false", wrap: key === "rows" ? "off" : "soft" }) : el("input", { type: "text", id, autocomplete: "off", spellcheck: "false" });
    input.value = text;
    input.addEventListener("change", done);
    const about = note(hint);
    about.id = `${id}-hint`;
    input.setAttribute("aria-describedby", about.id);
    return { parameter, element: el("div", { class: `control choice${area ? " wide" : ""}` }, el("label", { for: id }, label), input, about), value: () => input.value };
  }
}

interface Field {
  readonly parameter: Parameter;
  readonly element: HTMLElement;
  value(): string;
}
