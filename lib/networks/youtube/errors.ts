import { z } from "zod";
import type { ErrorFacts, ErrorRule, ErrorTable } from "../errors";
import { untilMidnight } from "../quota";
import { isUsedUp, PER_DAY, quota } from "./quota";

const text = z.string().optional().catch(undefined);
const reasons = z.array(z.object({ reason: text, message: text })).optional();
const envelope = z.object({ error: z.object({ message: text, errors: reasons, status: text }) });
/** The token endpoint uses RFC 6749's format. */
const flat = z.object({ error: z.string(), error_description: text });

const HOUR = 3600;

function read(answer: unknown): ErrorFacts {
  const error = envelope.safeParse(answer).data?.error;
  if (error) {
    const [first] = error.errors ?? [];
    const code = first?.reason ?? error.status;
    const message = first?.message ?? error.message;
    const retryAfterSeconds = isUsedUp(code, message) ? untilPacificMidnight() : undefined;
    return { code, message, retryAfterSeconds };
  }
  const token = flat.safeParse(answer).data;
  return token ? { code: token.error, message: token.error_description ?? token.error } : {};
}

/** Seconds until midnight in California, when the quota resets, plus one minute. */
export function untilPacificMidnight(now = new Date()): number {
  return untilMidnight(quota.timeZone, now) + 60;
}

const DEAD = "YouTube no longer accepts this account's permission. Reconnect the account";
const MISSING = "This account's permission at YouTube does not cover this action. Reconnect the account";
const CREDENTIALS = "Google does not accept this service's own credentials";
const CLOSED = "This YouTube account or channel is closed or suspended. Open YouTube to see why";

/** Problems with a video's metadata. */
const metadata: { [reason: string]: string } = {
  invalidTitle: "YouTube refused the title: 1 to 100 characters, without < and >",
  invalidDescription: "YouTube refused the description: at most 5,000 bytes, without < and >",
  invalidTags: "YouTube refused the tags",
  invalidCategoryId: "YouTube refused the category: it is not available for this channel",
  invalidPublishAt: "YouTube refused the time of publication",
  invalidVideoMetadata: "YouTube refused the video's title, description or category",
  invalidRecordingDetails: "YouTube refused the recording details",
  invalidVideoGameRating: "YouTube refused the game rating",
  defaultLanguageNotSet: "YouTube requires a language for this video",
  invalidFilename: "YouTube refused the file's name",
  mediaBodyRequired: "YouTube received no video",
  forbiddenPrivacySetting: "YouTube does not allow this privacyStatus on this channel",
  forbiddenLicenseSetting: "YouTube does not allow this licence on this channel",
  invalidImage: "YouTube refused the cover: it is not an image that YouTube can read",
  videoNotFound: "YouTube can no longer find the video",
  playlistNotFound: "YouTube found no playlist with this ID",
  playlistContainsMaximumNumberOfVideos: "YouTube says that the playlist is full",
  playlistItemsNotAccessible: "YouTube does not allow changing this playlist",
  playlistOperationUnsupported: "YouTube does not allow changing this playlist",
  contentRequired: "YouTube received no captions",
  commentsDisabled: "Comments are turned off for this video",
  ineligibleAccount: "This YouTube account is not set up for comments. Write one at youtube.com first",
  commentTextTooLong: "YouTube refused the comment because it is too long",
};

