import { z } from "zod";
import type { ErrorFacts, ErrorTable } from "../errors";

const text = z.string().optional().catch(undefined);
/** XRPC's error fields, and `error_description` of RFC 6749. */
const body = z.object({ error: text, message: text, error_description: text });

/** docs.bsky.app/docs/api/at-protocol-xrpc-api; resource servers report OAuth errors in `WWW-Authenticate` (RFC 9449, 7.1). */
function read(answer: unknown, { status, headers }: { status: number; headers: Headers }): ErrorFacts {
  const said = body.safeParse(answer).data ?? {};
  const challenge = headers.get("www-authenticate") ?? "";
  return {
    code: challenge.match(/\berror="([^"]+)"/)?.[1] ?? said.error,
    message: said.message ?? said.error_description ?? challenge.match(/\berror_description="([^"]+)"/)?.[1],
    retryAfterSeconds: status === 429 ? untilReset(headers) : undefined,
  };
}

/** `ratelimit-reset` is the Unix time at which calls are accepted again. */
function untilReset(headers: Headers, now = Date.now()): number | undefined {
  const reset = Number(headers.get("ratelimit-reset"));
  return reset > 0 ? Math.max(1, Math.ceil(reset - now / 1000)) : undefined;
}

const CONNECT = "Reconnect the account";
const DEAD = `Bluesky no longer accepts this account's permission. ${CONNECT}`;
const LARGE_VIDEO = "Bluesky refused the video because it exceeds the maximum size or the rest of today's quota";
const UPLOAD_GONE = "Bluesky has lost the upload of this video";
const BUSY = "Bluesky's video service is busy";

/** Error names from the lexicons and the reference server (github.com/bluesky-social/atproto). */
export const errors: ErrorTable = {
  read,
  rules: [
    { when: { code: "use_dpop_nonce" }, kind: "later", message: "Bluesky asked for a newer DPoP proof" },
    { when: { code: "invalid_grant" }, kind: "reconnect", message: DEAD },
    { when: { code: "invalid_token" }, kind: "reconnect", message: DEAD },
    {
      when: { code: /^(invalid_client|unauthorized_client|invalid_client_metadata|invalid_client_id)$/ },
      kind: "operator",
      message: "Bluesky does not accept this service's client metadata or key",
      fix: "Check that the client metadata at APP_URL can be read from the internet, and that BLUESKY_CLIENT_KEY has not changed",
    },
    // Sent with status 400 instead of 401.
    {
      when: { code: "ExpiredToken", message: /revoked/i },
      kind: "reconnect",
      message: `The app password or permission was revoked at Bluesky. ${CONNECT}`,
    },
    { when: { code: /^(ExpiredToken|InvalidToken)$/ }, kind: "reconnect", message: DEAD },
    {
      when: { code: "AuthFactorTokenRequired" },
      kind: "reconnect",
      message: "Bluesky asks for a code sent by email, as it does for main passwords. Use an app password",
    },
    {
      when: { code: /^(AccountTakedown|AccountSuspended|RepoTakendown|RepoSuspended)$/ },
      kind: "reconnect",
      message: "Bluesky has taken this account down. Reconnect it once it is restored",
    },
    {
      when: { code: /^(AccountDeactivated|RepoDeactivated)$/ },
      kind: "reconnect",
      message: "This Bluesky account is deactivated. Reconnect it once it is active",
    },
    {
      when: { code: "AuthenticationRequired", message: /identifier or password/i },
      kind: "reconnect",
      message: "Bluesky does not recognize this account name with this app password",
    },
    { when: { code: /^(AuthMissing|AuthenticationRequired)$/ }, kind: "reconnect", message: DEAD },
    {
      when: { code: /^(ScopeMissingError|insufficient_scope)$/ },
      kind: "reconnect",
      message: `This account's permission at Bluesky does not cover this action. ${CONNECT}`,
    },
    {
      when: { code: "InvalidRequest", message: /record: .*grapheme too big/is },
      kind: "rejected",
      message: "Bluesky refused this post because its text is too long",
    },
    {
      when: { code: "InvalidRequest", message: /record: .*blob too big/is },
      kind: "rejected",
      message: "This account's server refused a file of this post because it is too large",
    },
    {
      when: { code: "InvalidRequest", message: /^Invalid app\.bsky\.feed\.post record/ },
      kind: "rejected",
      message: "Bluesky refused this post because its record is invalid",
    },
    {
      when: { code: "BlobNotFound" },
      kind: "later",
      message: "Bluesky no longer has a file that was uploaded for this post",
    },
    {
      when: { code: "InvalidSwap" },
      kind: "rejected",
      message: "Bluesky already has a different post under the key of this one",
      duplicate: true,
    },
    { when: { code: "RecordNotFound" }, kind: "rejected", message: "Bluesky does not have this post" },
    {
      when: { status: 413 },
      kind: "rejected",
      message: "This account's server refused a file because it is too large",
    },

    // Errors of the video service.
    {
      when: { code: "DailyLimitExceeded" },
      kind: "later",
      message: "Bluesky accepts no more videos from this account today",
      retryAfterSeconds: 3600,
    },
    {
      when: { code: "TooManyOpenUploads" },
      kind: "later",
      message: "Bluesky is still waiting for other video uploads of this account",
      throttled: true,
    },
    {
      when: { status: 401, code: /^(BadJwt\w*$|Jwt\w+$|invalid token:)/ },
      kind: "later",
      message: "Bluesky's video service did not accept the token from the account's server",
    },
    { when: { code: "VideoTooLarge" }, kind: "rejected", message: LARGE_VIDEO },
    { when: { code: "VideoTooLong" }, kind: "rejected", message: "Bluesky refused the video because it is too long" },
    {
      when: { code: "BadAspectRatio" },
      kind: "rejected",
      message: "Bluesky refused the video because of its aspect ratio",
    },
    {
      when: { code: "UnsupportedContentType" },
      kind: "rejected",
      message: "Bluesky does not accept videos of this type",
    },
    { when: { code: "UploadForbidden" }, kind: "rejected", message: "Bluesky does not let this account upload videos" },
    { when: { code: "ServiceOverloaded" }, kind: "later", message: BUSY },
    { when: { code: /^Upload(NotFound|Expired|Failed|Aborted|NotReady)$/ }, kind: "later", message: UPLOAD_GONE },
    {
      when: { code: /^(MissingParts|PartSizeMismatch)$/ },
      kind: "later",
      message: "Bluesky did not receive a part of the video",
    },
  ],
};
