import type { Call, NetworkDefinition, Operation, Route } from "../core/network";
import { authorize } from "./authorize";
import { createContainer } from "./create-container";
import { GraphRefusal, onError, refusals } from "./errors";
import { faultAnswers, usageHeader } from "./faults";
import { listMedia, publishingLimit } from "./media";
import { node, nodeOperation } from "./node";
import { publish } from "./publish";
import { openState } from "./state";
import { exchange, redeemCode, refresh } from "./token";

type Handle = Route["handle"];

/** Instagram API with Instagram Login, v26.0: www, api and graph under one prefix. */
export const instagram: NetworkDefinition = {
  id: "instagram",
  name: "Instagram",
  open(world) {
    const state = openState(world);
    const graph = (
      method: "GET" | "POST",
      path: string,
      operation: Operation | ((call: Call) => Operation),
      handle: Handle,
    ): Route => ({
      method,
      path: `/:version{v[0-9]+\\.[0-9]+}${path}`,
      operation,
      handle(call) {
        assertVersion(call);
        usageHeader(call, 1, 0);
        return handle(call);
      },
    });
    return {
      routes: [
        { method: "GET", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/oauth/access_token", operation: "token", handle: (call) => redeemCode(state, call) },
        { method: "GET", path: "/access_token", operation: "token", handle: (call) => exchange(state, call) },
        { method: "GET", path: "/refresh_access_token", operation: "refresh", handle: (call) => refresh(state, call) },
        graph("GET", "/access_token", "token", (call) => exchange(state, call)),
        graph("GET", "/refresh_access_token", "refresh", (call) => refresh(state, call)),
        graph("POST", "/:id/media", "prepare", (call) => createContainer(state, call)),
        graph("POST", "/:id/media_publish", "publish", (call) => publish(state, call)),
        graph("GET", "/:id/media", "status", (call) => listMedia(state, call, "feed")),
        graph("GET", "/:id/stories", "status", (call) => listMedia(state, call, "stories")),
        graph("GET", "/:id/content_publishing_limit", "other", (call) => publishingLimit(state, call)),
        graph(
          "GET",
          "/:id",
          (call) => nodeOperation(state, call),
          (call) => node(state, call),
        ),
      ],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new GraphRefusal(2500, "Unknown path components", { type: "OAuthException" })),
      onError,
      reset: state.forget,
    };
  },
};

/** v20.0 ended on 2026-09-24; v26.0 is the newest. */
function assertVersion(call: Call): void {
  const major = Number(/^v(\d+)/.exec(call.req.param("version") ?? "")?.[1]);
  if (major > 26) throw refusals.parameter(`Unknown version ${call.req.param("version")}`);
  if (major < 21)
    throw new GraphRefusal(
      2635,
      "(#2635) You are calling a deprecated version of the Ads API. Please update to the latest version: v26.0.",
    );
}
