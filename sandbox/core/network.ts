import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { CallEntry } from "./calls";
import type { Fault, FaultKind, OPERATIONS } from "./faults";
import type { World } from "./world";

/** Routes whose handlers are given the network's state. */
export function routesOn<S>(state: S) {
  return (
    method: Route["method"],
    path: string,
    operation: Route["operation"],
    handle: (state: S, call: Call) => Answer,
  ): Route => ({ method, path, operation, handle: (call) => handle(state, call) });
}

/** The operations of the fault list, and three that only the ledger of calls names. */
export type Operation = (typeof OPERATIONS)[number] | "revoke" | "delete" | "other";

export type Env = { Bindings: HttpBindings; Variables: { entry: CallEntry; fault?: Fault } };
export type Call = Context<Env>;
export type Answer = Response | Promise<Response>;

export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/<network>`. */
  path: string;
  /** Fixed, or read from the call where one path serves several. */
  operation: Operation | ((call: Call) => Operation | Promise<Operation>);
  /** Long polls that run by themselves: a `*` fault passes them by. */
  isBackground?: (call: Call) => boolean;
  /** A refusal of a whole group of calls, before the handler; an answer of the handler itself otherwise. */
  handle(call: Call): Answer;
};

/** How this network words what the generic faults make it say. */
export type FaultAnswers = {
  internalError(call: Call): Answer;
  rateLimited(call: Call, afterSeconds: number): Answer;
  invalidGrant(call: Call): Answer;
  /** Answers in place of the work where the network refuses duplicates; undefined: it knows no such refusal. */
  duplicate?(call: Call): Answer;
  /** Revokes what the call presents, and answers itself where the work would not notice. */
  revokeToken(call: Call): Promise<Response | undefined>;
};

export type SandboxNetwork = {
  routes: Route[];
  faults: FaultAnswers;
  notFound(call: Call): Answer;
  onError(call: Call, error: Error): Answer;
  /** Headers that every answer of this network carries. */
  decorate?(call: Call, answer: Response): void;
  /** Forgets posts, keeps people and what they allowed. */
  reset(): void;
  /** Routes below `/_control/<network>`. */
  control?: Record<string, (body: unknown) => Answer>;
  close?(): void;
};

export type NetworkDefinition = {
  id: string;
  name: string;
  /** Paths that begin so also answer without `/<network>`: for a protocol that knows origins only. */
  atRoot?: string[];
  open(world: World): SandboxNetwork;
};

export function hasFault(call: Call, kind: FaultKind): boolean {
  return call.get("fault")?.fault === kind;
}
