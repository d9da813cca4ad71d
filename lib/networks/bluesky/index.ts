import { replyOf } from "../comment";
import { HIDDEN } from "../dry-run";
import type { ImageLimits, Limits, TextLimit, VideoLimits } from "../limits";
import { type LiveChecks, testImage } from "../live-checks";
import { type DryRunAnswers, defineNetwork } from "../network";
import { profile, uploadBlob } from "./api";
import { connect, refreshOAuth, revokeOAuth } from "./connect";
import { errors } from "./errors";
import { isOnBlueskyServer } from "./identity";
import { BROAD_SCOPE, GATE_SCOPE, proofFor, rememberNonce } from "./oauth-client";
import { deleteSession, refreshSession } from "./password";
import { publishPost } from "./publish";
import { check, settings } from "./settings";
import { assertUploadAllowed } from "./video";

const LEXICONS = "https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky";
const source = `${LEXICONS}/feed/post.json`;
/** Both limits apply to the displayed text. */
const text: TextLimit = { max: 300, unit: "graphemes", bytes: 3000, shortLinks: true };
/** The lexicons set no limit; this one is from Bluesky's own app. */
const altText: TextLimit = {
  max: 2000,
  unit: "UTF-16 units",
  source: "https://github.com/bluesky-social/social-app/blob/main/src/lib/constants.ts",
};
/** The same limits apply in app.bsky.embed.gallery. Bluesky would show a GIF as a still image. */
const image: ImageLimits = {
  types: ["image/jpeg", "image/png", "image/webp"],
  maxBytes: 2_000_000,
  altText,
  source: `${LEXICONS}/embed/images.json`,
};
/** Servers of older versions accept 1,000,000 bytes, and a server does not report its version. */
const OLDER_MAX_BYTES = 999_000;
/** The duration limit is from Bluesky's own app. */
const video: VideoLimits = {
  types: ["video/mp4", "video/quicktime", "video/webm"],
  maxBytes: 300_000_000,
  seconds: { max: 600 },
  altText,
  source: `${LEXICONS}/embed/video.json`,
};

const limits = {
  text: { text: { ...text, required: true }, source },
  image: { text, image, source },
  carousel: { text, image, count: { min: 2, max: 10 }, source: `${LEXICONS}/embed/gallery.json` },
  video: { text, video, source },
} satisfies { [format: string]: Limits };

const blob = { $type: "blob", ref: { $link: "{blob cid}" }, mimeType: "{content type}", size: "{size}" };
const ref = { uri: "at://{did}/app.bsky.feed.post/{record key}", cid: "{cid}" };

/** Example answers for dry runs. */
const dryRunAnswers: DryRunAnswers = [
  { method: "GET", path: /\/com\.atproto\.repo\.getRecord$/, answer: { ...ref, value: {} } },
  { method: "GET", path: /\/com\.atproto\.identity\.resolveHandle$/, answer: { did: "did:plc:{id}" } },
  { method: "GET", path: /\/com\.atproto\.server\.getServiceAuth$/, answer: { token: HIDDEN } },
  { method: "POST", path: /\/com\.atproto\.repo\.uploadBlob$/, answer: { blob } },
  { method: "GET", path: /\/app\.bsky\.video\.getUploadLimits$/, answer: { canUpload: true } },
  {
    method: "POST",
    path: /\/app\.bsky\.video\.startUpload$/,
    answer: { jobId: "{job id}", partSizeBytes: 1_000_000_000, partCount: 1 },
  },
  { method: "POST", path: /\/app\.bsky\.video\.uploadPart$/, answer: {} },
  { method: "POST", path: /\/app\.bsky\.video\.finishUpload$/, answer: { completedJobId: "{job id}" } },
  {
    method: "GET",
    path: /\/app\.bsky\.video\.getJobStatus$/,
    answer: { jobId: "{job id}", state: "JOB_STATE_COMPLETED", blob },
  },
  { method: "GET", path: /\/app\.bsky\.feed\.getPosts$/, answer: { posts: [ref] } },
  { method: "POST", path: /\/com\.atproto\.repo\.putRecord$/, answer: ref },
  { method: "POST", path: /\/com\.atproto\.repo\.applyWrites$/, answer: { results: [ref, ref] } },
  // The page of a link preview, at any address.
  { method: "GET", path: /^/, answer: {} },
];

const live: LiveChecks = {
  products: { nothing: "Bluesky has no products and no review" },
  quotas: {
    async run(session) {
      await assertUploadAllowed(session);
      return "Bluesky accepts videos from this account today. It reports no number of posts that are left";
    },
    fix: "Confirm the account's email address at Bluesky; after its daily limit, wait a day",
  },
  upload: {
    async run(session) {
      await uploadBlob(session, testImage.bytes, testImage.contentType);
      return "The account's server accepted an image, which no post uses and which it deletes later";
    },
    fix: "Read the reason at the account's own server; if it refuses the permission, reconnect the account",
  },
  webhooks: { nothing: "Carillon uses no notifications of Bluesky" },
};

export const bluesky = defineNetwork({
  platform: "BLUE_SKY",
  name: "Bluesky",
  hosts: {
    api: "https://bsky.social",
    entrance: "https://bsky.social",
    appview: "https://public.api.bsky.app",
    plc: "https://plc.directory",
    video: "https://video.bsky.app",
  },
  anyHost: true,
  version: { name: "lexicons of 2026-08-20" },
  settings,
  settingsTypes: ["BLUE_SKY", "BLUESKY"],
  formats: {
    text: { limits: limits.text, check, publish: publishPost },
    image: { limits: limits.image, check, publish: publishPost },
    carousel: { limits: limits.carousel, check, publish: publishPost },
    video: { limits: limits.video, check, publish: publishPost },
  },
  posts: { max: 25, chain: "reply" },
  comment: {
    text,
    source,
    publish: (comment, run) => publishPost(replyOf(comment, { languages: comment.settings.languages }), run),
  },
  limitsForAccount: (tokens, of) =>
    of.image && !isOnBlueskyServer(tokens) ? { ...of, image: { ...of.image, maxBytes: OLDER_MAX_BYTES } } : of,
  // The account's own server gets most requests, and the key decides how they are authorized.
  withoutSecrets: ({ pds, key }) => ({ ...(pds ? { pds } : {}), ...(key ? { key: HIDDEN } : {}) }),
  permissions: [{ setting: "whoCanReply", scopes: [GATE_SCOPE, BROAD_SCOPE], covers: "who can reply" }],
  connect,
  profile,
  refresh: {
    beforeSeconds: 300,
    isReusable: (tokens) => !tokens.extra?.key,
    run: (app, tokens) => (tokens.extra?.key ? refreshOAuth(app, tokens) : refreshSession(app, tokens)),
  },
  revoke: (app, tokens) => (tokens.extra?.key ? revokeOAuth(app, tokens) : deleteSession(app, tokens)),
  /** OAuth tokens are bound to their key (DPoP); app password sessions use plain bearer tokens. */
  async authorize(headers, request, { accessToken, extra }) {
    headers.set("authorization", `${extra?.key ? "DPoP" : "Bearer"} ${accessToken}`);
    if (extra?.key)
      headers.set("dpop", extra.key === HIDDEN ? HIDDEN : await proofFor(extra.key, request, accessToken));
  },
  onResponse: rememberNonce,
  live,
  errors,
  dryRunAnswers,
});
