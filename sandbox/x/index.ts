import { type Call, type FaultAnswers, type NetworkDefinition, tokenForm } from "../core/network";
import { switchesControl } from "../core/switches";
import { authorize, revoke, token, tokenOperation } from "./oauth";
import { createPost, DUPLICATE, deletePost } from "./posts";
import {
  APPLICATION_REFUSALS,
  bearer,
  forbidden,
  internalError,
  invalidToken,
  notFound,
  onError,
  rateHeaders,
  tooManyRequests,
} from "./request";
import { openState, type XState } from "./state";
import { append, finalize, initialize, setMetadata, uploadImage, uploadStatus } from "./upload";
import { me, timeline } from "./users";

/** X's API v2 (OpenAPI 2.167); the consent page of x.com shares the prefix. */
export const x: NetworkDefinition = {
  id: "x",
  name: "X",
  open(world) {
    const state = openState(world);
    return {
      routes: [
        {
          method: "GET",
          path: "/i/oauth2/authorize",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        {
          method: "POST",
          path: "/i/oauth2/authorize",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        { method: "POST", path: "/2/oauth2/token", operation: tokenOperation, handle: (call) => token(state, call) },
        { method: "POST", path: "/2/oauth2/revoke", operation: "revoke", handle: (call) => revoke(state, call) },
        { method: "GET", path: "/2/users/me", operation: "profile", handle: (call) => me(state, call) },
        { method: "POST", path: "/2/media/upload", operation: "upload", handle: (call) => uploadImage(state, call) },
        {
          method: "POST",
          path: "/2/media/upload/initialize",
          operation: "prepare",
          handle: (call) => initialize(state, call),
        },
        {
          method: "POST",
          path: "/2/media/upload/:id/append",
          operation: "upload",
          handle: (call) => append(state, call),
        },
        {
          method: "POST",
          path: "/2/media/upload/:id/finalize",
          operation: "prepare",
          handle: (call) => finalize(state, call),
        },
        { method: "GET", path: "/2/media/upload", operation: "status", handle: (call) => uploadStatus(state, call) },
        { method: "POST", path: "/2/media/metadata", operation: "prepare", handle: (call) => setMetadata(state, call) },
        { method: "POST", path: "/2/tweets", operation: "publish", handle: (call) => createPost(state, call) },
        { method: "DELETE", path: "/2/tweets/:id", operation: "delete", handle: (call) => deletePost(state, call) },
        { method: "GET", path: "/2/users/:id/tweets", operation: "status", handle: (call) => timeline(state, call) },
      ],
      faults: faultAnswers(state),
      notFound,
      onError,
      reset() {
        state.clearPosts();
        state.windows.clear();
        state.switches.reset();
      },
      control: switchesControl(state.switches),
    };
  },
};

function faultAnswers(state: XState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      rateHeaders(state, call, { limit: 100, remaining: 0, resetAt: state.world.clock.now() + afterSeconds * 1000 });
      return onError(call, tooManyRequests());
    },
    invalidGrant: (call) => onError(call, invalidToken()),
    duplicate: (call) => onError(call, forbidden(DUPLICATE)),
    operator(call, reason = "client-not-enrolled") {
      return onError(
        call,
        APPLICATION_REFUSALS[reason]?.() ?? forbidden(`The sandbox knows no refusal named ${reason}.`),
      );
    },
    async revokeToken(call: Call) {
      const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
      const live = state.grants.findToken(presented, "access", "refresh");
      if (live) state.grants.revokeTokens(live.grant);
      return undefined;
    },
  };
}
