import type { NetworkDefinition, Route } from "../core/network";
import { authorize } from "./authorize";
import { createContainer } from "./create-container";
import { onError, refusals } from "./errors";
import { faultAnswers } from "./faults";
import { listMedia } from "./media";
import { node, nodeOperation } from "./node";
import { publish } from "./publish";
import { publishingLimit } from "./quota";
import { openState, type ThreadsState } from "./state";
import { exchange, inspect, redeemCode, refresh } from "./token";

/** Threads API v1.0: threads.com and graph.threads.com under one prefix. */
export const threads: NetworkDefinition = {
  id: "threads",
  name: "Threads",
  open(world) {
    const state = openState(world);
    return {
      routes: [...tokenRoutes(state), ...graphRoutes(state)],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, refusals.noObject(call.req.path.split("/").at(-1) ?? "", "get")),
      onError,
      reset: state.forget,
    };
  },
};

/** These work without a version and with it. */
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
      path: "/v1.0/:id",
      operation: (call) => nodeOperation(state, call),
      handle: (call) => node(state, call),
    },
  ];
}
