/** Starts the page. */
import { PANELS } from "./panels/index";
import { Page } from "./shell/page";
import { panel as network } from "./views/network";

new Page([network, ...PANELS]);
