/**
 * Links and routers by WebGL 2: each link's pieces and each router are a small rectangle, all of a kind in one call.
 * Not by instances: a software renderer draws those one by one, at some ten times the CPU time for 14,000 links.
 */
import type { Camera } from "./camera";
import { FRONT } from "./depth";

const COMMON = `#version 300 es
uniform mat3 turn; uniform vec3 centre; uniform vec2 size; uniform vec2 shift; uniform float scale, depth, flatness;
vec3 screen(vec3 place) {
  vec3 at = turn * (place - centre);
  float by = scale / max(0.2, 1.0 - at.z * depth);
  return vec3(size * 0.5 + shift + vec2(at.x, -at.y) * by, at.z);
}
vec4 clip(vec2 pixel, float near) {
  vec2 unit = pixel / size * 2.0 - 1.0;
  return vec4(unit.x, -unit.y, flatness > 0.5 ? 0.0 : clamp(-near * depth * 1.5, -0.99, 0.99), 1.0);
}
`;
const LINE = `${COMMON}
layout(location=0) in vec3 a; layout(location=1) in vec3 b; layout(location=2) in vec4 tint; layout(location=3) in float width;
flat out vec4 colour; out float across; flat out float half_; out float fog;
void main() {
  vec3 p = screen(a), q = screen(b);
  vec2 way = q.xy - p.xy; float length_ = max(length(way), 0.001);
  vec2 along = way / length_, side = vec2(-along.y, along.x);
  half_ = width * 0.5;
  float reach = half_ + 0.5; // beyond it nothing of the line is left: each pixel costs a software renderer
  float end = float(gl_VertexID & 1), edge = float((gl_VertexID >> 1) & 1) * 2.0 - 1.0;
  vec3 here = mix(p, q, end);
  across = edge * reach; colour = vec4(tint.rgb, tint.a * min(1.0, half_ * 2.0));
  fog = flatness > 0.5 ? 1.0 : clamp(0.72 + here.z * depth * 1.1, 0.25, 1.0);
  gl_Position = clip(here.xy + side * across + along * (end * 2.0 - 1.0) * 0.3, here.z);
}`;
const LINE_PIXEL = `#version 300 es
precision mediump float;
flat in vec4 colour; in float across; flat in float half_; in float fog; out vec4 pixel;
void main() {
  float share = colour.a * fog * clamp(half_ + 0.5 - abs(across), 0.0, 1.0);
  if (share < 0.02) discard;
  pixel = vec4(colour.rgb * share, share);
}`;
const DISC = `${COMMON}
layout(location=0) in vec3 a; layout(location=1) in vec4 fill_; layout(location=2) in vec4 ring_; layout(location=3) in vec3 form;
flat out vec4 fill; flat out vec4 ring; out vec2 at; flat out vec3 shape; flat out float fog;
void main() {
  vec3 p = screen(a);
  float by = flatness > 0.5 ? 1.0 : 1.0 / max(0.2, 1.0 - p.z * depth);
  shape = vec3(form.x * by, form.y, form.z);
  vec2 corner = vec2(float(gl_VertexID & 1), float((gl_VertexID >> 1) & 1)) * 2.0 - 1.0;
  at = corner * (shape.x + shape.y * 0.5 + 0.5);
  fill = fill_; ring = ring_;
  fog = flatness > 0.5 ? 1.0 : clamp(0.75 + p.z * depth * 1.1, 0.35, 1.0);
  gl_Position = clip(p.xy + at, p.z + (flatness > 0.5 ? 0.0 : form.x * ${FRONT.toFixed(1)} / scale));
}`;
const DISC_PIXEL = `#version 300 es
precision mediump float;
flat in vec4 fill; flat in vec4 ring; in vec2 at; flat in vec3 shape; flat in float fog; out vec4 pixel;
uniform vec3 ground;
void main() {
  float away = shape.z > 0.5 ? max(abs(at.x), abs(at.y)) + 0.14 * shape.x : length(at);
  float outer = clamp(shape.x + shape.y * 0.5 + 0.5 - away, 0.0, 1.0);
  if (outer < 0.02) discard;
  float inner = clamp(shape.x - shape.y * 0.5 + 0.5 - away, 0.0, 1.0);
  vec4 mixed = mix(ring, fill, inner);
  float share = mixed.a * outer;
  pixel = vec4(mix(ground, mixed.rgb, fog) * share, share);
}`;

