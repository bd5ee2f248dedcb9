/**
 * What is said over the drawing: why something is not shown or taken, and a network to open instead. It stays until it is
 * closed, by its button or by Escape, or something else is opened.
 */
import { button, el } from "./controls";

const MOST_SENTENCES = 2;

export class Notice {
  private sentences: readonly string[] = [];
  private nearest = ""; // a network to open, "" for none

  constructor(private readonly open: (spec: string) => void) {
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !document.getElementById("refused")) return;
      event.preventDefault();
      event.stopPropagation(); // what lies below it lets go of nothing yet
      this.close();
    }, true);
  }

  /** These sentences instead of all others, once it is shown. */
  say(sentences: readonly string[], nearest = ""): void {
    [this.sentences, this.nearest] = [sentences, nearest];
  }

  /** These before the others, and a network to open instead, "" for none. */
  lead(sentences: readonly string[], nearest: string): void {
    this.say([...sentences, ...this.sentences], nearest);
  }

  /** These besides, each once. */
  add(more: readonly string[]): void {
    this.sentences = [...new Set([...this.sentences, ...more])];
  }

  show(): void {
    const { sentences, nearest } = this;
    const there = document.getElementById("refused");
    const more = sentences.length - MOST_SENTENCES;
    const said = [...sentences.slice(0, MOST_SENTENCES), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
    if (there && said === there.querySelector("p")!.textContent) return;
    there?.remove();
    if (!said) return;
    const offer = nearest ? [button(`Open ${nearest}, the nearest`, () => this.open(nearest), { kind: "main" })] : [];
    const close = button("×", () => this.close(), { title: "Close", kind: "icon" });
    document.getElementById("stage")!.append(el("div", { id: "refused", role: "alert" }, el("p", {}, said), ...offer, close));
  }

  private close(): void {
    this.say([]);
    this.show();
  }
}
