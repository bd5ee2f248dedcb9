/** The state without what a network does not have. */
import type { Network } from "../data/network";
import { viewsOf } from "../draw/drawing";
import type { Key, State, Value } from "../state/state";

type Keys = Readonly<Record<string, Key>>;

const TURN = /(_-?\d+){2}$/; // of the eye: nothing is turned in the plane

export function fitting(state: State, net: Network, keys: Keys): State {
  const routing = net.grown || net.routings.some((each) => each.name === state.routing.split(":")[0]) ? state.routing : "";
  const view = viewsOf(net).includes(state.view) ? state.view : "plane";
  const numbered = Object.entries(keys).filter(([, key]) => key.of).map(([name, key]) => [name, there(state[name]!, key, net)]);
  const eye = view === "space" ? state.eye : state.eye.replace(TURN, "_0_0");
  return { ...state, ...Object.fromEntries(numbered), net: net.spec, routing, view, eye } as State;
}

/** The routers or links of a value that the network has. */
function there(value: Value, key: Key, net: Network): Value {
  if (!Array.isArray(value)) return has(value as number, key, net) ? value : key.initial;
  const numbers = value as readonly number[];
  if (key.of !== "way") return numbers.every((each, k) => has(each, key, net) && numbers.indexOf(each) === k) ? value : [...new Set(numbers)].filter((each) => has(each, key, net));
  const end = numbers.findIndex((each) => !has(each, key, net));
  return end < 0 ? value : numbers.slice(0, end);
}

/** Whether the network has that router or link; what the default says, it has. */
function has(number: number, { of, initial }: Key, net: Network): boolean {
  if (number === initial) return true;
  return of === "links" ? (net.neighbor[number] ?? -1) >= 0 : number < net.routers;
}

/** What such numbers are on a network, in words. */
export const numbered = ({ of }: Key, net: Network): string => (of === "links" ? "channels of links" : `routers 0 to ${net.routers - 1}`);
