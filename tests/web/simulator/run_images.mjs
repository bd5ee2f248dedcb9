// Runs images in Node as the page does: node run_images.mjs WEB KERNELS < jobs.json > answers.json (test_same_bits.py).
import { readFileSync, mkdtempSync, writeFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [web, wasm] = process.argv.slice(2);
const { build } = createRequire(join(web, "package.json"))("esbuild");
const folder = mkdtempSync(join(tmpdir(), "jumpnet-"));
const bundle = join(folder, "simulation.mjs");
const parts = 'export * from "./src/sim/simulation"; export { grown } from "./src/data/grown"; export { network, unpack } from "./src/data/decode"; export { anywhere, modelOf } from "./src/sim/anywhere"; export { withLayers } from "./src/sim/layers";';
await build({ stdin: { contents: parts, resolveDir: web }, bundle: true, format: "esm", outfile: bundle, logLevel: "error" });
const { Image, Kernels, Offered, Relation, Simulation, Trees, anywhere, grown, modelOf, network, unpack, withLayers } = await import(pathToFileURL(bundle).href);
rmSync(folder, { recursive: true });

const kernels = await Kernels.load(readFileSync(wasm));
const { busy } = kernels.layout;

function followed(relation, source, destination, draw) {
  let packet = relation.start(source, destination, draw);
  const hops = [];
  for (let next = relation.candidates(packet); next.length; next = relation.candidates(packet)) {
    hops.push([packet.here, ...next.map((one) => [one.port, one.vc, String(one.state), Number(one.escape) + 2 * Number(one.enters)])]);
    packet = relation.take(packet, next[hops.length % next.length]);
    if (hops.length > 200) break;
  }
  return { hops, end: packet.here };
}

/** What the page knows of a size that it makes by rule. */
async function byRule(job, spec) {
  const sized = job.sized ? (await unpack(job.sized)).routings : [];
  const given = anywhere(await unpack(job.runs), grown(spec), sized);
  return sized.length ? given : withLayers(given, grown(spec), kernels);
}

const answers = [];
for (const job of JSON.parse(readFileSync(0, "utf8"))) {
  const answer = {};
  answers.push(answer);
  if (job.tables) {
    const trees = await Trees.of(kernels, Int32Array.from(job.tables), job.rows);
    answer.trees = job.sent.map(([scheme, source, to]) => {
      const tree = trees.grow(scheme, source, to);
      return tree && { ...tree, receivers: [...tree.receivers], remade: [...tree.remade] };
    });
    continue;
  }
  if (job.grown) {
    const plain = (_, value) => (ArrayBuffer.isView(value) ? [...value].map(Number) : value);
    try {
      answer.grown = JSON.parse(JSON.stringify(grown(job.grown), plain));
    } catch (error) {
      answer.refused = error.message;
    }
    continue;
  }
  if (job.asked) {
    answer.model = modelOf(job.asked);
    answer.given = JSON.parse(JSON.stringify(await byRule(job, job.asked), (_, v) => (v instanceof BigInt64Array ? [...v].map(String) : ArrayBuffer.isView(v) ? [...v] : v)));
    continue;
  }
  const image = job.by ? await Offered.of(await byRule(job, job.by), grown(job.by), kernels) : job.runs ? await Offered.open(job.runs, await network(job.net), kernels) : await Image.open(job.image);
  kernels.layout.busy = job.sets ? Object.fromEntries(Object.keys(busy).map((entry) => [entry, 0])) : busy;
  if (image instanceof Offered && job.which?.routing) await image.settle(job.which.routing, kernels);
  if (job.worst) {
    const spec = `worst:routing=${job.worst}`;
    if (!image.unfound(spec)) throw new Error(`${spec} has been found before`);
    try {
      await image.find(spec, kernels);
      answer.worst = [...image.traffic(spec).own].map(Number);
    } catch (error) {
      answer.refused = error.message;
      continue;
    }
  }
  if (job.pairs) {
    const relation = await Relation.from(image, kernels, job.which, job.broken);
    answer.routes = job.pairs.map(([source, destination, draw]) => followed(relation, source, destination, draw));
  }
  if (job.phases) {
    let sim;
    try {
      sim = await Simulation.from(image, kernels, job.which, job.broken);
    } catch (error) {
      answer.refused = error.message;
      continue;
    }
    for (const [name, value] of Object.entries(job.set ?? {})) sim.set(name, value);
    const before = process.cpuUsage();
    for (const _ of sim.measure(job.phases));
    const { user, system } = process.cpuUsage(before);
    const figures = Object.fromEntries(Object.entries(sim.figures()).map(([k, v]) => [k, Number.isFinite(v) || typeof v === "boolean" ? v : null]));
    Object.assign(answer, { figures, cycle: sim.cycle, cpu_seconds: (user + system) / 1e6, links: [...sim.linkFlits()], held: [...sim.linkHeld()], ring: sim.ring() });
    answer.histograms = ["packet", "network", "flit"].map((kind) => [...sim.histogram(kind)]);
    if (job.flits) answer.flits = sim.flits();
    answer.more = [];
    for (const cycles of job.more ?? []) answer.more.push([sim.run(cycles), ...sim.linkFlits()]);
  }
  if (job.live) {
    const sim = await Simulation.from(image, kernels, job.which);
    answer.live = job.live.map(([load, cycles]) => {
      sim.set("load", load);
      return [sim.run(cycles), ...sim.linkFlits()];
    });
  }
}
writeFileSync(1, JSON.stringify(answers));
