/** How much of a large network is drawn while it moves, where a machine draws slowly; once it stands all of it is drawn. */

// ms of a drawing, which is known to be done some two frames later: more is thinned, less is filled up again, what is aimed at, and more is no chance
const [SLOW, FAST, MEANT, SURELY] = [100, 40, 50, 400];
const MOST = 32;
const STANDS = 300; // ms after which what has moved stands
const LOST = 10_000; // ms: so long a drawing was not looked at meanwhile

/** The power of two that is next above a ratio, at least 1. */
const power = (ratio: number): number => Math.min(MOST, 2 ** Math.max(0, Math.ceil(Math.log2(ratio))));

export class Pace {
  private thin = 1; // of so many links one is drawn in motion
  private took = 0; // ms of the last drawing
  private hitches = 0; // slow drawings of all links, one after the other: a single one may be chance
  private first = true; // drawing of a network, in which shaders are compiled
  private timer = 0;

  constructor(private readonly stands: () => void) {}

  /** Another network. */
  anew(): void {
    [this.thin, this.took, this.hitches, this.first] = [1, 0, 0, true];
  }

  /** It has moved, by itself or by a hand. */
  moves(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.thin > 1) this.stands();
    }, STANDS);
  }

  /** Of so many links one is drawn now. */
  get every(): number {
    return this.timer ? this.thin : 1;
  }

  /** Whether the next drawing waits for the last one, which was slow, so that the page has time for its reader. */
  get waits(): boolean {
    return this.took > SLOW;
  }

  /** A drawing of one link in `every` took so long. */
  measured(ms: number, every: number): void {
    if (ms > LOST) return;
    if (this.first) {
      this.first = false;
      return;
    }
    this.took = ms;
    this.hitches = every === 1 && ms > SLOW ? this.hitches + 1 : 0;
    if (every === 1) this.thin = this.hitches > 1 || ms > SURELY ? power(ms / MEANT) : 1;
    else if (ms > SLOW) this.thin = Math.min(MOST, 2 * every);
    else if (ms < FAST) this.thin = every / 2;
  }

  /** Whether a link is among those that are drawn: scattered, and the same ones each time. */
  static keeps(link: number, every: number): boolean {
    return (Math.imul(link + 1, 0x9e3779b1) >>> 16) % every === 0;
  }
}
