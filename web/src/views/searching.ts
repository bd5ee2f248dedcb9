/** What is worked at beside the page, with a button that stops it. */
import { button, el, note, row } from "../shell/controls";
import { listen, MOST_SECONDS, stop } from "../sim/beside";

const LEFT = "left, as nobody waits for it";

export class Searching {
  readonly element: HTMLElement;
  private readonly words = note("");
  private readonly bar = el("progress", { max: MOST_SECONDS, "aria-label": "Seconds of those that it may take" });

  constructor() {
    this.element = el("div", { class: "searching", hidden: true }, this.words, row(this.bar, button("Stop", () => stop())));
    listen((now) => {
      this.element.hidden = now === null;
      if (!now) return;
      this.words.textContent = `Searching ${now.what}: ${Math.round(now.seconds)} of at most ${MOST_SECONDS} seconds.`;
      this.bar.value = now.seconds;
    });
  }

  /** What is shown needs nothing of it any more: whatever is still searched was for something that has been left. */
  needless(): void {
    stop(LEFT);
  }

  /** Nobody looks at it any more. */
  leave(): void {
    listen(() => undefined);
    this.needless();
  }
}
