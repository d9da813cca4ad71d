import * as z from "zod";
import { fingerprint } from "../core/ids";
import {
  type Answer,
  type Call,
  type FaultAnswers,
  type NetworkDefinition,
  type Operation,
  type Route,
  tokenForm,
} from "../core/network";
import { switchesControl } from "../core/switches";
import { credentialOf, getServiceAuth, rateHeaders, rateLimitExceeded, takeCall } from "./access";
import { getBlob, uploadBlob } from "./blobs";
import { isNonceRequest, nonceOf } from "./dpop";
import { expiredToken, internalError, notFound, OAuthError, onError } from "./errors";
import { findUser, getProfile, identityDocument, resolveHandle, serverDid } from "./identity";
import { authorize, protectedResource, push, revoke, serverDescription, token, tokenOperation } from "./oauth";
import { applyWrites, createRecord, deleteRecord, getPosts, getRecord, listRecords, putRecord } from "./repo";
import { createSession, deleteSession, getSession, refreshSession, revokeAppPassword } from "./session";
import { type BlueskyState, openState } from "./state";
import { finishUpload, getJobStatus, getUploadLimits, startUpload, uploadPart, uploadVideo } from "./video";

type Handler = (state: BlueskyState, call: Call) => Response | Promise<Response>;

/** XRPC methods. A call without a valid DPoP nonce is recorded as `other`, whatever the method. */
const METHODS: [method: "GET" | "POST", nsid: string, operation: Operation, handle: Handler][] = [
  ["GET", "com.atproto.identity.resolveHandle", "other", resolveHandle],
  ["GET", "app.bsky.actor.getProfile", "profile", getProfile],
  [
    "GET",
    "com.atproto.server.describeServer",
    "other",
    (_, call) => call.json({ did: serverDid(call), availableUserDomains: [".bsky.test"], inviteCodeRequired: false }),
  ],
  ["POST", "com.atproto.server.createSession", "token", createSession],
  ["POST", "com.atproto.server.refreshSession", "refresh", refreshSession],
  ["POST", "com.atproto.server.deleteSession", "revoke", deleteSession],
  ["GET", "com.atproto.server.getSession", "profile", getSession],
  ["GET", "com.atproto.server.getServiceAuth", "prepare", getServiceAuth],
  ["POST", "com.atproto.repo.uploadBlob", "upload", uploadBlob],
  ["POST", "com.atproto.repo.createRecord", "publish", createRecord],
  ["POST", "com.atproto.repo.putRecord", "publish", putRecord],
  ["POST", "com.atproto.repo.applyWrites", "publish", applyWrites],
  ["GET", "app.bsky.feed.getPosts", "other", getPosts],
  ["POST", "com.atproto.repo.deleteRecord", "delete", deleteRecord],
  ["GET", "com.atproto.repo.getRecord", "status", getRecord],
  ["GET", "com.atproto.repo.listRecords", "status", listRecords],
  ["GET", "com.atproto.sync.getBlob", "other", getBlob],
  ["GET", "app.bsky.video.getUploadLimits", "prepare", getUploadLimits],
  ["POST", "app.bsky.video.uploadVideo", "upload", uploadVideo],
  ["POST", "app.bsky.video.startUpload", "prepare", startUpload],
  ["POST", "app.bsky.video.uploadPart", "upload", uploadPart],
  ["POST", "app.bsky.video.finishUpload", "prepare", finishUpload],
  ["GET", "app.bsky.video.getJobStatus", "status", getJobStatus],
];

const CALLS_PER_WINDOW = 3000;
const WINDOW_SECONDS = 300;

/**
 * Bluesky: an entryway with OAuth and one data server under two origins, plus the PLC directory, the public AppView and the
 * video service.
 */
export const bluesky: NetworkDefinition = {
  id: "bluesky",
  name: "Bluesky",
  atRoot: ["/xrpc/", "/.well-known/"],
  open(world) {
    const state = openState(world);
    return {
      routes: [...oauthRoutes(state), ...METHODS.map((method) => methodRoute(state, method))],
      faults: faultAnswers(state),
      notFound,
      onError,
      addHeaders(call, answer) {
        if (!call.req.header("dpop")) return;
        const isOAuth = new URL(call.req.url).pathname.includes("/oauth/");
        answer.headers.set("dpop-nonce", nonceOf(state, isOAuth ? "authorization" : "data"));
        answer.headers.set("access-control-expose-headers", "DPoP-Nonce");
      },
      accountOf: (call) => ownerOf(state, call),
      reset() {
        for (const kept of [state.records, state.blobs, state.jobs, state.uploads]) kept.clear();
        state.windows.clear();
        state.switches.reset();
      },
      control: controls(state),
    };
  },
};

