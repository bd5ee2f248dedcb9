/** The head of the page: which network, how it is drawn, theme and motion. */
import { viewsOf } from "../draw/drawing";
import type { Entry } from "../data/store";
import { FAMILIES } from "../data/families";
import type { Network } from "../data/network";
import type { State } from "../state/state";
import { split, usual } from "../data/nearest";
import { SIZES } from "../data/rules";
import { choice, el, segments, toggle, type Option } from "./controls";
import { kept, keep } from "./taste";

const VIEWS: Readonly<Record<string, string>> = { plane: "Plane", folded: "Folded", space: "Space" };

const ROOM = 1; // characters of a size that stand whole behind "e.g." in the field, which is short beside other fields

export class Head {
  private readonly families;
  private readonly sizes;
  private readonly views;
  private readonly other = el("input", { type: "text", id: "other-size", size: 7, autocomplete: "off", spellcheck: "false" });
  private listed = "";

  constructor(
    host: HTMLElement,
    private readonly entries: readonly Entry[],
    set: (changes: Readonly<Record<string, string>>) => void,
    moving: (on: boolean) => void,
    themed: () => void,
  ) {
    const families = [...new Set(entries.map((entry) => entry.family))];
    this.families = choice({
      label: "Family", options: families.map((value) => ({ value })), value: families[0] ?? "",
      change: (family) => set({ net: usual(entries, family) }),
    });
    this.sizes = choice({ label: "Size", options: [], value: "", change: (net) => set({ net }) });
    this.views = segments("View", [], "plane", (view) => set({ view }));
    this.other.addEventListener("change", () => {
      const given = this.other.value.trim();
      const size = /^[\dx\s]+$/i.test(given) ? given.toLowerCase().replace(/\s/g, "") : given;
      this.other.value = "";
      if (families.includes(size)) set({ net: usual(entries, size) });
      else if (size) set({ net: size.includes(":") ? size : `${this.family()}:${size}` });
    });
    const other = el("div", { class: "control choice other" }, el("label", { for: "other-size" }, "or"), this.other);
    this.sizes.element.classList.add("size");
    host.replaceChildren(
      el("h1", {}, "jumpnet"), this.families.element, this.sizes.element, other, this.views.element,
      el("div", { class: "taste" }, motion(moving), theme(themed)),
    );
  }

  private family(): string {
    return this.listed.split(" ")[0]!;
  }

  /** Whether something else stands where the drawing is: views then change nothing that is seen. */
  covered(on: boolean): void {
    this.views.element.hidden = on;
  }

  show(state: State, net: Network): void {
    const own = this.entries.filter((entry) => entry.family === net.family);
    if (own.every((entry) => entry.spec !== net.spec)) own.push({ spec: net.spec, family: net.family, routers: net.routers });
    const listed = [net.family, ...own.map(({ spec }) => spec)].join(" ");
    if (this.listed !== listed) {
      const options: Option[] = own.map(({ spec, routers }) => ({ value: spec, text: `${spec} · ${routers.toLocaleString("en")}` }));
      this.sizes.options(options, net.spec);
      this.families.set(net.family);
      this.listed = listed;
      const size = SIZES[net.family] ?? split(net.spec)[1];
      this.other.placeholder = size.length > ROOM ? size : `e.g. ${size}`;
      this.families.element.title = FAMILIES[net.family] ?? "";
      this.sizes.element.title = "Spec and number of routers";
      this.other.setAttribute("aria-label", `Another ${net.family} by its numbers`);
      this.other.title = "A size, or a whole spec such as torus:9x9; then Enter";
    }
    this.sizes.set(net.spec);
    const views = viewsOf(net);
    this.views.options(views.map((value) => ({ value, text: VIEWS[value]! })), views.includes(state.view) ? state.view : "plane");
  }
}

function motion(moving: (on: boolean) => void): HTMLElement {
  const less = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const start = (kept("motion") ?? (less ? "off" : "on")) === "on";
  moving(start);
  const { element } = toggle("Motion", start, (on) => {
    keep("motion", on ? "on" : "off");
    moving(on);
  });
  element.title = "Whether runs, flits and steps play by themselves";
  return element;
}

function theme(themed: () => void): HTMLElement {
  const put = (value: string): void => {
    if (value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
    themed();
  };
  const start = kept("theme") ?? "system";
  put(start);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed);
  return choice({
    label: "Theme", value: start,
    options: [{ value: "system", text: "As the system" }, { value: "light", text: "Light" }, { value: "dark", text: "Dark" }],
    change(value) {
      keep("theme", value);
      put(value);
    },
  }).element;
}