interface Program {
  readonly handle: WebGLProgram;
  readonly at: (name: string) => WebGLUniformLocation | null;
}

/** Rectangles of one program: their arrays on the card, everything four times, and the triangles. */
interface Batch {
  readonly layout: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
  readonly triangles: WebGLBuffer;
  count: number;
}

const CORNERS = 4;
const TRIANGLES = [0, 1, 2, 2, 1, 3];

/** Each of so many rows for all corners of its rectangle. */
function fourTimes(array: Uint8Array | Float32Array, count: number): Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  const kind = array instanceof Float32Array ? Float32Array : Uint8Array;
  const made = new kind(CORNERS * array.length);
  const size = count ? array.length / count : 0;
  if (made instanceof Uint8Array && size === 4) {
    const [from, to] = [new Uint32Array(array.buffer, array.byteOffset, count), new Uint32Array(made.buffer)];
    for (let k = 0, at = 0; k < count; k++, at += CORNERS) to[at] = to[at + 1] = to[at + 2] = to[at + 3] = from[k]!;
    return made;
  }
  if (size === 1) {
    for (let k = 0, at = 0; k < count; k++, at += CORNERS) made[at] = made[at + 1] = made[at + 2] = made[at + 3] = array[k]!;
    return made;
  }
  for (let k = 0, at = 0; k < count; k++) {
    for (let corner = 0; corner < CORNERS; corner++) for (let i = 0; i < size; i++) made[at++] = array[k * size + i]!;
  }
  return made;
}

type Part = readonly [numbers: 1 | 3 | 4, stride: number, offset: number, buffer: number];

export class Gl {
  private readonly line: Program;
  private readonly disc: Program;
  private readonly links: Batch;
  private readonly marked: Batch;
  private readonly routers: Batch;
  private fence: WebGLSync | null = null; // behind the last drawing, until that is done

  private constructor(private readonly gl: WebGL2RenderingContext) {
    this.line = this.program(LINE, LINE_PIXEL);
    this.disc = this.program(DISC, DISC_PIXEL);
    const line: Part[] = [[3, 24, 0, 0], [3, 24, 12, 0], [4, 4, 0, 1], [1, 4, 0, 2]];
    this.links = this.batch(3, line);
    this.marked = this.batch(3, line);
    this.routers = this.batch(4, [[3, 12, 0, 0], [4, 4, 0, 1], [4, 4, 0, 2], [3, 12, 0, 3]]);
  }

  /** Null where the browser has no WebGL 2. */
  static on(canvas: HTMLCanvasElement): Gl | null {
    const gl = canvas.getContext("webgl2", { antialias: false, depth: true, alpha: true, powerPreference: "low-power" });
    try {
      return gl && new Gl(gl);
    } catch {
      return null;
    }
  }

