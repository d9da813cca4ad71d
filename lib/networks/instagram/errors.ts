import { z } from "zod";
import { type ErrorFacts, type ErrorRule, type ErrorTable, PlatformError } from "../errors";
import { appErrorRules } from "../meta/graph";

const graph = z.object({
  error: z.object({
    message: z.string().optional(),
    code: z.union([z.number(), z.string()]).optional(),
    error_subcode: z.union([z.number(), z.string()]).optional(),
    is_transient: z.boolean().optional(),
  }),
});
/** The token endpoint has its own flat error format. */
const flat = z.object({ error_type: z.string(), code: z.number().optional(), error_message: z.string().optional() });

function read(answer: unknown, { headers }: { headers: Headers }): ErrorFacts {
  const error = graph.safeParse(answer).data?.error;
  if (error) {
    const code = error.error_subcode === undefined ? `${error.code}` : `${error.code}/${error.error_subcode}`;
    const retryAfterSeconds = untilAccess(headers.get("x-business-use-case-usage"));
    return { code: error.is_transient ? `transient ${code}` : code, message: error.message, retryAfterSeconds };
  }
  const token = flat.safeParse(answer).data;
  return token ? { code: token.error_type, message: token.error_message } : {};
}

const usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().optional() })));

/** Reads how long to wait from `X-Business-Use-Case-Usage`: minutes, by account and type of call. */
function untilAccess(header: string | null): number | undefined {
  try {
    const waits = Object.values(usage.parse(JSON.parse(header ?? "{}"))).flat();
    const minutes = Math.max(0, ...waits.map(({ estimated_time_to_regain_access: wait = 0 }) => wait));
    return minutes > 0 ? minutes * 60 : undefined;
  } catch {
    return undefined;
  }
}

const DEAD = "Instagram no longer accepts this account's permission. Reconnect the account";
const MISSING = "This account's permission at Instagram does not cover publishing. Reconnect the account";
const BUSY = "Instagram could not prepare the post right now";
const FETCH = "Instagram could not fetch the file right now";

/** Problems with a file or text by subcode, which appears in error answers and in a container's `status`. */
const content: { [subcode: string]: string } = {
  "2207004": "Instagram refused the image because it is larger than 8 MB",
  "2207005": "Instagram refused the image because it accepts only JPEG",
  "2207009": "Instagram refused the image because its ratio is not between 4:5 and 1.91:1",
  "2207010": "Instagram refused the caption: at most 2,200 characters, 30 hashtags and 20 mentions",
  "2207018":
    "Instagram found no public account with one of the tagged names, or it takes no invitations as a co-author",
  "2207023": "Instagram does not know this type of post",
  "2207026": "Instagram refused the video because of its format",
  "2207028": "Instagram refused the carousel: it must have 2 to 10 items",
  "2207035": "Instagram refused the product tags",
  "2207036": "Instagram refused the product tags",
  "2207037": "Instagram refused the product tags",
  "2207040": "Instagram allows at most 20 tagged people",
  "2207057": "Instagram refused the cover: its timestamp is outside the video",
  "2207081": "This account cannot publish trial reels",
};

/** developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes */
const rules: ErrorRule[] = [
  {
    when: { status: 400, code: "OAuthException", message: /code/i },
    kind: "reconnect",
    message: "Instagram did not accept the sign-in because it took too long or was already used. Connect again",
  },
  ...appErrorRules("Instagram", "INSTAGRAM"),
  // The answer to every call for an account without a role on an app that has only standard access.
  {
    when: { code: "100", message: /^Unsupported request - method type/i },
    kind: "operator",
    message: "Instagram has not approved this service's app for this account",
    fix: "Request advanced access under App Review in Meta's App Dashboard (developers.facebook.com/apps), or add the account as a tester",
  },
  // The post may be live anyway, so the container's status is read first.
  {
    when: { code: /4\/2207051$/ },
    kind: "unknown",
    message: "Instagram stopped the post as suspected spam",
    retryAfterSeconds: 3600,
  },
  { when: { code: /^(transient )?(190|102)(\/|$)/ }, kind: "reconnect", message: DEAD },
  {
    when: { message: /not an Instagram Business/i },
    kind: "reconnect",
    message:
      "Instagram allows publishing only for professional accounts. Switch the account to Business or Creator and reconnect it",
  },
  {
    when: { code: "25/2207050" },
    kind: "rejected",
    message: "Instagram has restricted this account. Open the Instagram app and follow its instructions",
  },
  {
    when: { code: /\b9\/2207042$/ },
    kind: "later",
    message: "This account has reached Instagram's publishing limit for 24 hours",
    retryAfterSeconds: 3600,
    throttled: true,
  },
  {
    when: { code: /\b9007\/2207027$/ },
    kind: "later",
    message: "Instagram is still preparing the post",
    retryAfterSeconds: 15,
  },
  { when: { code: /\b24\/2207006$/ }, kind: "later", message: BUSY, retryAfterSeconds: 60 },
  { when: { code: /\b24\/2207008$/ }, kind: "later", message: BUSY, retryAfterSeconds: 60 },
  { when: { code: /-2\/2207020$/ }, kind: "later", message: BUSY, retryAfterSeconds: 60 },
  { when: { code: /-2\/2207003$/ }, kind: "later", message: FETCH, retryAfterSeconds: 30 },
  { when: { code: /(\b9004\/2207052|\/2207077|\/2207082)$/ }, kind: "later", message: FETCH, retryAfterSeconds: 30 },
  {
    when: { message: /could not be fetched from this URI|Only photo or video can be accepted/i },
    kind: "later",
    message: FETCH,
    retryAfterSeconds: 30,
  },
  { when: { code: /-1\/22070(01|32|53)$/ }, kind: "unknown", message: BUSY },
  // Caused by `fields` on a call that creates something: it was created anyway.
  { when: { code: "20/1772107" }, kind: "unknown", message: "Instagram did not confirm whether it accepted the post" },
  {
    when: { code: "100/33" },
    kind: "later",
    message: "Instagram cannot find the object that was just created",
    retryAfterSeconds: 30,
  },
  ...Object.entries(content).map(
    ([subcode, says]): ErrorRule => ({ when: { code: new RegExp(`/${subcode}$`) }, kind: "rejected", message: says }),
  ),
  {
    when: { code: /^(transient )?(4|17|32|613|80002)(\/|$)/ },
    kind: "later",
    message: "Instagram asks us to slow down",
    throttled: true,
  },
  { when: { code: /^(10|2\d\d)(\/|$)/ }, kind: "reconnect", message: MISSING },
  { when: { code: /^(transient|1$|1\/|2$|2\/)/ }, kind: "unknown", message: "Instagram had an internal error" },
  { when: { message: /unknown error occurred/i }, kind: "unknown", message: "Instagram had an internal error" },
];

export const errors: ErrorTable = { read, rules };

const FETCH_FAILED = ["2207003", "2207052", "2207077"];

/** Builds the error of a container in state ERROR; its `status` is a sentence that contains the subcode. */
export function containerError(status: string | undefined): PlatformError {
  const subcode = status?.match(/22070\d\d/)?.[0];
  const answer = { status: 200, code: subcode, message: status?.slice(0, 500) };
  const says = subcode && content[subcode];
  if (says) return new PlatformError("rejected", says, { answer });
  const what = FETCH_FAILED.includes(subcode ?? "") ? "fetch" : "process";
  return new PlatformError("later", `Instagram could not ${what} the file`, { retryAfterSeconds: 30, answer });
}

/** Whether Instagram refused to publish a container because of its state: not ready, not found or gone. */
export function isContainerStateError(error: unknown): error is PlatformError {
  return (
    isContainerGone(error) || (error instanceof PlatformError && /\b9007\/2207027$/.test(error.answer?.code ?? ""))
  );
}

/** Whether a container can no longer be published, so that a new one must be created. */
export function isContainerGone(error: unknown): boolean {
  return (
    error instanceof PlatformError &&
    error.refused &&
    /(24\/2207008|24\/2207006|-2\/2207020)$/.test(error.answer?.code ?? "")
  );
}
