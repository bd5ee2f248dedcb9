/** Traffic from a file of a user's own: a destination for each terminal, or a matrix of weights, as its spec. */
import { quantity } from "../../../data/words";
import { RunError } from "../../../sim/simulation";

const MOST_BYTES = 1_000_000;
const SHOWN = 30; // characters of a word that does not suit
const TRACE = ["cycle", "source", "destination", "flits"];

/** Terminals that send, and that receive. */
export interface Ends {
  readonly sources: number;
  readonly sinks: number;
}

/** What a file says; rejects with a RunError of one line. */
export async function fromFile(file: File, ends: Ends): Promise<string> {
  if (file.size > MOST_BYTES) throw new RunError(`${file.name}: ${file.size.toLocaleString("en")} bytes found, at most ${MOST_BYTES.toLocaleString("en")} expected`);
  return fromText(file.name, await file.text(), ends);
}

/** Numbers separated by commas, semicolons or spaces; `#` starts a comment, x sends nothing. Or the spec itself, as a command has it. */
export function fromText(name: string, text: string, { sources, sinks }: Ends): string {
  if (/^(permutation|matrix):\S+$/.test(text.trim())) return text.trim();
  const rows: string[][] = [];
  text.split(/\r\n|\n|\r/).forEach((line, k) => {
    const words = line.replace(/#.*/, "").split(/[\s,;]+/).filter(Boolean);
    if (words.slice(0, 2).join() === "id,cycle" || words.join() === TRACE.join()) throw trace(name);
    const wrong = words.find((word) => !/^(\d{1,15}|x)$/.test(word));
    if (wrong !== undefined) throw new RunError(`${name}, line ${k + 1}: “${wrong.slice(0, SHOWN)}” found, whole numbers expected, or x where a terminal sends nothing`);
    if (words.length) rows.push(words);
  });
  const all = rows.flat();
  if (all.length === sources) return `permutation:to=${all.join("-")}`;
  if (rows.length === sources && rows.every((row) => row.length === sinks)) return `matrix:rows=${rows.map((row) => row.join("-")).join("/")}`;
  if (rows.length > 1 && rows.every((row) => row.length === TRACE.length)) throw trace(name);
  throw new RunError(`${name}: ${quantity(all.length, "number")} in ${quantity(rows.length, "row")} found; ${quantity(sources, "destination")}, or ${quantity(sources, "row")} of ${quantity(sinks, "weight")}, expected`);
}

const trace = (name: string): RunError => new RunError(`${name}: packets with their cycles found, which this page does not replay; jumpnet simulate with --trace does`);
