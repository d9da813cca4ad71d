import { z } from "zod";
import type { ErrorFacts, ErrorTable } from "../errors";

const text = z.string().optional().catch(undefined);
const legacy = z.array(z.object({ code: z.number().optional().catch(undefined), message: text })).optional();
/** X answers with problem JSON, the older `errors` list or RFC 6749's fields. */
const body = z.object({ type: text, title: text, detail: text, error: text, error_description: text });

function read(answer: unknown, { headers }: { headers: Headers }): ErrorFacts {
  const problem = body.safeParse(answer).data ?? {};
  const [first] = z.object({ errors: legacy }).safeParse(answer).data?.errors ?? [];
  // The type's host is api.x.com or api.twitter.com, so only the last path segment is used.
  const type = problem.type === "about:blank" ? undefined : problem.type?.split("/").at(-1);
  return {
    code: problem.error ?? type ?? (first?.code === undefined ? undefined : String(first.code)),
    message: problem.error_description ?? first?.message ?? problem.detail ?? problem.title,
    retryAfterSeconds: untilReset(headers),
  };
}

const WINDOWS = ["x-rate-limit", "x-app-limit-24hour", "x-user-limit-24hour"];

/** X documents no `Retry-After`: we wait until the latest reset of all used-up windows. */
function untilReset(headers: Headers, now = Date.now()): number | undefined {
  const resets = WINDOWS.filter((window) => headers.get(`${window}-remaining`) === "0")
    .map((window) => Number(headers.get(`${window}-reset`)))
    .filter((reset) => reset > 0);
  return resets.length === 0 ? undefined : Math.max(1, Math.ceil(Math.max(...resets) - now / 1000));
}

const CREDITS = "X accepts no more calls because this service's own account at X has used up its credits";
const CONFIGURATION = "X does not accept this service's own credentials";

/** docs.x.com/x-api/fundamentals/response-codes-and-errors, and answers observed in production. */
export const errors: ErrorTable = {
  read,
  rules: [
    // Errors of the token endpoint. X says `invalid_request` where RFC 6749 says `invalid_grant`.
    {
      when: { status: 400, code: /^invalid_(request|grant)$/, message: /authorization code/i },
      kind: "reconnect",
      message: "X did not accept the sign-in because it took too long or was already used. Connect again",
    },
    {
      when: { status: 400, code: /^invalid_(request|grant)$/, message: /for the token/i },
      kind: "reconnect",
      message: "X no longer accepts this account's permission. Connect the account again",
    },
    {
      when: { status: 400, code: "invalid_grant" },
      kind: "reconnect",
      message: "X no longer accepts this account's permission. Connect the account again",
    },
    { when: { status: 401, code: /^(unauthorized|invalid)_client$/ }, kind: "later", message: CONFIGURATION },

    { when: { status: 402 }, kind: "later", message: CREDITS, retryAfterSeconds: 3600, throttled: true },
    {
      when: { code: /^(usage-capped|credits)$/ },
      kind: "later",
      message: CREDITS,
      retryAfterSeconds: 3600,
      throttled: true,
    },
    { when: { code: "88" }, kind: "later", message: "X asks us to slow down", throttled: true },
    {
      when: { status: 403, code: "unsupported-authentication" },
      kind: "rejected",
      message: "X does not accept this type of credential for this action",
    },
    {
      when: { code: "user-suspended" },
      kind: "reconnect",
      message: "X has suspended or locked this account. Connect it again once it is unlocked",
    },
    {
      when: { message: /suspended|account is temporarily locked/i, status: 403 },
      kind: "reconnect",
      message: "X has suspended or locked this account. Connect it again once it is unlocked",
    },
    {
      when: { status: 403, message: /scope/i },
      kind: "reconnect",
      message: "This account's permission at X does not cover this action. Connect the account again",
    },
    {
      when: { status: 403, code: "client-forbidden" },
      kind: "reconnect",
      message: "X does not let this service do this for the account. Connect the account again",
    },
    {
      when: { status: 403, message: /duplicate content/i },
      kind: "rejected",
      message: "X refused this post because the same text was already posted to this account",
      duplicate: true,
    },
    {
      when: { code: "187" },
      kind: "rejected",
      message: "X refused this post because the same text was already posted to this account",
      duplicate: true,
    },
    {
      when: { message: /^Reply to this conversation is not allowed/i },
      kind: "rejected",
      message: "X does not allow this reply",
    },
    {
      when: { message: /^Quoting this post is not allowed/i },
      kind: "rejected",
      message: "X does not allow this post to be quoted",
    },
    {
      when: { message: /text is too long/i },
      kind: "rejected",
      message: "X refused this post because its text is too long",
    },
    {
      when: { message: /maximum of one cashtag/i },
      kind: "rejected",
      message: "X accepts at most one cashtag ($TICKER) in a post",
    },
    {
      when: { status: 400, message: /media IDs are invalid/i },
      kind: "rejected",
      message: "X no longer has the media that were uploaded for this post",
    },
    {
      when: { message: /contains an invalid URL/i },
      kind: "rejected",
      message: "X refused this post because it considers a link in it unsafe",
    },
  ],
};