  private program(vertex: string, pixel: string): Program {
    const gl = this.gl;
    const handle = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, pixel]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(handle, shader);
    }
    gl.linkProgram(handle);
    if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(handle) ?? "no program");
    return { handle, at: (name) => gl.getUniformLocation(handle, name) };
  }

  private batch(buffers: number, parts: readonly Part[]): Batch {
    const gl = this.gl;
    const layout = gl.createVertexArray();
    const made = Array.from({ length: buffers }, () => gl.createBuffer());
    gl.bindVertexArray(layout);
    parts.forEach(([numbers, stride, offset, buffer], location) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, made[buffer]!);
      gl.enableVertexAttribArray(location);
      const bytes = numbers === 4;
      gl.vertexAttribPointer(location, numbers, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, bytes, stride, offset);
    });
    const triangles = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    gl.bindVertexArray(null);
    return { layout, buffers: made, triangles, count: 0 };
  }

  private fill(batch: Batch, count: number, arrays: readonly (Uint8Array | Float32Array | null)[]): void {
    const gl = this.gl;
    if (batch.count !== count) {
      const order = new Uint32Array(TRIANGLES.length * count);
      for (let k = 0; k < order.length; k++) order[k] = CORNERS * Math.floor(k / TRIANGLES.length) + TRIANGLES[k % TRIANGLES.length]!;
      gl.bindVertexArray(null);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, batch.triangles);
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STATIC_DRAW);
      batch.count = count;
    }
    arrays.forEach((array, k) => {
      if (!array) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, batch.buffers[k]!);
      gl.bufferData(gl.ARRAY_BUFFER, fourTimes(array, count), gl.DYNAMIC_DRAW);
    });
  }

  /** Pieces of links: both ends (6 numbers), colour (4 bytes), width; null keeps what is there. `marked` lie on top. */
  setLines(
    marked: boolean,
    count: number,
    ends: Float32Array<ArrayBuffer> | null,
    tints: Uint8Array<ArrayBuffer>,
    widths: Float32Array<ArrayBuffer>,
  ): void {
    this.fill(marked ? this.marked : this.links, count, [ends, tints, widths]);
  }

  /** Routers: place (3), fill and ring (4 bytes each), and radius, width of the ring, 1 for a square. */
  setRouters(
    count: number,
    places: Float32Array<ArrayBuffer>,
    fills: Uint8Array<ArrayBuffer>,
    rings: Uint8Array<ArrayBuffer>,
    forms: Float32Array<ArrayBuffer>,
  ): void {
    this.fill(this.routers, count, [places, fills, rings, forms]);
  }

  draw(camera: Camera, ratio: number, ground: readonly number[]): void {
    const gl = this.gl;
    const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const flat = camera.depth === 0;
    if (flat) gl.disable(gl.DEPTH_TEST);
    else gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    const [lines, discs] = [[this.line, [this.links, this.marked]], [this.disc, [this.routers]]] as const;
    for (const [program, batches] of flat ? [lines, discs] : [discs, lines]) { // faint links in front of a disc let it be seen
      gl.useProgram(program.handle);
      gl.uniformMatrix3fv(program.at("turn"), true, camera.axes());
      gl.uniform3fv(program.at("centre"), camera.centre);
      gl.uniform2f(program.at("size"), camera.width, camera.height);
      gl.uniform2fv(program.at("shift"), camera.shift);
      gl.uniform1f(program.at("scale"), camera.scale);
      gl.uniform1f(program.at("depth"), camera.depth);
      gl.uniform1f(program.at("flatness"), flat ? 1 : 0);
      gl.uniform3fv(program.at("ground"), ground.map((v) => v / 255));
      for (const batch of batches) {
        if (!batch.count) continue;
        gl.bindVertexArray(batch.layout);
        gl.drawElements(gl.TRIANGLES, TRIANGLES.length * batch.count, gl.UNSIGNED_INT, 0);
      }
    }
    gl.bindVertexArray(null);
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = this.mark();
    gl.flush();
  }

  /** A mark behind what has been drawn. */
  mark(): WebGLSync | null {
    return this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  }

  /** Whether all before a mark is done, which is taken away then; known no sooner than in the frame after. */
  passed(mark: WebGLSync | null): boolean {
    const { gl } = this;
    if (mark && !gl.isContextLost() && gl.getSyncParameter(mark, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(mark);
    return true;
  }

  /** Whether what was drawn last is not done yet. */
  get busy(): boolean {
    if (!this.passed(this.fence)) return true;
    this.fence = null;
    return false;
  }
}
