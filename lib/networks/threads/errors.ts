import { z } from "zod";
import { type ErrorFacts, type ErrorRule, type ErrorTable, PlatformError } from "../errors";
import { appErrorRules, readGraphError } from "../meta/graph";

/** The token endpoint has its own flat error format. */
const flat = z.object({ error_type: z.string(), error_message: z.string().optional() });

function read(answer: unknown): ErrorFacts {
  const error = readGraphError(answer);
  // The documentation does not say which field contains this name.
  const named = JSON.stringify(answer ?? "").match(/THREADS_API__\w+/)?.[0];
  if (error) return named ? { ...error, code: named } : error;
  const token = flat.safeParse(answer).data;
  return token ? { code: token.error_type, message: token.error_message } : { code: named };
}

const FETCH = "Threads could not fetch the file right now";

/** developers.facebook.com/docs/graph-api/guides/error-handling, …/documentation/threads/troubleshooting, and observed answers. */
const rules: ErrorRule[] = [
  {
    when: { status: 400, code: "OAuthException", message: /code|redirect_uri/i },
    kind: "reconnect",
    message: "Threads did not accept the sign-in because it took too long or was already used. Connect again",
  },
  ...appErrorRules("Threads", "THREADS"),
  {
    when: { status: 400, message: /must submit for app review/i },
    kind: "operator",
    message: "Threads has not approved this service's app for this account",
    fix: "Request the permission under App Review in Meta's App Dashboard (developers.facebook.com/apps), or add the account as a Threads tester",
  },
  {
    when: { code: "THREADS_API__LINK_LIMIT_EXCEEDED" },
    kind: "rejected",
    message: "Threads refused the post because it has more than 5 links",
  },
  {
    when: { code: /^THREADS_API__(FEATURE_NOT_AVAILABLE|GEO_GATING)/ },
    kind: "rejected",
    message: "Threads refused the post because this account may not restrict it to certain countries",
  },
  {
    when: { code: /^(transient )?(190|102)(\/|$)/ },
    kind: "reconnect",
    message: "Threads no longer accepts this account's permission. Reconnect the account",
  },
  {
    when: { message: /Error validating access token|Session key invalid/i },
    kind: "reconnect",
    message: "Threads no longer accepts this account's permission. Reconnect the account",
  },
  // The post may be live anyway, so the container's status is read first.
  {
    when: { code: /\/2207051$/ },
    kind: "unknown",
    message: "Threads stopped the post as suspected spam",
    retryAfterSeconds: 3600,
  },
  {
    when: { code: /(^|\/)4279013$/ },
    kind: "rejected",
    message: "Threads has restricted this account. Open the Threads app and follow its instructions",
  },
  {
    when: { code: /\b100\/4279071$/ },
    kind: "rejected",
    message: "Threads does not allow this topic. Choose another one or none",
  },
  {
    when: { status: 400, code: /\/4279047$/ },
    kind: "rejected",
    message:
      "Threads refused the link as an attachment. Use a link that does not redirect, or try again once the page is older",
  },
  {
    when: { message: /at most 500 characters/i },
    kind: "rejected",
    message: "Threads refused the text because it is longer than 500 characters (emoji count as their bytes)",
  },
  {
    when: { code: /\b24\/4279009$/ },
    kind: "later",
    message: "Threads is still preparing the post",
    retryAfterSeconds: 10,
  },
  { when: { code: /\/2207052$/ }, kind: "later", message: FETCH, retryAfterSeconds: 30 },
  {
    when: { message: /media download has failed|could not be fetched from this URI/i },
    kind: "later",
    message: FETCH,
    retryAfterSeconds: 30,
  },
  {
    when: { code: /\/2207042$/ },
    kind: "later",
    message: "This account has reached Threads' publishing limit for 24 hours",
    retryAfterSeconds: 3600,
    throttled: true,
  },
  {
    when: { code: "100/33" },
    kind: "later",
    message: "Threads cannot find the object that was just created",
    retryAfterSeconds: 15,
  },
  {
    when: { code: /^(transient )?(4|17|32|613)(\/|$)/ },
    kind: "later",
    message: "Threads asks us to slow down",
    throttled: true,
  },
  {
    when: { code: /^(10|2\d\d)(\/|$)/ },
    kind: "reconnect",
    message: "This account's permission at Threads does not cover publishing. Reconnect the account",
  },
  { when: { code: /^(transient|1$|1\/|2$|2\/)/ }, kind: "unknown", message: "Threads had an internal error" },
];

export const errors: ErrorTable = { read, rules };

/** Problems with a file by the container's `error_message`, in Threads' spelling. */
const fileProblems: { [message: string]: string } = {
  INVALID_ASPEC_RATIO: "Threads refused the file because of its aspect ratio",
  INVALID_BIT_RATE: "Threads refused the video because of its bit rate: at most 100 Mb/s",
  INVALID_DURATION: "Threads refused the video because of its duration: at most 300 seconds",
  INVALID_FRAME_RATE: "Threads refused the video because of its frame rate: 23 to 60 frames per second",
  INVALID_AUDIO_CHANNELS: "Threads refused the video because of its audio: one or two channels",
  INVALID_AUDIO_CHANNEL_LAYOUT: "Threads refused the video because of its audio channel layout",
};

/**
 * Builds the error of a container in state ERROR. Errors in downloading and processing (`FAILED_…`, `UNKNOWN`) can be
 * temporary; problems with the file (`INVALID_…`) are not.
 */
export function containerError(message: string | undefined): PlatformError {
  const answer = { status: 200, code: message };
  const says = message && fileProblems[message];
  if (says) return new PlatformError("rejected", says, { answer });
  if (message?.startsWith("INVALID_")) return new PlatformError("rejected", "Threads refused the file", { answer });
  const what = message === "FAILED_DOWNLOADING_VIDEO" ? "fetch the file of" : "process";
  return new PlatformError("later", `Threads could not ${what} this post`, { retryAfterSeconds: 30, answer });
}

/** Whether Threads did not find the container: it is not ready yet, or gone. Its status tells which. */
export function isNotFound(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.refused && /\b24\/4279009$/.test(error.answer?.code ?? "");
}
