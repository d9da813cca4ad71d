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

/** X divides the limit of a day into half-hours (help.x.com/rules-and-policies/x-limits). */
const HOUR = 3600;
const CREDITS = "X accepts no more calls because this service's own account at X has used up its credits";
const BUY = "Buy credits or raise the spending limit under Billing in X's developer portal (console.x.com)";
const CREDENTIALS = "X does not accept this service's own credentials";
const KEYS = "Compare X_CLIENT_ID and X_CLIENT_SECRET with the app's keys in X's developer portal (console.x.com)";
const NOT_ENROLLED = "X does not let this service's app use its API, because the app is not enrolled in a project";
const ENROL = "Attach the app to a project with API access in X's developer portal (console.x.com, Projects and apps)";
const PLAN = "X does not offer this action in the plan of this service's app";
const UPGRADE = "Choose a plan that includes posting for the app's project in X's developer portal (console.x.com)";
const SUSPENDED = "X has suspended this service's app";
const APPEAL = "Read the notice in X's developer portal (console.x.com) and appeal, or replace the app";
const READ_ONLY = "X does not let this service's app post, because the app may only read";
const READ_WRITE =
  "Set the app's permissions to Read and write in X's developer portal (console.x.com, User authentication settings)";

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
      message: "X no longer accepts this account's permission. Reconnect the account",
    },
    {
      when: { status: 400, code: "invalid_grant" },
      kind: "reconnect",
      message: "X no longer accepts this account's permission. Reconnect the account",
    },
    {
      when: { status: 401, code: /^(unauthorized|invalid)_client$/ },
      kind: "operator",
      message: CREDENTIALS,
      fix: KEYS,
    },

    // Problems of our own app. Its suspension must not be taken for that of the account, so these come first.
    { when: { status: 402 }, kind: "operator", message: CREDITS, fix: BUY },
    { when: { code: /^(usage-capped|credits)$/ }, kind: "operator", message: CREDITS, fix: BUY },
    // X names the reason in a field next to it: `client-not-enrolled`, or `required_enrollment`.
    { when: { code: "client-forbidden" }, kind: "operator", message: NOT_ENROLLED, fix: ENROL },
    { when: { code: "453" }, kind: "operator", message: PLAN, fix: UPGRADE },
    { when: { status: 403, message: /access to a subset of/i }, kind: "operator", message: PLAN, fix: UPGRADE },
    { when: { code: "416" }, kind: "operator", message: SUSPENDED, fix: APPEAL },
    {
      when: { message: /suspended (client )?app|\bapp(lication)? (has been|is|was) suspended/i },
      kind: "operator",
      message: SUSPENDED,
      fix: APPEAL,
    },
    { when: { code: "oauth1-permissions" }, kind: "operator", message: READ_ONLY, fix: READ_WRITE },
    {
      when: { status: 403, message: /not configured with the appropriate oauth1/i },
      kind: "operator",
      message: READ_ONLY,
      fix: READ_WRITE,
    },
    { when: { code: "88" }, kind: "later", message: "X asks us to slow down", throttled: true },
    {
      when: { code: "185" },
      kind: "later",
      message: "This account has reached X's limit of posts for a day",
      retryAfterSeconds: HOUR,
      throttled: true,
    },
    {
      when: { status: 403, code: "unsupported-authentication" },
      kind: "rejected",
      message: "X does not accept this type of credential for this action",
    },
    {
      when: { code: "user-suspended" },
      kind: "reconnect",
      message: "X has suspended or locked this account. Reconnect it once it is unlocked",
    },
    {
      when: { message: /suspended|account is temporarily locked/i, status: 403 },
      kind: "reconnect",
      message: "X has suspended or locked this account. Reconnect it once it is unlocked",
    },
    {
      when: { status: 403, message: /scope/i },
      kind: "reconnect",
      message: "This account's permission at X does not cover this action. Reconnect the account",
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
      message: "X no longer has the files that were uploaded for this post",
    },
    { when: { status: 413 }, kind: "rejected", message: "X refused the file because it is too large" },
    {
      when: { message: /contains an invalid URL/i },
      kind: "rejected",
      message: "X refused this post because it considers a link in it unsafe",
    },
  ],
};
