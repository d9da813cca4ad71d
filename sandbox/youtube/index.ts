import * as z from "zod";
import {
  type Answer,
  type Call,
  type FaultAnswers,
  type NetworkDefinition,
  tokenForm,
  tokenOperation,
} from "../core/network";
import { switchesControl } from "../core/switches";
import { createComment, listComments } from "./comments";
import { authorize, revoke, token, tokenInfo } from "./oauth";
import { bearer, errors, invalidCode, invalidRefreshToken, onError, YouTubeError } from "./request";
import { openState, type YouTubeState } from "./state";
import { addCaption, insertOperation, insertVideo, putBytes, setThumbnail, uploadOperation } from "./upload";
import { addPlaylistItem, listChannels, listPlaylistItems, listPlaylists, listVideos } from "./videos";

/** YouTube Data API v3 with Google's OAuth 2.0; accounts, oauth2 and www.googleapis.com share one prefix. */
export const youtube: NetworkDefinition = {
  id: "youtube",
  name: "YouTube",
  open(world) {
    const state = openState(world);
    return {
      routes: [
        { method: "GET", path: "/o/oauth2/v2/auth", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/o/oauth2/v2/auth", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/token", operation: tokenOperation, handle: (call) => token(state, call) },
        { method: "POST", path: "/tokeninfo", operation: "other", handle: (call) => tokenInfo(state, call) },
        { method: "POST", path: "/revoke", operation: "revoke", handle: (call) => revoke(state, call) },
        {
          method: "GET",
          path: "/youtube/v3/channels",
          operation: "profile",
          handle: (call) => listChannels(state, call),
        },
        { method: "GET", path: "/youtube/v3/videos", operation: "status", handle: (call) => listVideos(state, call) },
        {
          method: "GET",
          path: "/youtube/v3/playlistItems",
          operation: "status",
          handle: (call) => listPlaylistItems(state, call),
        },
        {
          method: "GET",
          path: "/youtube/v3/playlists",
          operation: "destinations",
          handle: (call) => listPlaylists(state, call),
        },
        {
          method: "POST",
          path: "/youtube/v3/playlistItems",
          operation: "other",
          handle: (call) => addPlaylistItem(state, call),
        },
        { method: "POST", path: `${UPLOADS}/captions`, operation: "other", handle: (call) => addCaption(state, call) },
        {
          method: "POST",
          path: "/youtube/v3/commentThreads",
          operation: "publish",
          handle: (call) => createComment(state, call),
        },
        {
          method: "GET",
          path: "/youtube/v3/commentThreads",
          operation: "status",
          handle: (call) => listComments(state, call),
        },
        {
          method: "POST",
          path: `${UPLOADS}/videos`,
          operation: insertOperation,
          handle: (call) => insertVideo(state, call),
        },
        {
          method: "PUT",
          path: `${UPLOADS}/videos`,
          operation: uploadOperation,
          handle: (call) => putBytes(state, call),
        },
        {
          method: "POST",
          path: `${UPLOADS}/thumbnails/set`,
          operation: "other",
          handle: (call) => setThumbnail(state, call),
        },
      ],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new YouTubeError(404, "notFound", "Not Found")),
      onError,
      accountOf: (call) => state.uploads.get(call.req.query("upload_id") ?? "")?.account,
      reset: state.reset,
      control: controls(state),
    };
  },
};

const ChangedChannel = z.strictObject({
  account: z.string().regex(/^[a-z0-9_]{1,15}$/),
  exists: z.boolean().optional(),
  isVerified: z.boolean().optional(),
  uploadsPerDay: z.int().min(0).optional(),
});
const ChangedPlaylist = z.strictObject({
  account: z.string().regex(/^[a-z0-9_]{1,15}$/),
  id: z.string().min(2),
  title: z.string().default("Favourites"),
  isFull: z.boolean().default(false),
});
const ChangedProject = z.strictObject({
  insertsPerDay: z.int().min(0).optional(),
  unitsPerDay: z.int().min(0).optional(),
});

/** `/_control/youtube`: what users do on youtube.com and operators in the Cloud console. */
function controls(state: YouTubeState): Record<string, (body: unknown) => Answer> {
  return {
    ...switchesControl(state.switches),
    channel(body) {
      const { account, ...changed } = ChangedChannel.parse(body);
      state.setChannel(account, changed);
      return new Response(null, { status: 204 });
    },
    playlist(body) {
      const changed = ChangedPlaylist.parse(body);
      state.playlists.put(changed.id, { videoIds: state.playlists.get(changed.id)?.videoIds ?? [], ...changed });
      return new Response(null, { status: 204 });
    },
    project(body) {
      state.setProject(ChangedProject.parse(body));
      return new Response(null, { status: 204 });
    },
  };
}

const UPLOADS = "/upload/youtube/v3";

function faultAnswers(state: YouTubeState): FaultAnswers {
  return {
    internalError: (call) => onError(call, errors.internal()),
    rateLimited: (call) => onError(call, errors.rateLimit()),
    operator: (call) => onError(call, errors.notEnabled()),
    async invalidGrant(call) {
      if (!call.req.path.endsWith("/youtube/token")) return onError(call, errors.badToken());
      const form = await tokenForm(call);
      return onError(call, form.get("grant_type") === "refresh_token" ? invalidRefreshToken() : invalidCode());
    },
    async revokeToken(call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.revokeTokens(grant);
      // Uploads need no token, only the session URL, so their handler would not notice the revocation.
      return call.req.method === "PUT" ? onError(call, errors.badToken()) : undefined;
    },
  };
}

async function grantOf(state: YouTubeState, call: Call): Promise<string | undefined> {
  const live = state.grants.findToken(bearer(call), "access");
  if (live || !call.req.path.endsWith("/youtube/token")) return live?.grant;
  const presented = (await tokenForm(call)).get("refresh_token") ?? "";
  return state.grants.findToken(presented.replace(/^1\/\//, ""), "refresh")?.grant;
}
