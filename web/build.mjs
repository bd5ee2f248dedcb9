// Checks types and bundles src/ into one script and one style sheet: node build.mjs [--out DIR].
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const at = process.argv.indexOf("--out");
const out = at < 0 ? join(here, "build") : process.argv[at + 1];

const SHEETS = ["node_modules/uplot/dist/uPlot.min.css", "src/styles.css", "src/panels/panels.css"];

const types = spawnSync(process.execPath, [join(here, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", here], {
  stdio: "inherit",
});
if (types.status !== 0) process.exit(types.status ?? 1);

// a package that a bundle does without
const left = (name) => ({
  name: "left",
  setup(builder) {
    builder.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: "left" }));
    builder.onLoad({ filter: /.*/, namespace: "left" }, () => ({ contents: "export default null;" }));
  },
});

const script = async (entry, define = {}, more = {}) => {
  const made = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    loader: { ".css": "text" },
    define,
    ...more,
    write: false,
    logLevel: "warning",
  });
  return made.outputFiles[0].text;
};
const beside = await script("sim/worker.ts"); // its thread is begun from a text that the page has
const page = await script("main.ts", { WORKER: JSON.stringify(beside) });
const sheet = await build({
  stdin: {
    contents: SHEETS.filter((file) => existsSync(join(here, file))).map((f) => readFileSync(join(here, f), "utf8")).join("\n"),
    loader: "css",
  },
  minify: true,
  charset: "utf8",
  write: false,
  logLevel: "warning",
});
// what a link may say, which Python reads as well: from the very modules of the page; the curves' library needs a browser
const spoken = await script("keys.ts", {}, { globalName: "spoken", plugins: [left("uplot")] });
const { KEYS } = runInNewContext(`${spoken}; spoken`);
const licences = `uPlot, in this page:\n\n${readFileSync(join(here, "node_modules/uplot/LICENSE"), "utf8")}`;
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.js"), page);
writeFileSync(join(out, "page.css"), sheet.outputFiles[0].text);
writeFileSync(join(out, "licences.txt"), licences);
writeFileSync(join(out, "keys.json"), JSON.stringify(KEYS));
