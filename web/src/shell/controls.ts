/** Controls that look alike and are labelled: for the shell and all panels. Plain DOM. */
export type Child = Node | string;

/** An element with attributes (false and null leave one out) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number | boolean | null>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

let numbered = 0;
const unique = (): string => `c${numbered++}`;

export function button(label: string, act: () => void, about: { title?: string; kind?: "plain" | "main" | "icon" } = {}): HTMLButtonElement {
  const made = el("button", {
    type: "button", class: `button ${about.kind ?? "plain"}`, title: about.title ?? null,
    "aria-label": about.kind === "icon" ? (about.title ?? label) : null,
  }, label);
  made.addEventListener("click", () => {
    if (made.isConnected) act(); // one that was taken away belongs to a panel that has ended
  });
  return made;
}

export interface Control<T> {
  readonly element: HTMLElement;
  /** Shows a value without telling anybody. */
  set(value: T): void;
  /** Greyed, with the reason as its title; "" makes it usable. */
  disable(reason: string): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export interface SliderOptions {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  readonly show?: (value: number) => string;
  readonly change: (value: number) => void;
}

/** A value between two bounds, in steps by hand; it may be set to one between two steps, and is shown as it is. */
export function slider(about: SliderOptions): Control<number> & { bounds(least: number, most: number): void } {
  const id = unique();
  const show = about.show ?? String;
  let value = about.value; // which the input rounds
  const input = el("input", { type: "range", id, min: about.least, max: about.most, step: about.step, value });
  const said = el("output", { for: id });
  const told = (): void => {
    said.textContent = show(Math.max(Number(input.min), Math.min(Number(input.max), value)));
    input.setAttribute("aria-valuetext", said.textContent);
  };
  const choose = (chosen: number): void => {
    value = chosen;
    told();
    about.change(value);
  };
  input.addEventListener("input", () => choose(Number(input.value)));
  input.addEventListener("keydown", (event) => {
    const way = STEPS[event.key];
    if (!way || Number(input.value) === value) return;
    event.preventDefault(); // the step next to the value, which may be what it is rounded to
    if ((Number(input.value) - value) * way < 0) (way > 0 ? input.stepUp() : input.stepDown());
    choose(Number(input.value));
  });
  told();
  const element = el("div", { class: "control slider" }, el("label", { for: id }, about.label), said, input);
  return {
    element,
    set(next) {
      value = next;
      if (document.activeElement !== input || Number(input.value) !== value) input.value = String(value);
      told();
    },
    disable: (reason) => able(element, input, reason),
    bounds(least, most) {
      [input.min, input.max] = [String(least), String(most)];
      told();
    },
  };
}

export interface Option {
  readonly value: string;
  readonly text?: string;
  readonly group?: string;
}

export interface ChoiceOptions {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hideLabel?: boolean;
}

export function choice(about: ChoiceOptions): Control<string> & { options(options: readonly Option[], value: string): void } {
  const id = unique();
  const input = el("select", { id });
  const fill = (options: readonly Option[], value: string): void => {
    const groups = new Map<string, HTMLElement>();
    input.replaceChildren();
    for (const { value: each, text, group } of options) {
      if (group && !groups.has(group)) {
        groups.set(group, el("optgroup", { label: group }));
        input.append(groups.get(group)!);
      }
      (groups.get(group ?? "") ?? input).append(el("option", { value: each }, text ?? each));
    }
    input.value = value;
  };
  fill(about.options, about.value);
  input.addEventListener("change", () => about.change(input.value));
  const label = el("label", { for: id, class: about.hideLabel ? "unseen" : null }, about.label);
  const element = el("div", { class: "control choice" }, label, input);
  return {
    element,
    set(value) {
      input.value = value;
    },
    disable: (reason) => able(element, input, reason),
    options: fill,
  };
}

export function toggle(label: string, value: boolean, change: (value: boolean) => void): Control<boolean> {
  const id = unique();
  const input = el("input", { type: "checkbox", id, checked: value });
  input.addEventListener("change", () => change(input.checked));
  const element = el("div", { class: "control toggle" }, input, el("label", { for: id }, label));
  return {
    element,
    set(next) {
      input.checked = next;
    },
    disable: (reason) => able(element, input, reason),
  };
}

/** One of a few, side by side. */
export function segments(label: string, options: readonly Option[], value: string, change: (value: string) => void): Control<string> & { options(options: readonly Option[], value: string): void } {
  const element = el("div", { class: "segments", role: "group", "aria-label": label });
  const set = (next: string): void => {
    for (const each of element.children) each.setAttribute("aria-pressed", String((each as HTMLElement).dataset.value === next));
  };
  const fill = (all: readonly Option[], chosen: string): void => {
    const before = [...element.children].map((each) => (each as HTMLElement).dataset.value);
    if (before.join("\n") === all.map((option) => option.value).join("\n")) {
      set(chosen); // the same buttons: whoever has the focus keeps it
      return;
    }
    element.replaceChildren(
      ...all.map((option) => {
        const made = button(option.text ?? option.value, () => {
          set(option.value);
          change(option.value);
        });
        made.dataset.value = option.value;
        return made;
      }),
    );
    set(chosen);
  };
  fill(options, value);
  return {
    element,
    set,
    disable(reason) {
      for (const each of element.querySelectorAll("button")) able(element, each, reason);
    },
    options: fill,
  };
}

function able(element: HTMLElement, input: HTMLInputElement | HTMLSelectElement | HTMLButtonElement, reason: string): void {
  input.disabled = reason !== "";
  element.classList.toggle("off", reason !== "");
  element.title = reason;
}

/** Rows under a heading; numbers are set to the right, and so is the head of a column of them. */
export function table(heads: readonly string[], rows: readonly (readonly (Child | number)[])[], caption = ""): HTMLTableElement {
  const made = el("table");
  if (caption) made.append(el("caption", {}, caption));
  const numbers = (column: number): boolean => rows.length > 0 && rows.every((row) => typeof row[column] === "number");
  if (heads.length) made.append(el("thead", {}, el("tr", {}, ...heads.map((head, k) => el("th", { scope: "col", class: numbers(k) ? "number" : null }, head)))));
  const cell = (value: Child | number): HTMLElement =>
    typeof value === "number" ? el("td", { class: "number" }, value.toLocaleString("en")) : el("td", {}, value);
  made.append(el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map(cell)))));
  return made;
}

/** Pairs of a name and a value. */
export function facts(pairs: readonly (readonly [string, Child | number])[]): HTMLElement {
  const shown = (value: Child | number): Child => (typeof value === "number" ? value.toLocaleString("en") : value);
  return el("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, shown(value))]));
}

export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
export const note = (text: string): HTMLElement => el("p", { class: "note" }, text);
export const heading = (text: string): HTMLElement => el("h3", {}, text);
/** Controls side by side, wrapping where there is no room. */
export const row = (...children: readonly Child[]): HTMLElement => el("div", { class: "row" }, ...children);
