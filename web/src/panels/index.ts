/** Panels beside network, route and simulate, in the order of their tabs. */
import type { Panel } from "../shell/panel";
import { panel as collectives } from "./collectives";
import { panel as deadlock } from "./deadlock";
import { panel as faults } from "./faults";
import { panel as multicast } from "./multicast";
import { panel as papers } from "./papers";
import { panel as wafer } from "./wafer";

export const PANELS: readonly Panel[] = [deadlock, multicast, faults, wafer, papers, collectives];
