/** Steps through something in time: by buttons, by a slider, or by itself while motion is on. */
import { button, el, row, slider } from "../shell/controls";
import type { App } from "../shell/panel";

export interface PlayerOptions {
  readonly app: App;
  readonly key: string; // key of the state that holds the step
  readonly label: string; // of the slider
  readonly pace: number; // milliseconds a step takes
  readonly show?: (step: number) => string;
  /** Draws a time between 0 and the last step; whole numbers stand still. */
  readonly draw: (time: number) => void;
}

export class Player {
  readonly element: HTMLElement;
  private time = 0;
  private last = 0;
  private playing = false;
  private readonly bar;
  private readonly start: HTMLButtonElement;
  private readonly back: readonly HTMLButtonElement[];
  private readonly on: readonly HTMLButtonElement[];

  constructor(private readonly about: PlayerOptions) {
    this.bar = slider({
      label: about.label, least: 0, most: 1, step: 1, value: 0, show: about.show ?? String,
      change: (value) => this.go(value),
    });
    this.start = button("Play", () => (this.playing ? this.stop() : this.play()), { kind: "main" });
    const to = (title: string, text: string, by: number): HTMLButtonElement =>
      button(text, () => this.go(Math.round(this.time) + by), { kind: "icon", title });
    this.back = [to("One step back", "◀", -1), to("To the beginning", "|◀", -Infinity)];
    this.on = [to("One step on", "▶", 1), to("To the end", "▶|", Infinity)];
    this.element = el("div", { class: "player" }, this.bar.element, row(this.start, this.back[0]!, this.on[0]!, this.back[1]!, this.on[1]!));
  }

  /** The step of the state, and how far it goes; called by the panel's `update`. */
  show(step: number, last: number): void {
    if (last !== this.last) {
      this.last = last;
      this.bar.bounds(0, last);
    }
    if (!this.playing || Math.floor(this.time) !== step) this.time = Math.min(step, last);
    this.bar.set(Math.floor(this.time));
    const at = Math.floor(this.time); // where nothing is left to do, it is said, and the focus stays
    for (const each of this.back) each.setAttribute("aria-disabled", String(at <= 0));
    for (const each of this.on) each.setAttribute("aria-disabled", String(at >= last));
    this.start.disabled = !this.about.app.motion;
    this.start.title = this.about.app.motion ? "" : "Motion is off: go step by step";
    if (!this.about.app.motion) this.stop();
    this.about.draw(this.time);
  }

  /** Plays on, where motion is on. */
  begin(): void {
    if (this.about.app.motion && !this.playing) this.play();
  }

  stop(): void {
    if (!this.playing) return;
    this.playing = false;
    this.start.textContent = "Play";
    this.about.app.onFrame(null);
    this.time = Math.floor(this.time);
  }

  private go(step: number): void {
    this.stop();
    this.time = Math.max(0, Math.min(this.last, step));
    this.about.app.set({ [this.about.key]: this.time });
  }

  private play(): void {
    if (this.time >= this.last) this.time = 0;
    this.playing = true;
    this.start.textContent = "Pause";
    this.about.app.onFrame((elapsed) => {
      const before = Math.floor(this.time);
      this.time = Math.min(this.last, this.time + elapsed / this.about.pace);
      const ended = this.time >= this.last;
      if (ended) this.stop();
      if (ended || Math.floor(this.time) !== before) this.about.app.set({ [this.about.key]: Math.floor(this.time) });
      else this.about.draw(this.time);
    });
    this.about.app.set({ [this.about.key]: Math.floor(this.time) }); // behind it: what then is shown may stop it
  }
}
