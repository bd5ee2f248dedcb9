/** What gives the same as the page, where a panel names nothing of its own: the drawing, or the page at this link. */

/** A word for a shell. */
export const word = (text: string): string => (/^[\w:,.=+@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** `rest`: the link behind the network's name, "" where all else is as the page opens. */
export function drawCommand(spec: string, rest: string): string {
  return rest === "" ? `jumpnet draw ${word(spec)}` : `jumpnet explore ${word(spec)} --at '${rest}'`;
}

export function drawPython(spec: string, rest: string): string {
  return rest === ""
    ? `jumpnet.network(${JSON.stringify(spec)}).draw()`
    : `from jumpnet.explore.written import write_page\nwrite_page(".", [${JSON.stringify(spec)}], at=${JSON.stringify(rest)})`;
}

/** Statements as one line, with what they need of the library. */
export function oneLine(python: string): string {
  const needs = python.split("\n").some((line) => !line.startsWith("from ") && line.includes("jumpnet."));
  return `${needs ? "import jumpnet; " : ""}${python.replaceAll("\n", "; ")}`;
}
