const SIDE = 28; // pixels kept free: for labels, and above and below for the buttons and the legend
const ABOVE = 58;
const BELOW = 46; // for a legend of one line
const LARGEST = 150; // pixels of a unit
const PARTS = 1000; // of one, in what a link says
const LEAST = 0.05; // of the scale by which all is in view
const CLOSEST = 4000; // pixels of a unit, in a window of so many pixels:
const WINDOW = 1000;
const [STEEPEST, HALF_TURN] = [1.57, 3.142]; // radians, as a link has them
const FURTHEST = 99_999; // units from the middle, and how much larger than all in view: five digits, as a link has them

/** Where the eye is: places in space to pixels, by a turn, a scale and a shift; far things a little smaller in space. */
export class Camera {
  width = 1; // CSS pixels
  height = 1;
  centre: [number, number, number] = [0, 0, 0]; // what is turned about
  scale = 1; // pixels of a unit at the centre
  shift: [number, number] = [0, 0]; // pixels
  yaw = 0;
  pitch = 0;
  below = BELOW;
  own = false; // whether a reader has moved it
  private usual: readonly [scale: number, x: number, y: number] = [1, 0, 0]; // all in view, above a legend of one line
  private most = 1; // how much larger than in that it may be, whatever the size of the window
  depth = 0; // how much nearer things are larger, for each unit; 0 in the plane

  /** How much larger something so near is than at the centre. */
  larger(near: number): number {
    return 1 / Math.max(0.2, 1 - near * this.depth);
  }

  /** Rows of the turn: what is right, up, and towards the eye. */
  axes(): Float32Array {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    return Float32Array.of(cy, 0, -sy, sy * sp, cp, cy * sp, sy * cp, -sp, cy * cp);
  }

  /** A function from places to pixels (x, y) and nearness; made once for many places. */
  projector(): (x: number, y: number, z: number, out: Float32Array) => void {
    const m = this.axes();
    const [cx, cy, cz] = this.centre;
    const { scale } = this;
    const [ox, oy] = [this.width / 2 + this.shift[0], this.height / 2 + this.shift[1]];
    return (x, y, z, out) => {
      const [dx, dy, dz] = [x - cx, y - cy, z - cz];
      const near = m[6]! * dx + m[7]! * dy + m[8]! * dz;
      const by = scale * this.larger(near);
      out[0] = ox + by * (m[0]! * dx + m[1]! * dy + m[2]! * dz);
      out[1] = oy - by * (m[3]! * dx + m[4]! * dy + m[5]! * dz);
      out[2] = near;
    };
  }

  /** Shows all of a box in the plane, or of places in a ball of this radius in space (0: in the plane). */
  fit(low: readonly number[], top: readonly number[], radius: number): void {
    this.own = false;
    this.centre = [0, 1, 2].map((k) => ((low[k] ?? 0) + (top[k] ?? 0)) / 2) as [number, number, number];
    this.depth = radius > 0 ? 0.25 / radius : 0;
    if (!radius) this.yaw = this.pitch = 0;
    const [scale, x, y] = this.whole(low, top, radius, this.below);
    [this.scale, this.shift] = [scale, [x, y]];
    this.gauge(low, top, radius);
  }

  /** What a link's words are told from, in a window of this size. */
  gauge(low: readonly number[], top: readonly number[], radius: number): void {
    this.usual = this.whole(low, top, radius, BELOW);
    this.most = Math.min(FURTHEST, Math.max(1, CLOSEST / scaleOf(low, top, radius, WINDOW, WINDOW)));
  }

  /** Scale and shift by which all is in view. */
  private whole(low: readonly number[], top: readonly number[], radius: number, below: number): [scale: number, x: number, y: number] {
    const [w, h] = [Math.max(40, this.width - 2 * SIDE), Math.max(40, this.height - ABOVE - below)];
    return [scaleOf(low, top, radius, w, h), 0, (ABOVE - below) / 2];
  }

  /** Where the eye is, as a link says it, whatever the size of the window; empty where it shows all. */
  told(): string {
    if (!this.own) return "";
    const [scale, x, y] = this.usual;
    const numbers = [this.scale / scale, (x - this.shift[0]) / this.scale, (this.shift[1] - y) / this.scale, this.yaw, this.pitch];
    return numbers.map((value) => Math.round(value * PARTS)).join("_");
  }

  /** There, as `told` said it, from where all is in view. */
  look(text: string): void {
    const [by = 1, right = 0, above = 0, yaw = 0, pitch = 0] = text.split("_").map((word) => Number(word) / PARTS);
    const [scale, x, y] = this.usual;
    this.own = true;
    this.scale = this.bounded(scale * by);
    this.shift = [x - right * this.scale, y + above * this.scale];
    if (this.depth > 0) [this.yaw, this.pitch] = [yaw, pitch];
    this.bound();
  }

  private bounded(scale: number): number {
    const [usual] = this.usual;
    return Math.min(usual * this.most, Math.max(usual * LEAST, scale));
  }

  /** No further than a link can say. */
  private bound(): void {
    const [, x, y] = this.usual;
    const far = FURTHEST * this.scale;
    this.shift = [x + Math.max(-far, Math.min(far, this.shift[0] - x)), y + Math.max(-far, Math.min(far, this.shift[1] - y))];
    if (Math.abs(this.yaw) > HALF_TURN) this.yaw -= 2 * Math.PI * Math.round(this.yaw / (2 * Math.PI));
    this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, this.pitch));
  }

  /** Larger or smaller by a factor, about a pixel. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.own = true;
    const by = this.bounded(this.scale * factor) / this.scale;
    this.shift[0] = (this.shift[0] - (x - this.width / 2)) * by + (x - this.width / 2);
    this.shift[1] = (this.shift[1] - (y - this.height / 2)) * by + (y - this.height / 2);
    this.scale *= by;
    this.bound();
  }

  move(dx: number, dy: number): void {
    this.own = true;
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
    this.bound();
  }

  turn(yaw: number, pitch: number): void {
    this.own = true;
    this.yaw += yaw;
    this.pitch += pitch;
    this.bound();
  }
}

/** Pixels of a unit by which a box, or a ball of this radius if there is one, is in view in a window. */
function scaleOf(low: readonly number[], top: readonly number[], radius: number, w: number, h: number): number {
  const [wide, high] = [0, 1].map((k) => Math.max(0.5, (top[k] ?? 0) - (low[k] ?? 0))) as [number, number];
  return radius > 0 ? Math.min(w, h) / (2 * radius) : Math.min(w / wide, h / high, LARGEST);
}
