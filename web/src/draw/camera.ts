const SIDE = 28; // pixels kept free: for labels, and above and below for the buttons and the legend
const ABOVE = 58;
const BELOW = 46; // for a legend of one line
const LARGEST = 150; // pixels of a unit
const PARTS = 1000; // of one, in what a link says
const [LEAST_SCALE, MOST_SCALE] = [0.05, 4000];

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
  }

  /** Scale and shift by which all is in view. */
  private whole(low: readonly number[], top: readonly number[], radius: number, below: number): [scale: number, x: number, y: number] {
    const [wide, high] = [0, 1].map((k) => Math.max(0.5, (top[k] ?? 0) - (low[k] ?? 0))) as [number, number];
    const [w, h] = [Math.max(40, this.width - 2 * SIDE), Math.max(40, this.height - ABOVE - below)];
    const scale = radius > 0 ? Math.min(w, h) / (2 * radius) : Math.min(w / wide, h / high, LARGEST);
    return [scale, 0, (ABOVE - below) / 2];
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
    this.scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale * by));
    this.shift = [x - right * this.scale, y + above * this.scale];
    if (this.depth > 0) [this.yaw, this.pitch] = [yaw, Math.min(1.57, Math.max(-1.57, pitch))];
  }

  /** Larger or smaller by a factor, about a pixel. */
  zoom(factor: number, x = this.width / 2, y = this.height / 2): void {
    this.own = true;
    const by = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, this.scale * factor)) / this.scale;
    this.shift[0] = (this.shift[0] - (x - this.width / 2)) * by + (x - this.width / 2);
    this.shift[1] = (this.shift[1] - (y - this.height / 2)) * by + (y - this.height / 2);
    this.scale *= by;
  }

  move(dx: number, dy: number): void {
    this.own = true;
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
  }

  turn(yaw: number, pitch: number): void {
    this.own = true;
    this.yaw += yaw;
    this.pitch = Math.min(1.57, Math.max(-1.57, this.pitch + pitch));
  }
}
