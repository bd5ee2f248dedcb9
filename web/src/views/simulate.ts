/** The third panel: the simulator running, flits on their way or loads as heat, and the curve of latency over load. */
import type { Panel } from "../shell/panel";
import { noRuns, offered, opened, runs } from "../sim/held";
import { amiss } from "./run/choices";
import { CURVE, settledCurve } from "./run/curve/points";
import { SPEEDS } from "./run/controls";
import { REACHED, settledLoads } from "./run/reached";
import { RunView, seen } from "./run/view";
import { commandOf, pythonOf } from "./run/commands";

export const panel: Panel = {
  id: "simulate",
  title: "Simulate",
  summary: "Packets move flit by flit, as jumpnet simulate moves them: the same functions, the same figures.",
  keys: {
    "simulate.preset": { initial: "booksim" }, "simulate.buffer": { initial: 0, least: 0, most: 4096 },
    "simulate.speed": { initial: 3, least: 0, most: SPEEDS.length - 1 }, "simulate.heat": { initial: false }, ...REACHED, ...CURVE,
  },
  misfit: (net) => (runs(net.spec) ? null : noRuns(net.spec)),
  takes: "as traffic",
  mount: (host, app) => new RunView(host, app),
  settled: (state) => ({ ...settledCurve(state), ...settledLoads(state) }),
  reads: ["traffic", "vcs"],
  ready: (net) => offered(net.spec),
  amiss: (state, net) => amiss(opened(net.spec)!, state, net, ["traffic", "vcs", "simulate.preset", "simulate.buffer"]),
  command: (state, net) => commandOf(state, net, seen),
  python: (state, net) => pythonOf(state, net, seen),
};