function methodRoute(state: BlueskyState, [method, nsid, operation, handle]: (typeof METHODS)[number]): Route {
  return {
    method,
    path: `/xrpc/${nsid}`,
    operation: (call) => (isNonceRequest(state, "data", call) ? "other" : operation),
    handle(call) {
      takeCall(state, call, `calls/${call.env.incoming.socket.remoteAddress}`, CALLS_PER_WINDOW, WINDOW_SECONDS);
      return handle(state, call);
    },
  };
}

function oauthRoutes(state: BlueskyState): Route[] {
  const isFirst = (call: Call) => isNonceRequest(state, "authorization", call);
  return [
    { method: "GET", path: "/.well-known/oauth-protected-resource", operation: "other", handle: protectedResource },
    { method: "GET", path: "/.well-known/oauth-authorization-server", operation: "other", handle: serverDescription },
    {
      method: "GET",
      path: "/:did{did:plc:[a-z2-7]+}",
      operation: "other",
      handle: (call) => identityDocument(state, call),
    },
    {
      method: "POST",
      path: "/oauth/par",
      operation: (call) => (isFirst(call) ? "other" : "authorize"),
      handle: (call) => push(state, call),
    },
    { method: "GET", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
    { method: "POST", path: "/oauth/authorize", operation: "authorize", handle: (call) => authorize(state, call) },
    {
      method: "POST",
      path: "/oauth/token",
      operation: (call) => tokenOperation(state, call),
      handle: (call) => token(state, call),
    },
    { method: "POST", path: "/oauth/revoke", operation: "revoke", handle: (call) => revoke(state, call) },
  ];
}

/** The account of an app-password session, of a service token or of a video job, which anyone may ask about. */
function ownerOf(state: BlueskyState, call: Call): string | undefined {
  const key = fingerprint(credentialOf(call).token);
  const did = state.serviceTokens.get(key)?.did ?? state.jobs.get(call.req.query("jobId") ?? "")?.did;
  return state.sessions.get(key)?.account ?? (did === undefined ? undefined : findUser(state, did));
}

const Change = z.strictObject({
  account: z.string(),
  alias: z.string().optional(),
  isEmailUnconfirmed: z.boolean().optional(),
  isOnOldServer: z.boolean().optional(),
  status: z.enum(["takendown", "deactivated"]).nullish(),
});

/**
 * `/_control/bluesky/account` changes the state of an account, `…/revoke-app-password` revokes its app password, `…/switches`
 * sets switches.
 */
function controls(state: BlueskyState): Record<string, (body: unknown) => Answer> {
  return {
    ...switchesControl(state.switches),
    account(body) {
      const { account, status, ...facts } = Change.parse(body);
      const changed = { ...state.accounts.get(account), ...facts };
      state.accounts.put(account, status === undefined ? changed : { ...changed, status: status ?? undefined });
      return new Response(null, { status: 204 });
    },
    "revoke-app-password"(body) {
      revokeAppPassword(state, z.strictObject({ account: z.string() }).parse(body).account);
      return new Response(null, { status: 204 });
    },
  };
}

function faultAnswers(state: BlueskyState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      const resetAt = state.world.clock.now() + afterSeconds * 1000;
      rateHeaders(state, call, { limit: 3000, remaining: 0, resetAt, seconds: 300 });
      return onError(call, rateLimitExceeded());
    },
    operator: (call) => onError(call, new OAuthError("invalid_client", "Unable to obtain client metadata")),
    invalidGrant(call) {
      const isSession = new URL(call.req.url).pathname.includes("/xrpc/");
      return onError(
        call,
        isSession ? expiredToken("Token has been revoked") : new OAuthError("invalid_grant", "Invalid refresh token"),
      );
    },
    async revokeToken(call: Call) {
      const presented = credentialOf(call).token || ((await tokenForm(call)).get("refresh_token") ?? "");
      const live = state.grants.findToken(presented, "access", "refresh");
      if (live) state.grants.revokeTokens(live.grant);
      const session = state.sessions.get(fingerprint(presented));
      if (session) state.endedFamilies.put(session.family, true);
      // A session's access token normally stays valid after revocation; the fault ends it at once.
      if (session?.kind === "access") state.sessions.put(fingerprint(presented), { ...session, expiresAt: 0 });
      return undefined;
    },
  };
}