/** developers.google.com/youtube/data/reference/rest/v3/errors and the page of each method. */
const rules: ErrorRule[] = [
  // Errors of the token endpoint.
  {
    when: { code: "invalid_grant", message: /code/i },
    kind: "reconnect",
    message: "Google did not accept the sign-in because it took too long or was already used. Connect again",
  },
  { when: { code: "invalid_grant" }, kind: "reconnect", message: DEAD },
  {
    when: { code: /^(invalid_client|unauthorized_client|redirect_uri_mismatch|deleted_client|disabled_client)$/ },
    kind: "operator",
    message: CREDENTIALS,
    fix: "Compare YOUTUBE_CLIENT_ID and YOUTUBE_CLIENT_SECRET with the OAuth client at console.cloud.google.com/auth/clients",
  },
  {
    when: { code: "admin_policy_enforced" },
    kind: "reconnect",
    message: "The administrator of this Google account does not allow connecting it",
  },

  {
    when: { code: "youtubeSignupRequired" },
    kind: "rejected",
    message: "This Google account has no YouTube channel. Create one at youtube.com, then reconnect the account",
  },
  { when: { code: /^(authError|authorizationRequired)$/ }, kind: "reconnect", message: DEAD },
  { when: { code: "insufficientPermissions" }, kind: "reconnect", message: MISSING },
  {
    when: {
      code: /^(authenticatedUserAccountClosed|authenticatedUserAccountSuspended|channelClosed|channelSuspended)$/,
    },
    kind: "rejected",
    message: CLOSED,
  },
  {
    when: { code: /^(quotaExceeded|dailyLimitExceeded)$/ },
    kind: "operator",
    message: quota.message,
    fix: quota.fix,
    throttled: true,
  },
  {
    when: { code: "rateLimitExceeded", message: PER_DAY },
    kind: "operator",
    message: quota.message,
    fix: quota.fix,
    throttled: true,
  },
  {
    when: { code: /^(rateLimitExceeded|userRateLimitExceeded|uploadRateLimitExceeded)$/ },
    kind: "later",
    message: "YouTube asks us to slow down",
    throttled: true,
  },
  {
    when: { code: "accessNotConfigured" },
    kind: "operator",
    message: "The YouTube Data API is not enabled in this service's Google project",
    fix: "Enable the YouTube Data API v3 at console.cloud.google.com/apis/library",
  },
  // Named only in the message: "Permission denied: Consumer 'project_number:…' has been suspended."
  {
    when: { status: 403, message: /^Permission denied: Consumer\b/i },
    kind: "operator",
    message: "Google has suspended this service's Google project",
    fix: "Read the notice at console.cloud.google.com and appeal, or use another project",
  },
  // Seen when an upload was opened, before any byte was sent (github.com/DayMoonDevelopment/post-for-me/pull/337).
  {
    when: { status: 409, code: /^(alreadyExists|ALREADY_EXISTS)$/ },
    kind: "later",
    message: "YouTube did not open the upload right now",
  },
  {
    when: { code: "uploadLimitExceeded" },
    kind: "later",
    message: "This channel has reached YouTube's upload limit for 24 hours",
    retryAfterSeconds: 6 * HOUR,
    throttled: true,
  },
  {
    when: { code: "forbidden", message: /thumbnail/i },
    kind: "rejected",
    message: "YouTube accepts covers only from channels whose owner is verified at youtube.com/verify",
  },
  {
    when: { code: /^(forbidden|channelForbidden|accountDelegationForbidden)$/ },
    kind: "rejected",
    message:
      "YouTube does not allow this Google account to do this on the channel. Reconnect with an account that may manage the channel",
  },
  { when: { status: 413 }, kind: "rejected", message: "YouTube refused the file because it is too large" },
  ...Object.entries(metadata).map(([code, says]): ErrorRule => ({ when: { code }, kind: "rejected", message: says })),
  { when: { code: "backendError" }, kind: "unknown", message: "YouTube had an internal error" },
];

export const errors: ErrorTable = { read, rules };

/** Messages for `status.failureReason` and `status.rejectionReason` of an uploaded video (source: the videos resource). */
const rejectionMessages: { [reason: string]: string } = {
  codec: "YouTube cannot read the video's codec",
  conversion: "YouTube could not convert the video",
  emptyFile: "YouTube received an empty file",
  invalidFile: "YouTube did not recognize this file as a video",
  tooSmall: "YouTube refused the file because it is too small",
  uploadAborted: "The upload to YouTube was aborted",
  claim: "YouTube rejected the video because someone claims its content",
  copyright: "YouTube rejected the video for copyright",
  duplicate: "YouTube rejected the video because the channel already has the same one",
  inappropriate: "YouTube rejected the video as inappropriate",
  legal: "YouTube rejected the video for legal reasons",
  length: "YouTube rejected the video because it is too long for this channel",
  termsOfUse: "YouTube rejected the video for its terms of use",
  trademark: "YouTube rejected the video for a trademark",
  uploaderAccountClosed: CLOSED,
  uploaderAccountSuspended: CLOSED,
  deleted: "The video was deleted at YouTube",
};

/** Returns the message for a video that YouTube rejected after its upload. */
export function rejectionMessage(reason: string): string {
  return rejectionMessages[reason] ?? `YouTube did not accept the video (${reason})`;
}
