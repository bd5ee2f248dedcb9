/** Starts the page. */
import { PANELS } from "./panels/index";
import { Page } from "./shell/page";
import { panel as network } from "./views/network";
import { panel as route } from "./views/route";
import { panel as simulate } from "./views/simulate";

new Page([network, route, simulate, ...PANELS]);
