import { z } from "zod";
import type { ErrorFacts, ErrorTable } from "../errors";

const body = z.object({
  code: z.union([z.number(), z.string()]).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  message_detail: z.string().optional().catch(undefined),
});

function read(answer: unknown, { status, headers }: { status: number; headers: Headers }): ErrorFacts {
  const { code, message, message_detail } = body.safeParse(answer).data ?? {};
  const words = [message, message_detail].filter(Boolean).join(" ") || undefined;
  const isWaitStated = status === 429 && !SPAM.test(words ?? "");
  return {
    code: code === undefined ? undefined : String(code),
    message: words,
    retryAfterSeconds: isWaitStated ? untilReset(headers) : undefined,
  };
}

const SPAM = /spam/i;
const LEAST_SECONDS = 60;

/**
 * `x-ratelimit-reset` is documented without a unit: seconds, or a Unix time if the number is very large. It is a list whose
 * first entry is the window that applies.
 */
function untilReset(headers: Headers, now = Date.now()): number | undefined {
  const first = /^\s*(\d+)/.exec(headers.get("x-ratelimit-reset") ?? "")?.[1];
  if (first === undefined) return undefined;
  const seconds = Number(first) > 1e9 ? Math.ceil(Number(first) - now / 1000) : Number(first);
  return Math.max(LEAST_SECONDS, seconds);
}

const SPAM_BLOCK = {
  kind: "later",
  message: "Pinterest considers this spam and accepts nothing from the account for some hours",
  retryAfterSeconds: 4 * 3600,
} as const;
const DEAD = "Pinterest no longer accepts this account's permission. Reconnect the account";

/** Pinterest publishes no list of its error codes, so rules use the status; code or message only if the status is ambiguous. */
export const errors: ErrorTable = {
  read,
  rules: [
    { when: { status: 429, message: SPAM }, ...SPAM_BLOCK },
    // Observed without its status. Other answers with the word spam are about the post, for example its link.
    { when: { message: /combat spam/i }, ...SPAM_BLOCK },
    { when: { status: 429 }, kind: "later", message: "Pinterest asks us to slow down" },

    // Observed when creating Pins, without its status; no source says that none was created.
    { when: { code: "2787" }, kind: "unknown", message: "Pinterest had an internal error" },

    // Problems of the operator's application, not of the account.
    {
      when: { code: "3", message: /consumer type/i },
      kind: "operator",
      message: "Pinterest has not activated this service's application",
      fix: "See the state of the app at developers.pinterest.com/apps, and request access there",
    },
    {
      when: { code: "29", message: /trial access/i },
      kind: "operator",
      message: "Pinterest does not let this service create Pins, because its application has only Trial access",
      fix: "Upgrade the app to Standard access at developers.pinterest.com/apps",
    },
    {
      when: { code: "3", message: /token does not have sufficient permissions/i },
      kind: "reconnect",
      message: "This account's permission at Pinterest does not cover this action. Reconnect the account",
    },
    {
      when: { code: "3" },
      kind: "operator",
      message: "Pinterest has not enabled this feature for this service's application",
      fix: "Upgrade the app to Standard access at developers.pinterest.com/apps",
    },
    {
      when: { code: "283" },
      kind: "reconnect",
      message:
        "Pinterest did not accept the sign-in or the permission because it was already used or has expired. Reconnect the account",
    },
    { when: { status: 401 }, kind: "reconnect", message: DEAD },
    {
      when: { status: 403 },
      kind: "reconnect",
      message: "This account's permission at Pinterest does not cover this action. Reconnect the account",
    },

    {
      when: { status: 404, message: /section/i },
      kind: "rejected",
      message: "Pinterest did not find this section on this board. Choose another one",
    },
    {
      when: { status: 404, message: /board/i },
      kind: "rejected",
      message: "Pinterest did not find this board in this account. Choose another one",
    },
    {
      when: { status: 400, message: /cover_image/i },
      kind: "rejected",
      message: "Pinterest requires a cover image for the video. Set it as thumbnailPath",
    },
    {
      when: { status: 400, message: /unable to reach the url|could not fetch the image/i },
      kind: "later",
      message: "Pinterest could not fetch the file right now",
      retryAfterSeconds: 30,
    },
    {
      when: { status: 400, message: /format of the image/i },
      kind: "rejected",
      message: "Pinterest refused the image: it accepts only JPEG and PNG",
    },
    {
      when: { status: 400, message: /not (been |yet |finished )*(process|ready)|(still|being|in) process/i },
      kind: "later",
      message: "Pinterest is still processing the video",
      retryAfterSeconds: 15,
    },
  ],
};
