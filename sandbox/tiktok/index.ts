import * as z from "zod";
import {
  type Answer,
  type Call,
  type FaultAnswers,
  type NetworkDefinition,
  type Route,
  tokenOperation,
} from "../core/network";
import { switchesControl } from "../core/switches";
import { creatorInfo, userInfo } from "./creator";
import { initDraft, initPhotos, initVideo } from "./init";
import { authorize, revoke, token, withoutPrefix } from "./oauth";
import { bearer, errors, invalidCode, invalidRefreshToken, onError, TikTokError } from "./request";
import { openId, openState, type TikTokState } from "./state";
import { putChunk, uploadOperation } from "./upload";
import { fetchStatus, listVideos, queryVideos } from "./videos";
import { notify } from "./webhook";

/** TikTok's Login Kit and Content Posting API v2; the consent page and the upload host share the prefix. */
export const tiktok: NetworkDefinition = {
  id: "tiktok",
  name: "TikTok",
  open(world) {
    const state = openState(world);
    const post = (path: string, operation: Route["operation"], handle: Route["handle"]): Route => ({
      method: "POST",
      path,
      operation,
      handle,
    });
    return {
      routes: [
        {
          method: "GET",
          path: "/v2/auth/authorize/",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        post("/v2/auth/authorize/", "authorize", (call) => authorize(state, call)),
        post("/v2/oauth/token/", tokenOperation, (call) => token(state, call)),
        post("/v2/oauth/revoke/", "revoke", (call) => revoke(state, call)),
        { method: "GET", path: "/v2/user/info/", operation: "profile", handle: (call) => userInfo(state, call) },
        post("/v2/post/publish/creator_info/query/", "profile", (call) => creatorInfo(state, call)),
        post("/v2/post/publish/video/init/", "prepare", (call) => initVideo(state, call)),
        post("/v2/post/publish/inbox/video/init/", "prepare", (call) => initDraft(state, call)),
        post("/v2/post/publish/content/init/", "publish", (call) => initPhotos(state, call)),
        post("/v2/post/publish/status/fetch/", "status", (call) => fetchStatus(state, call)),
        post("/v2/video/list/", "status", (call) => listVideos(state, call)),
        post("/v2/video/query/", "status", (call) => queryVideos(state, call)),
        { method: "PUT", path: "/video/", operation: uploadOperation, handle: (call) => putChunk(state, call) },
      ],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new TikTokError(404, "invalid_path", "Unsupported path (Janus)")),
      onError,
      accountOf: (call) => state.byUpload(call.req.query("upload_id") ?? "")?.account,
      reset: state.reset,
      control: controls(state),
    };
  },
};

const person = z.string().regex(/^[a-z0-9_]{1,15}$/);
const ChangedCreator = z.strictObject({
  account: person,
  isPrivate: z.boolean().optional(),
  commentDisabled: z.boolean().optional(),
  duetDisabled: z.boolean().optional(),
  stitchDisabled: z.boolean().optional(),
  maxSeconds: z.int().min(1).optional(),
  isBanned: z.boolean().optional(),
});
const ChangedRegistration = z.strictObject({
  isAudited: z.boolean().optional(),
  verifiedHosts: z.array(z.string()).optional(),
  webhookUrl: z.url().optional(),
});
const Removal = z.strictObject({ account: person, reason: z.int().min(0).max(5).default(1) });

/** `/_control/tiktok`: what users do in the app and developers on TikTok's website. */
function controls(state: TikTokState): Record<string, (body: unknown) => Answer> {
  return {
    ...switchesControl(state.switches),
    creator(body) {
      const { account, ...changed } = ChangedCreator.parse(body);
      state.setCreator(account, changed);
      return new Response(null, { status: 204 });
    },
    app(body) {
      state.register(ChangedRegistration.parse(body));
      return new Response(null, { status: 204 });
    },
    /** A user removes the application: the tokens are revoked before the webhook is sent. */
    remove(body) {
      const { account, reason } = Removal.parse(body);
      for (const { grant } of grantsOf(state, account)) state.grants.revokeTokens(grant);
      notify(state, "authorization.removed", account, { reason });
      return Response.json({ open_id: openId(account) });
    },
  };
}

function grantsOf(state: TikTokState, account: string): { grant: string }[] {
  return state.world
    .collection<{ id: string; account: string }>("tiktok.grants")
    .values()
    .filter((grant) => grant.account === account)
    .map(({ id }) => ({ grant: id }));
}

function faultAnswers(state: TikTokState): FaultAnswers {
  return {
    internalError: (call) => onError(call, errors.internal()),
    rateLimited: (call) => onError(call, errors.throttled()),
    operator: (call) => onError(call, errors.notApproved(state.switches.missedScopeStatus)),
    async invalidGrant(call) {
      if (!call.req.path.endsWith("/oauth/token/")) return onError(call, errors.badToken());
      const form = new URLSearchParams(await call.req.text());
      return onError(call, form.get("grant_type") === "refresh_token" ? invalidRefreshToken() : invalidCode());
    },
    async revokeToken(call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.revokeTokens(grant);
      return undefined;
    },
  };
}

/** The grant of a call: of its token or, for an upload without a token, of the publish. */
async function grantOf(state: TikTokState, call: Call): Promise<string | undefined> {
  const uploadId = call.req.query("upload_id");
  const publish = uploadId ? state.byUpload(uploadId) : undefined;
  if (publish) {
    state.publishes.put(publish.id, { ...publish, failReason: "auth_removed" });
    return publish.grant;
  }
  const live = state.grants.findToken(bearer(call), "access");
  if (live || !call.req.path.endsWith("/oauth/token/")) return live?.grant;
  const form = new URLSearchParams(await call.req.text());
  return state.grants.findToken(withoutPrefix(form.get("refresh_token") ?? "", "refresh"), "refresh")?.grant;
}
