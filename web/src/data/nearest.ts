/** The network that is nearest to a name that there is not. */
import { steps } from "./words";
import { MOST_ROUTERS, ruleOf, SIZES, SizeError } from "./rules";

/** What is asked of a network in the page's list. */
export interface Listed {
  readonly spec: string;
  readonly family: string;
}

/** Other names of families, letters alone. */
const ALSO: Readonly<Record<string, string>> = {
  ring: "torus", cycle: "torus", karyncube: "torus", grid: "mesh", array: "mesh", line: "mesh", path: "mesh", cube: "hypercube",
  ncube: "hypercube", butterfly: "fly", clique: "complete", kn: "complete", flattenedbutterfly: "flatfly", wkrecursive: "wk",
  cubeconnectedcycles: "ccc", petersen: "graph", foldedclos: "clos", anynet: "file", recursivediagonaltorus: "rdt",
};

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** A family is first shown at a size that can be taken in: the second one where there are more than two. */
export function usual(entries: readonly Listed[], family: string): string {
  const own = entries.filter((entry) => entry.family === family).map(({ spec }) => spec);
  return own[own.length > 2 ? 1 : 0] ?? "";
}

/** The family that a name means, whatever its case and dashes: a third of its letters may be wrong; "" for none. */
function familyNamed(name: string, families: readonly string[]): string {
  const letters = lettersOf(name);
  const also = ALSO[letters] ?? "";
  if (families.includes(letters)) return letters;
  if (families.includes(also)) return also;
  const [near] = [...families].sort((a, b) => steps(letters, a) - steps(letters, b));
  return near && steps(letters, near) <= letters.length / 3 ? near : "";
}

/** The network nearest to a spec, of those that the page has or makes by rule; "" where no family has a like name. */
export function nearest(spec: string, entries: readonly Listed[]): string {
  const [name, size] = split(spec);
  const family = familyNamed(name, [...new Set(entries.map((entry) => entry.family))]);
  if (!family) return "";
  if (!/\d/.test(size)) return usual(entries, family);
  const wanted = `${family}:${whole(size.toLowerCase().replace(/\s/g, ""))}`;
  const own = entries.filter((entry) => entry.family === family).map((entry) => entry.spec);
  if (own.includes(wanted)) return wanted;
  const ruled = SIZES[family] ? bySize(family, numbersOf(wanted)) : "";
  const all = ruled && !own.includes(ruled) ? [...own, ruled] : own;
  return all.reduce((a, b) => (apart(wanted, b) < apart(wanted, a) ? b : a));
}

/** Family and size of a spec. */
export function split(spec: string): [string, string] {
  const at = spec.indexOf(":");
  return at < 0 ? [spec, ""] : [spec.slice(0, at), spec.slice(at + 1)];
}

/** A size whose numbers are written out: 1e2 is 100. */
const whole = (size: string): string => size.replace(/\b\d{1,15}e\d{1,2}\b/g, (number) => String(Math.min(1e15, Number(number))));

const numbersOf = (spec: string): number[] => (split(spec)[1].match(/\d+/g) ?? []).map(Number);

/** How far two specs of a family are from each other: by the ratios of their numbers, then by what else they say. */
function apart(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const ratios = Array.from({ length: Math.max(a.length, b.length) }, (_, k) => Math.abs(Math.log2(((a[k] ?? 0) + 1) / ((b[k] ?? 0) + 1))));
  const [said, there] = [one, other].map((spec) => spec.replace(/\d+/g, "").slice(0, 80)) as [string, string];
  return ratios.reduce((sum, each) => sum + each, 0) + 0.1 * steps(said, there);
}

/** The size nearest to some numbers that the rule of a family makes. */
function bySize(family: string, numbers: readonly number[]): string {
  if (family === "torus" || family === "mesh") return made(`${family}:${sidesNear(numbers).join("x")}`);
  const most = family === "hypercube" ? Math.log2(MOST_ROUTERS) : Math.sqrt(MOST_ROUTERS);
  const wanted = Math.min(most, numbers[0] ?? 0);
  for (let step = 0; step <= most; step++) {
    const found = made(`${family}:${wanted - step}`) || made(`${family}:${wanted + step}`);
    if (found) return found;
  }
  return "";
}

/** Sides of a grid that is drawn here: the longest ones are cut until it is small enough. */
function sidesNear(numbers: readonly number[]): number[] {
  const sides = numbers.slice(0, 12).map((side) => Math.max(1, Math.min(MOST_ROUTERS, side)));
  const product = (): number => sides.reduce((a, b) => a * b, 1);
  if (product() < 2) return [2];
  while (product() > MOST_ROUTERS) sides[sides.indexOf(Math.max(...sides))]! -= 1;
  return sides;
}

/** The spec, where a rule makes it. */
function made(spec: string): string {
  try {
    return ruleOf(spec)?.spec ?? "";
  } catch (error) {
    if (error instanceof SizeError) return "";
    throw error;
  }
}
