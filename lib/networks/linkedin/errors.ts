import { z } from "zod";
import type { ErrorFacts, ErrorTable } from "../errors";

const text = z.string().optional().catch(undefined);
/** The API's error format, and RFC 6749's of the token endpoint. */
const body = z.object({
  code: text,
  message: text,
  serviceErrorCode: z.number().optional().catch(undefined),
  error: text,
  error_description: text,
});

/** Some error names appear only in the message. */
const NAMED = /\b[A-Z]{3,}(?:_[A-Z]+){1,}\b/;

function read(answer: unknown, { status }: { status: number }): ErrorFacts {
  const { code, message, serviceErrorCode, error, error_description } = body.safeParse(answer).data ?? {};
  const words = message ?? error_description;
  const named = code ?? error ?? NAMED.exec(words ?? "")?.[0];
  return {
    code: named ?? (serviceErrorCode === undefined ? undefined : String(serviceErrorCode)),
    message: words,
    retryAfterSeconds: status === 429 && /\bDAY\b/.test(words ?? "") ? untilMidnight() : undefined,
  };
}

/** Daily limits reset at 00:00 UTC. */
function untilMidnight(now = new Date()): number {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return Math.ceil((midnight - now.getTime()) / 1000);
}

const DEAD = "LinkedIn no longer accepts this account's permission. Reconnect the account";
const PORTAL = "LinkedIn's developer portal (linkedin.com/developers/apps)";
const VERSION = "LinkedIn no longer supports the API version that this service uses";
const UPDATE = "Update Carillon to a release that uses a newer version of LinkedIn's API";
const NOT_READY = "LinkedIn is still processing the file";

/** learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/error-handling, and the tables of the posts, images and videos pages. */
export const errors: ErrorTable = {
  read,
  rules: [
    // Errors of the token endpoint.
    {
      when: { code: "invalid_client" },
      kind: "operator",
      message: "LinkedIn does not accept this service's own credentials",
      fix: `Compare LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET with the Auth tab of the app in ${PORTAL}`,
    },
    {
      when: { code: "invalid_request", message: /authorization code/i },
      kind: "reconnect",
      message: "LinkedIn did not accept the sign-in because it took too long or was already used. Connect again",
    },
    {
      when: { code: "invalid_redirect_uri" },
      kind: "reconnect",
      message: "LinkedIn did not accept the sign-in because it took too long or was already used. Connect again",
    },
    { when: { code: "invalid_request", message: /invalid, expired or revoked/i }, kind: "reconnect", message: DEAD },

    {
      when: { status: 429, message: /\bAPPLICATION DAY\b/ },
      kind: "operator",
      message: "LinkedIn accepts no more calls from this service until midnight UTC",
      fix: `See the limits in the Analytics tab of the app in ${PORTAL}, and request higher ones in its Products tab`,
    },
    {
      when: { status: 429, message: /\bDAY\b/ },
      kind: "later",
      message: "LinkedIn accepts no more calls from this account until midnight UTC",
    },
    { when: { status: 429 }, kind: "later", message: "LinkedIn asks us to slow down" },
    {
      when: { code: /^(101|TOO_MANY_REQUESTS)$/ },
      kind: "later",
      message: "LinkedIn asks us to slow down",
      throttled: true,
    },
    { when: { status: 401 }, kind: "reconnect", message: DEAD },
    { when: { status: 426 }, kind: "operator", message: VERSION, fix: UPDATE },
    { when: { code: "VERSION_MISSING" }, kind: "operator", message: VERSION, fix: UPDATE },
    {
      // Seen right after an upload, before all of LinkedIn's servers know the file. See `FILE_REFUSALS`.
      when: { status: 403, message: /accessing this (video|image|document) resource/i },
      kind: "later",
      message: "LinkedIn does not let us use the uploaded file yet",
    },
    {
      // LinkedIn cannot authorize the activity that a post creates. The post may exist, so it is looked up.
      when: { message: /unable to obtain activity/i },
      kind: "later",
      refused: false,
      message: "LinkedIn could not say whether it created the post",
    },
    // Every scope was granted when the account was connected, so the app lacks the product. Connecting again would not help.
    {
      when: { status: 403 },
      kind: "operator",
      message: "LinkedIn does not let this service's app do this",
      fix: `Add the product “Share on LinkedIn” in the Products tab of the app in ${PORTAL}`,
    },
    {
      when: { message: /content is a duplicate of/i },
      kind: "rejected",
      message: "LinkedIn refused this post because the same content was posted just before",
      duplicate: true,
    },
    {
      when: { code: "DUPLICATE_POST" },
      kind: "rejected",
      message: "LinkedIn refused this post because the same content was posted just before",
      duplicate: true,
    },
    { when: { code: "MEDIA_ASSET_WAITING_UPLOAD" }, kind: "later", message: NOT_READY, retryAfterSeconds: 120 },
    {
      when: { code: /^(MEDIA_ASSET_PROCESSING_FAILED|UPDATING_ASSET_FAILED)$/ },
      kind: "rejected",
      message: "LinkedIn could not process the file",
    },
    { when: { code: "EXPIRED_UPLOAD_URL" }, kind: "later", message: "LinkedIn did not accept the file right now" },
    { when: { code: "FIELD_LENGTH_TOO_LONG" }, kind: "rejected", message: "LinkedIn refused the text: it is too long" },
    { when: { status: 413 }, kind: "rejected", message: "LinkedIn refused the file because it is too large" },
    {
      when: { status: 415 },
      kind: "rejected",
      message: "LinkedIn refused the file: it accepts JPEG, PNG, GIF and MP4",
    },
    {
      when: { status: 409 },
      kind: "later",
      message: "LinkedIn was already processing the same object",
      retryAfterSeconds: 15,
    },
  ],
};
