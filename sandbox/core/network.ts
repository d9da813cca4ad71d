import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { CallEntry } from "./calls";
import type { Fault, FaultKind, OPERATIONS } from "./faults";
import type { World } from "./world";

/** Returns a function that builds routes whose handlers receive the network's state. */
export function routesOn<S>(state: S) {
  return (
    method: Route["method"],
    path: string,
    operation: Route["operation"],
    handle: (state: S, call: Call) => Answer,
  ): Route => ({ method, path, operation, handle: (call) => handle(state, call) });
}

/** The operations that faults can target, and three that only appear in the list of calls. */
export type Operation = (typeof OPERATIONS)[number] | "revoke" | "delete" | "other";

export type Env = { Bindings: HttpBindings; Variables: { entry: CallEntry; fault?: Fault } };
export type Call = Context<Env>;
export type Answer = Response | Promise<Response>;

export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/<network>`. */
  path: string;
  /** Fixed, or derived from the call if one path serves several operations. */
  operation: Operation | ((call: Call) => Operation | Promise<Operation>);
  /** True for background long polls, which a fault for `*` skips. */
  isBackground?: (call: Call) => boolean;
  handle(call: Call): Answer;
};

/** This network's responses to the generic faults. */
export type FaultAnswers = {
  internalError(call: Call): Answer;
  rateLimited(call: Call, afterSeconds: number): Answer;
  invalidGrant(call: Call): Answer;
  /** The response to a duplicate post. Undefined for networks that accept duplicates. */
  duplicate?(call: Call): Answer;
  /** Refuses the application itself, whoever the user is. `reason` selects one of several refusals, if the network has them. */
  operator(call: Call, reason?: string): Answer;
  /** Revokes the credential of the call. Returns a response if the handler would not notice. */
  revokeToken(call: Call): Promise<Response | undefined>;
};

export type SandboxNetwork = {
  routes: Route[];
  faults: FaultAnswers;
  notFound(call: Call): Answer;
  onError(call: Call, error: Error): Answer;
  /** The account of a call whose token is not in the usual places, or of an upload that needs no token. */
  accountOf?(call: Call): string | undefined | Promise<string | undefined>;
  /** Adds the headers that every response of this network carries. */
  addHeaders?(call: Call, answer: Response): void;
  /** Deletes posts and uploads; keeps users and their consents. */
  reset(): void;
  /** Handlers for `POST /_control/<network>/<action>`. */
  control?: Record<string, (body: unknown) => Answer>;
  close?(): void;
};

export type NetworkDefinition = {
  id: string;
  name: string;
  /** Path prefixes also served without `/<network>`, for protocols that identify a server by its origin. */
  atRoot?: string[];
  open(world: World): SandboxNetwork;
};

export function hasFault(call: Call, kind: FaultKind): boolean {
  return call.get("fault")?.fault === kind;
}

/** Parses the form of a token request. Any other content type yields no fields. */
export async function tokenForm(call: Call): Promise<URLSearchParams> {
  const isForm = call.req.header("content-type")?.startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? await call.req.text() : "");
}

/** Tells whether a call of a token endpoint is the operation `token` or `refresh`. */
export async function tokenOperation(call: Call): Promise<Operation> {
  return (await tokenForm(call)).get("grant_type") === "refresh_token" ? "refresh" : "token";
}
