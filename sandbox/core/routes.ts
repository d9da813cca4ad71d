import type { Answer, Call, Route } from "./network";

/** Routes whose handlers are given the network's state. */
export function routesOn<S>(state: S) {
  return (
    method: Route["method"],
    path: string,
    operation: Route["operation"],
    handle: (state: S, call: Call) => Answer,
  ): Route => ({ method, path, operation, handle: (call) => handle(state, call) });
}
