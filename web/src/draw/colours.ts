/** Colours as the style sheet names them, so that both themes hold; numbers for WebGL, texts for canvas and SVG. */
export type Rgb = readonly [number, number, number]; // 0 to 255

const known = new Map<string, Rgb>();
const HUES = 8;
const HEAT = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"];

/** After a change of theme, colours are looked up again. */
export const forgetColours = (): void => known.clear();

/** A custom property without its dashes, its paler shade with a `+` behind it, `shade-0.5`, or #rrggbb. */
export function rgb(name: string): Rgb {
  const found = known.get(name);
  if (found) return found;
  if (name.startsWith("shade-")) return shade(Number(name.slice(6)));
  if (name.endsWith("+")) return blend(rgb(name.slice(0, -1)), rgb("ground"), 0.45);
  const text = name.startsWith("#") ? name : getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1] ?? "808080";
  const made: Rgb = [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb;
  known.set(name, made);
  return made;
}

export const css = ([r, g, b]: Rgb): string => `#${[r, g, b].map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;

/** Between two colours. */
export const blend = (a: Rgb, b: Rgb, share: number): Rgb => [0, 1, 2].map((k) => a[k]! * (1 - share) + b[k]! * share) as unknown as Rgb;

/** From none (0) to most (1). */
export function heat(share: number): Rgb {
  const at = Math.min(0.9999, Math.max(0, share)) * (HEAT.length - 1);
  const [a, b] = [rgb(HEAT[Math.floor(at)]!), rgb(HEAT[Math.floor(at) + 1]!)];
  return blend(a, b, at - Math.floor(at));
}

/** From a router's own colour (0) to blue (1): of one hue, which rings of other colours stand out from. */
export const shade = (share: number): Rgb => blend(rgb("router"), rgb("hue-0"), share);

/** The colour of a rank, level or dimension: grey for the base of a recursive network, then the hues, then paler ones. */
export function rankColour(rank: number, ranks: readonly number[], base: number): string {
  if (rank === base) return "base";
  const at = ranks.filter((r) => r !== base).indexOf(rank);
  return `hue-${at % HUES}${at % (2 * HUES) < HUES ? "" : "+"}`;
}
