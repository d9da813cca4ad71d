import { z } from "zod";
import { type ErrorFacts, type ErrorRule, type ErrorTable, PlatformError } from "../errors";

const text = z.string().optional().catch(undefined);
const envelope = z.object({ error: z.object({ code: z.string(), message: text, log_id: text }) });
/** The token endpoint has its own flat error format. */
const flat = z.object({ error: z.string(), error_description: text, log_id: text });

function read(answer: unknown): ErrorFacts {
  const error = envelope.safeParse(answer).data?.error;
  if (error) return { code: error.code, message: withLogId(error.message, error.log_id) };
  const token = flat.safeParse(answer).data;
  return token ? { code: token.error, message: withLogId(token.error_description, token.log_id) } : {};
}

/** Appends the log ID, which TikTok's support asks for first. */
function withLogId(message: string | undefined, logId: string | undefined): string | undefined {
  return logId ? `${message ?? ""} (log_id ${logId})`.trim() : message;
}

const HOUR = 3600;
/** TikTok counts over a sliding minute and does not say when it ends. */
const MINUTE = 60;
const DEAD = "TikTok no longer accepts this account's permission. Reconnect the account";
const MISSING = "This account's permission at TikTok does not cover this action. Reconnect the account";
const CREDENTIALS = "TikTok does not accept this service's own credentials";
const PORTAL = "TikTok's developer portal (developers.tiktok.com/apps)";
const CAP = "This account has reached TikTok's posting limit for 24 hours";
const BANNED = "TikTok does not let this account post. Open the TikTok app to see why";

/** developers.tiktok.com/doc/tiktok-api-v2-error-handling and the reference page of each call. */
const rules: ErrorRule[] = [
  // Errors of the token endpoint.
  {
    when: { code: "invalid_grant", message: /authorization code/i },
    kind: "reconnect",
    message: "TikTok did not accept the sign-in because it took too long or was already used. Connect again",
  },
  { when: { code: "invalid_grant" }, kind: "reconnect", message: DEAD },
  { when: { code: "access_denied" }, kind: "reconnect", message: DEAD },
  {
    when: { code: /^(invalid|unauthorized)_client$/ },
    kind: "operator",
    message: CREDENTIALS,
    fix: `Compare TIKTOK_CLIENT_ID and TIKTOK_CLIENT_SECRET with the app's client key and secret in ${PORTAL}`,
  },
  {
    when: { code: /^(server_error|temporarily_unavailable)$/ },
    kind: "later",
    message: "TikTok could not answer right now",
  },

  { when: { code: "access_token_invalid" }, kind: "reconnect", message: DEAD },
  { when: { code: "scope_not_authorized" }, kind: "reconnect", message: MISSING },
  {
    when: { code: "scope_permission_missed" },
    kind: "operator",
    message: "TikTok has not approved this service for this action",
    fix: `Add the scope video.publish to the app in ${PORTAL} and submit it for review`,
  },
  {
    when: { code: "url_ownership_unverified" },
    kind: "operator",
    message: "TikTok does not fetch photos from this service, because its media address is not verified",
    fix: `Verify the address of MEDIA_URL under URL properties of the app in ${PORTAL}`,
  },
  {
    when: { code: "reached_active_user_cap" },
    kind: "operator",
    message: "This service has reached TikTok's limit of posting users for 24 hours",
    fix: `Apply for the audit of the Content Posting API in ${PORTAL}, or for a higher limit after it`,
  },
  { when: { code: "spam_risk_too_many_posts" }, kind: "later", message: CAP, retryAfterSeconds: HOUR, throttled: true },
  {
    when: { code: "spam_risk_too_many_pending_share" },
    kind: "later",
    message: "Too many drafts of this account are waiting in the TikTok app",
    retryAfterSeconds: HOUR,
    throttled: true,
  },
  { when: { code: "spam_risk_user_banned_from_posting" }, kind: "rejected", message: BANNED },
  {
    when: { code: "privacy_level_option_mismatch" },
    kind: "rejected",
    message: "This creator cannot choose this privacyLevel at TikTok",
  },
  {
    when: { code: "unaudited_client_can_only_post_to_private_accounts" },
    kind: "operator",
    message: "TikTok has not audited this service yet: until then it accepts only SELF_ONLY posts to private accounts",
    fix: `Apply for the audit of the Content Posting API in ${PORTAL}`,
  },
  {
    when: { code: "app_version_check_failed" },
    kind: "rejected",
    message: "This needs a newer TikTok app on the creator's phone",
  },
  {
    when: { code: /^(invalid_publish_id|token_not_authorized_for_specified_publish_id|publish_not_cancellable)$/ },
    kind: "rejected",
    message: "TikTok has lost this upload",
  },
  { when: { code: "invalid_file_upload" }, kind: "rejected", message: "TikTok refused the file" },
  {
    when: { code: "rate_limit_exceeded" },
    kind: "later",
    message: "TikTok asks us to slow down",
    retryAfterSeconds: MINUTE,
    throttled: true,
  },
  { when: { code: "internal_error" }, kind: "unknown", message: "TikTok had an internal error" },
];

export const errors: ErrorTable = { read, rules };

type FailRule = Pick<ErrorRule, "kind" | "message" | "retryAfterSeconds" | "throttled">;

/** Why TikTok gave up a post: `fail_reason` of status/fetch and of the webhook (source: get post status). */
const failReasons: { [reason: string]: FailRule } = {
  file_format_check_failed: { kind: "rejected", message: "TikTok refused the file because of its format" },
  duration_check_failed: { kind: "rejected", message: "TikTok refused the video because of its duration" },
  frame_rate_check_failed: {
    kind: "rejected",
    message: "TikTok refused the video because its frame rate is not between 23 and 60",
  },
  picture_size_check_failed: { kind: "rejected", message: "TikTok refused the file because of its width or height" },
  internal: { kind: "later", message: "TikTok could not process the post right now" },
  video_pull_failed: { kind: "later", message: "TikTok could not fetch the video right now" },
  photo_pull_failed: { kind: "later", message: "TikTok could not fetch the photos right now" },
  publish_cancelled: { kind: "rejected", message: "The post was cancelled at TikTok" },
  auth_removed: { kind: "reconnect", message: DEAD },
  spam_risk_too_many_posts: { kind: "later", message: CAP, retryAfterSeconds: HOUR, throttled: true },
  spam_risk_user_banned_from_posting: { kind: "rejected", message: BANNED },
  spam_risk_text: { kind: "rejected", message: "TikTok refused the text as suspected spam" },
  spam_risk: { kind: "rejected", message: "TikTok refused the post as suspected spam" },
};

/** Builds the error of a post that TikTok gave up; nothing of it was published. */
export function failure(reason: string): PlatformError {
  const unnamed: FailRule = { kind: "rejected", message: `TikTok did not publish the post (${reason})` };
  const { kind, message: says, ...wait } = failReasons[reason] ?? unnamed;
  return new PlatformError(kind, says, { undone: true, ...wait, answer: { status: 200, code: reason } });
}
