/** What gives the same as the page, where a panel names nothing of its own: the drawing, or the page at this link. */
import type { Network } from "../data/network";

/** A word for a shell. */
export const word = (text: string): string => (/^[\w:,.=+@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** The file of a routing of the user's own, "" for one of jumpnet's. */
const fileOf = (net: Network, routing: string): string =>
  net.routings.find((each) => each.name.split(":")[0] === routing.split(":")[0])?.file ?? "";

/** How a command with a routing begins. */
export function command(verb: string, net: Network, routing: string): string {
  const file = fileOf(net, routing);
  return `jumpnet ${file ? `--load ${word(file)} ` : ""}${verb} ${word(net.spec)}`;
}

/** Lines of Python that make a routing known. */
export function loading(net: Network, routing: string): string[] {
  const file = fileOf(net, routing);
  return file ? ["from jumpnet.own import load", `load(${JSON.stringify(file)})`] : [];
}

/** `rest`: the link behind the network's name, "" where all else is as the page opens. */
export function drawCommand(spec: string, rest: string): string {
  return rest === "" ? `jumpnet draw ${word(spec)}` : `jumpnet explore ${word(spec)} --at '${rest}'`;
}

export function drawPython(spec: string, rest: string): string {
  return rest === ""
    ? `jumpnet.network(${JSON.stringify(spec)}).draw()`
    : `from jumpnet.explore.written import write_page\nwrite_page(".", [${JSON.stringify(spec)}], at=${JSON.stringify(rest)}, name="${spec.replace(/[^A-Za-z0-9]+/g, "-")}.html")`;
}

/** Statements as one line, with what they need of the library. */
export function oneLine(python: string): string {
  const needs = python.split("\n").some((line) => !line.startsWith("from ") && line.includes("jumpnet."));
  return `${needs ? "import jumpnet; " : ""}${python.replaceAll("\n", "; ")}`;
}
