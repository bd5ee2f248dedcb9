/** Panels beside network, route and simulate, in the order of their tabs. */
import type { Panel } from "../shell/panel";
import { panel as collectives } from "./collectives/panel";
import { panel as deadlock } from "./deadlock/panel";
import { panel as faults } from "./faults/panel";
import { panel as multicast } from "./multicast/panel";
import { panel as papers } from "./papers/panel";
import { panel as wafer } from "./wafer/panel";

export const PANELS: readonly Panel[] = [deadlock, multicast, faults, wafer, papers, collectives];
