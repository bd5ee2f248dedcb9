/** Networks as Python packed them (`src/jumpnet/explore/packed.py`), unpacked; the format stands in web/README.md. */
import type { Network, Places } from "./network";

interface Described {
  readonly shape: readonly number[];
  readonly type: "u1" | "i2" | "i4" | "i8";
  readonly code: "rows" | "plain";
  readonly width: number;
}

type Numbers = Uint8Array | Int16Array | Int32Array | BigInt64Array;

/** The bytes of a base64 text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const packed = atob(text.trim());
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  return bytes;
}

/** The bytes that a zlib stream holds. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What `pack` was given: arrays in the places of their descriptions. */
export async function unpack(text: string): Promise<Record<string, unknown>> {
  const whole = await inflate(bytesOf(text));
  const length = new DataView(whole.buffer).getUint32(0, true);
  let at = 4 + length;
  const made = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(made);
    if (value === null || typeof value !== "object") return value;
    if ("code" in value && "width" in value && "shape" in value) {
      const about = value as Described;
      const count = about.shape.reduce((product, side) => product * side, 1);
      const array = numbers(whole.subarray(at, at + count * about.width), about, count);
      at += count * about.width;
      return array;
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, made(each)]));
  };
  return made(JSON.parse(new TextDecoder().decode(whole.subarray(4, at)))) as Record<string, unknown>;
}

/** An array row by row from its planes of differences, which go down each column. */
function numbers(planes: Uint8Array, about: Described, count: number): Numbers {
  if (about.type === "i8") return wide(planes, about, count);
  const kind = { u1: Uint8Array, i2: Int16Array, i4: Int32Array }[about.type];
  const array = new kind(count);
  const rows = about.shape[0]!;
  const columns = rows ? count / rows : 0;
  for (let column = 0, k = 0; column < columns; column++) {
    let value = 0;
    for (let row = 0; row < rows; row++, k++) {
      let coded = 0;
      for (let plane = about.width - 1; plane >= 0; plane--) coded = coded * 256 + planes[plane * count + k]!;
      value += coded % 2 ? -(coded + 1) / 2 : coded / 2;
      array[row * columns + column] = value + (about.code === "rows" ? row : 0);
    }
  }
  return array;
}

/** The same for 64 bits, which are few. */
function wide(planes: Uint8Array, about: Described, count: number): BigInt64Array {
  const array = new BigInt64Array(count);
  const rows = about.shape[0]!;
  const columns = rows ? count / rows : 0;
  for (let column = 0, k = 0; column < columns; column++) {
    let value = 0n;
    for (let row = 0; row < rows; row++, k++) {
      let coded = 0n;
      for (let plane = about.width - 1; plane >= 0; plane--) coded = coded * 256n + BigInt(planes[plane * count + k]!);
      value += coded & 1n ? -((coded + 1n) >> 1n) : coded >> 1n;
      array[row * columns + column] = BigInt.asIntN(64, value);
    }
  }
  return array;
}

const STEPS = 1000;

/** A network from its text in the page. */
export async function network(text: string): Promise<Network> {
  const given = await unpack(text);
  const neighbor = given.neighbor as Int32Array;
  const coord = given.coord as Int32Array;
  const place = given.place as Record<string, unknown>;
  const routers = (given.terminals as Int32Array).length;
  const steps = (values: unknown): Float32Array => Float32Array.from(values as Int32Array, (v) => v / STEPS);
  const places = {
    ...place,
    position: steps(place.position),
    basis: place.basis ? steps(place.basis) : null,
  } as unknown as Places;
  return {
    ...(given as unknown as Network),
    classRank: Int32Array.from(given.classRank as number[]),
    routers,
    ports: routers ? neighbor.length / routers : 0,
    dims: routers ? coord.length / routers : 0,
    place: places,
  };
}
