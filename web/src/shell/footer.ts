/** The foot of the page: the link, the command and the Python that give what is shown. */
import { button, el } from "./controls";
import { copy } from "./save";
import { shortened } from "../data/words";

const LONGEST = 400; // characters of a line that are shown: a traffic matrix has thousands

export class Footer {
  private readonly texts = new Map<string, HTMLElement>();
  private readonly whole = new Map<string, string>();

  constructor(
    host: HTMLElement,
    private readonly say: (text: string) => void,
  ) {
    const rows = ["Link", "Command", "Python"].map((name) => this.row(name));
    const licences = document.getElementById("licences")?.textContent ?? "";
    host.replaceChildren(
      el("h2", {}, "The same elsewhere"),
      el("details", { class: "about" }, el("summary", {}, "About this page"), ...about(), el("pre", {}, licences)),
      ...rows,
    );
  }

  private row(name: string): HTMLElement {
    const text = el("code", { tabindex: 0, "aria-label": name });
    this.texts.set(name, text);
    const copied = button("Copy", async () => {
      const done = await copy(this.whole.get(name) ?? "");
      copied.textContent = done ? "Copied" : "Not copied";
      this.say(done ? `${name} copied` : `${name} could not be copied`);
      setTimeout(() => (copied.textContent = "Copy"), 1500);
    }, { title: `Copy the ${name.toLowerCase()}` });
    copied.setAttribute("aria-label", copied.title); // three buttons show the same word
    return el("div", { class: "same" }, el("span", { class: "name" }, name), text, copied);
  }

  show(link: string, command: string, python: string): void {
    for (const [name, text] of [["Link", link], ["Command", command], ["Python", python]] as const) {
      this.whole.set(name, text);
      const [said, place] = [name === "Link" ? text.slice(text.indexOf("#")) : text, this.texts.get(name)!];
      place.textContent = shortened(said, LONGEST);
      place.title = said.length > LONGEST ? "Shortened here; Copy takes all of it" : "";
    }
  }
}

/** Words that the page uses as the field does, for whoever meets them here. */
const WORDS: readonly (readonly [string, string])[] = [
  ["Router, terminal", "A router passes packets on; at a terminal they begin and end."],
  ["Hop", "One link on a packet's way."],
  ["Flit", "The piece of a packet that a link carries in one cycle."],
  ["Virtual channel (VC)", "One of several queues that share a link, so that a packet that waits holds up no others."],
  ["Routing", "The rule by which a router chooses where a packet goes next. What it offers are candidates."],
  ["Escape channel", "A virtual channel by which a packet can always go on when the others are taken."],
  ["Load", "Flits for each terminal and cycle: offered are those to be sent, accepted those that arrive."],
  ["Latency", "Cycles from a packet's creation until its last flit has arrived."],
  ["Saturated", "More is offered than can arrive: queues grow without end."],
  ["Deadlock", "Packets wait for each other in a ring, and none can ever go on."],
  ["Diameter", "The distance of the two routers that are furthest apart, in hops."],
  ["Rank, dimension, level", "The kinds of links or routers of a family; each has its colour."],
];

const about = (): HTMLElement[] => [
  el("p", {}, "This page is one file. It asks nothing of any server: networks were made by jumpnet's Python, and what runs " +
    "here is the same simulator, compiled to WebAssembly. The drawing's keys: arrow keys go from router to router, Enter " +
    "picks, Escape lets go or closes a notice, + and − zoom, 0 shows all, Shift and arrow keys move or turn."),
  el("dl", { class: "words" }, ...WORDS.flatMap(([name, words]) => [el("dt", {}, name), el("dd", {}, words)])),
  el("p", {}, "jumpnet is under the Apache License 2.0."),
];
