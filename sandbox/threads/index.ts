import type { FaultAnswers, NetworkDefinition, Route } from "../core/network";
import { switchesControl } from "../core/switches";
import { parametersOf } from "../meta/graph";
import { createContainer } from "./containers";
import { listMedia, node, nodeOperation, searchLocations } from "./node";
import { authorize, exchange, inspect, redeemCode, refresh } from "./oauth";
import { publish, publishingLimit } from "./publish";
import { errors, invalidCode, onError, tokenIn } from "./request";
import { openState, type ThreadsState } from "./state";

/** Threads API v1.0: threads.com and graph.threads.com under one prefix. */
export const threads: NetworkDefinition = {
  id: "threads",
  name: "Threads",
  open(world) {
    const state = openState(world);
    return {
      routes: [...tokenRoutes(state), ...graphRoutes(state)],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, errors.noObject(call.req.path.split("/").at(-1) ?? "", "get")),
      onError,
      accountOf: async (call) => state.grants.accountOf(tokenIn(call, await parametersOf(call))),
      reset: state.reset,
      control: switchesControl(state.switches),
    };
  },
};

/** Routes that work with and without a version. */
function tokenRoutes(state: ThreadsState): Route[] {
  return ["", "/v1.0"].flatMap((version): Route[] => [
    {
      method: "POST",
      path: `${version}/oauth/access_token`,
      operation: "token",
      handle: (call) => redeemCode(state, call),
    },
    { method: "GET", path: `${version}/access_token`, operation: "token", handle: (call) => exchange(state, call) },
    {
      method: "GET",
      path: `${version}/refresh_access_token`,
      operation: "refresh",
      handle: (call) => refresh(state, call),
    },
    { method: "GET", path: `${version}/debug_token`, operation: "other", handle: (call) => inspect(state, call) },
  ]);
}

function graphRoutes(state: ThreadsState): Route[] {
  return [
    { method: "GET", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
    { method: "POST", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
    { method: "POST", path: "/v1.0/:id/threads", operation: "prepare", handle: (call) => createContainer(state, call) },
    { method: "POST", path: "/v1.0/:id/threads_publish", operation: "publish", handle: (call) => publish(state, call) },
    {
      method: "GET",
      path: "/v1.0/:id/threads",
      operation: "status",
      handle: (call) => listMedia(state, call, "threads"),
    },
    {
      method: "GET",
      path: "/v1.0/:id/replies",
      operation: "status",
      handle: (call) => listMedia(state, call, "replies"),
    },
    {
      method: "GET",
      path: "/v1.0/:id/threads_publishing_limit",
      operation: "other",
      handle: (call) => publishingLimit(state, call),
    },
    {
      method: "GET",
      path: "/v1.0/location_search",
      operation: "destinations",
      handle: (call) => searchLocations(state, call),
    },
    {
      method: "GET",
      path: "/v1.0/:id",
      operation: (call) => nodeOperation(state, call),
      handle: (call) => node(state, call),
    },
  ];
}

function faultAnswers(state: ThreadsState): FaultAnswers {
  return {
    internalError: (call) => onError(call, errors.internal()),
    operator: (call) => onError(call, errors.noCapability()),
    // Threads states no wait time: the status is 400, and usage headers are not confirmed on these hosts.
    rateLimited: (call) => onError(call, errors.throttled()),
    invalidGrant: (call) =>
      onError(call, call.req.path.endsWith("/oauth/access_token") ? invalidCode() : errors.expired()),
    /** Threads accepts duplicates. The nearest error is "action blocked", after which the post may still be live. */
    async duplicate(call) {
      if (call.req.path.endsWith("/threads_publish")) await publish(state, call);
      return onError(call, errors.actionBlocked());
    },
    async revokeToken(call) {
      const live = state.grants.findToken(tokenIn(call, await parametersOf(call)), "short", "long");
      if (!live) return undefined;
      state.grants.revokeTokens(live.grant);
      return onError(call, errors.withdrawn());
    },
  };
}
