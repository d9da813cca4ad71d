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
  const isTold = status === 429 && !SPAM.test(words ?? "");
  return {
    code: code === undefined ? undefined : String(code),
    message: words,
    retryAfterSeconds: isTold ? untilReset(headers) : undefined,
  };
}

const SPAM = /spam/i;
const LEAST_SECONDS = 60;

/**
 * `x-ratelimit-reset` in seconds, its unit undocumented: so large a number can only be a time. It is a list of which the
 * first is the window that binds.
 */
function untilReset(headers: Headers, now = Date.now()): number | undefined {
  const first = /^\s*(\d+)/.exec(headers.get("x-ratelimit-reset") ?? "")?.[1];
  if (first === undefined) return undefined;
  const seconds = Number(first) > 1e9 ? Math.ceil(Number(first) - now / 1000) : Number(first);
  return Math.max(LEAST_SECONDS, seconds);
}

const DEAD = "Pinterest no longer accepts this account's permission. Connect the account again";

/** The inner codes have no public list, so the status decides, and code or text only where the status says too little. */
export const errors: ErrorTable = {
  read,
  rules: [
    {
      when: { status: 429, message: SPAM },
      kind: "later",
      says: "Pinterest takes this for spam and accepts nothing from the account for some hours",
      retryAfterSeconds: 4 * 3600,
    },
    { when: { status: 429 }, kind: "later", says: "Pinterest asks us to slow down" },

    // The operator's application, not the account.
    {
      when: { code: "3", message: /consumer type/i },
      kind: "later",
      says: "Pinterest has not activated the service's own application",
      retryAfterSeconds: 3600,
    },
    {
      when: { code: "3" },
      kind: "rejected",
      says: "Pinterest has not opened this feature to the service's own application",
    },
    {
      when: { code: "283" },
      kind: "reconnect",
      says: "Pinterest did not accept the sign-in or the permission, because it was used before or has run out. Connect the account again",
    },
    { when: { status: 401 }, kind: "reconnect", says: DEAD },
    {
      when: { status: 403 },
      kind: "reconnect",
      says: "This account's permission at Pinterest does not cover what was asked. Connect the account again",
    },

    {
      when: { status: 404, message: /section/i },
      kind: "rejected",
      says: "Pinterest does not know this section, or not the board that it is to be in. Choose another one",
    },
    {
      when: { status: 404, message: /board/i },
      kind: "rejected",
      says: "Pinterest does not know this board, or it is not this account's. Choose another one",
    },
    {
      when: { status: 400, message: /cover_image/i },
      kind: "rejected",
      says: "Pinterest wants a picture as the video's cover. Give one as thumbnailPath",
    },
    {
      when: { status: 400, message: /unable to reach the url/i },
      kind: "later",
      says: "Pinterest could not fetch the file just now",
      retryAfterSeconds: 30,
    },
    {
      when: { status: 400, message: /format of the image/i },
      kind: "rejected",
      says: "Pinterest refused the image: it takes JPEG and PNG only",
    },
    {
      when: { status: 400, message: /not (been |yet |finished )*process|(still|being|in) process/i },
      kind: "later",
      says: "Pinterest is still working on the video",
      retryAfterSeconds: 15,
    },
  ],
};
