import type { Call, FaultAnswers, NetworkDefinition, Operation, Route } from "../core/network";
import { switchesControl } from "../core/switches";
import { GraphError, parametersOf, presentPlaces } from "../meta/graph";
import { createContainer } from "./containers";
import { listMedia, node, nodeOperation, publishingLimit } from "./node";
import { authorize, exchange, redeemCode, refresh } from "./oauth";
import { createComment, listComments, publish } from "./publish";
import { errors, invalidCode, onError, tokenIn } from "./request";
import { type InstagramState, openState } from "./state";

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
        graph("GET", "/pages/search", "destinations", (call) => searchPages(state, call)),
        graph("POST", "/:id/media", "prepare", (call) => createContainer(state, call)),
        graph("POST", "/:id/media_publish", "publish", (call) => publish(state, call)),
        graph("POST", "/:id/comments", "publish", (call) => createComment(state, call)),
        graph("GET", "/:id/comments", "status", (call) => listComments(state, call)),
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
      notFound: (call) => onError(call, new GraphError(2500, "Unknown path components", { type: "OAuthException" })),
      onError,
      accountOf: async (call) => state.grants.accountOf(tokenIn(call, await parametersOf(call))),
      reset() {
        state.reset();
        state.switches.reset();
      },
      control: switchesControl(state.switches),
    };
  },
};

/** The token of an application at Facebook, which is not the one at Instagram. Source: Facebook Login, access tokens. */
const FACEBOOK_APP_TOKEN = "sandbox-facebook|sandbox-facebook-secret";

/**
 * `GET /pages/search` on graph.facebook.com, which does not know Instagram's tokens. Source: Pages API, search for a Page: an app
 * token, if the person is not logged into Facebook.
 */
function searchPages(state: InstagramState, call: Call): Response {
  if (tokenIn(call) !== FACEBOOK_APP_TOKEN) throw errors.badToken();
  if (!state.switches.mayReadPublicPages) throw errors.noPublicPages();
  return presentPlaces(call);
}

type Handle = Route["handle"];

/**
 * v26.0 is the newest version. Calls to a retired version (v20.0 ended on 2026-09-24) are answered by the oldest usable one.
 * Source: Graph API, platform versioning.
 */
function assertVersion(call: Call): void {
  const major = Number(/^v(\d+)/.exec(call.req.param("version") ?? "")?.[1]);
  if (major > 26) throw errors.parameter(`Unknown version ${call.req.param("version")}`);
}

function faultAnswers(state: InstagramState): FaultAnswers {
  return {
    internalError: (call) => onError(call, errors.internal()),
    operator: (call) => onError(call, errors.noCapability()),
    rateLimited(call, afterSeconds) {
      usageHeader(call, 100, Math.ceil(afterSeconds / 60));
      return onError(call, errors.throttled());
    },
    invalidGrant: (call) =>
      onError(call, call.req.path.endsWith("/oauth/access_token") ? invalidCode() : errors.invalidToken(463)),
    /** Instagram accepts duplicates. The nearest error is "action blocked", after which the post may still be live. */
    async duplicate(call) {
      if (call.req.path.endsWith("/media_publish")) await publish(state, call);
      return onError(call, errors.actionBlocked());
    },
    async revokeToken(call) {
      const live = state.grants.findToken(tokenIn(call, await parametersOf(call)), "short", "long");
      if (!live) return undefined;
      state.grants.revokeTokens(live.grant);
      return onError(call, errors.invalidToken(458));
    },
  };
}

/** Sets `X-Business-Use-Case-Usage`, Meta's header with the minutes until calls are allowed again. */
function usageHeader(call: Call, percent: number, minutes: number): void {
  const usage = {
    type: "instagram",
    call_count: percent,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  };
  call.header("X-Business-Use-Case-Usage", JSON.stringify({ "17841400000000000": [usage] }));
}
