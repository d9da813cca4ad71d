import { z } from "zod";
import { type ErrorFacts, type ErrorRule, type ErrorTable, PlatformError } from "../errors";
import { appErrorRules, readGraphError } from "../meta/graph";

const offset = z.union([z.string(), z.number()]).transform(String);
const resumed = z.object({ error: z.object({ error_data: z.object({ start_offset: offset, end_offset: offset }) }) });
/** The upload host has its own error format. */
const upload = z.object({
  debug_info: z.object({ type: z.string(), message: z.string().optional(), retriable: z.boolean().optional() }),
});

function read(answer: unknown, { headers }: { headers: Headers }): ErrorFacts {
  const failed = upload.safeParse(answer).data?.debug_info;
  if (failed) return { code: failed.retriable ? `transient ${failed.type}` : failed.type, message: failed.message };
  const facts = readGraphError(answer) ?? {};
  const from = resumed.safeParse(answer).data?.error.error_data;
  const code = from ? `${facts.code} ${from.start_offset}-${from.end_offset}` : facts.code;
  return { ...facts, code, retryAfterSeconds: untilAccess(headers) };
}

const usage = z.record(z.string(), z.array(z.object({ estimated_time_to_regain_access: z.number().optional() })));

/** `X-Business-Use-Case-Usage` states minutes (…/docs/graph-api/overview/rate-limiting); Meta sends no `Retry-After`. */
function untilAccess(headers: Headers): number | undefined {
  try {
    const stated = usage.parse(JSON.parse(headers.get("x-business-use-case-usage") ?? ""));
    const minutes = Math.max(
      0,
      ...Object.values(stated).flatMap((uses) => uses.map((one) => one.estimated_time_to_regain_access ?? 0)),
    );
    return minutes > 0 ? minutes * 60 : undefined;
  } catch {
    return undefined;
  }
}

/** Matches codes as code or subcode, ignoring the `transient ` prefix and upload offsets. */
const codeOrSubcode = (codes: string) => new RegExp(`^(transient )?((${codes})(/|\\b)|-?\\d+/(${codes})\\b)`);

const DEAD = "Facebook no longer accepts this account's permission. Reconnect the account";
const FAULT = "Facebook had an internal error";

/** Problems with the content, by code or subcode (…/documentation/video-api/reference/error-codes, and observed answers). */
const content: { [code: string]: string } = {
  "324": "Facebook refused the image because it is missing or damaged",
  "352": "Facebook refused the video because of its format",
  "382": "Facebook refused the video because it is too small",
  "1346003": "Facebook refused the post because it violates Facebook's rules",
  "1363022": "Facebook refused the video because its file is too small",
  "1363023": "Facebook refused the video because its file is too large",
  "1363045": "Facebook refused the video file",
  "1363040": "Facebook refused the video because of its aspect ratio",
  "1363127": "Facebook refused the video because its resolution is too low",
  "1363128": "Facebook refused the video because of its duration",
  "1363129": "Facebook refused the video because of its frame rate",
  "1366046": "Facebook refused the image because of its size or type",
  "1404102": "Facebook refused the post because it violates Facebook's rules",
  "1609005": "Facebook cannot read the page that the post links to",
  "1609008": "Facebook creates no preview card for links to facebook.com",
  "2061006": "Facebook refused the post because of a link in it",
  "2069019": "Facebook refused the file",
};

/** Actions that the user must take at Facebook, by code or subcode. */
const action: { [code: string]: string } = {
  "459": "Facebook requires this user to sign in at facebook.com. Do that, then reconnect the account",
  "1404006": "Facebook requires this user to pass a security check at facebook.com first",
  "1404078": "This Page needs Facebook's Page Publishing Authorization before it can publish",
  "4854002": "Facebook requires this user to confirm their identity at facebook.com first",
};

/** developers.facebook.com/docs/graph-api/guides/error-handling: code and subcode decide, regardless of the status. */
const rules: ErrorRule[] = [
  {
    when: { code: /^100(\/3600[789])?$/, message: /authorization code|verification code/i },
    kind: "reconnect",
    message: "Facebook did not accept the sign-in because it took too long or was already used. Connect again",
  },
  ...appErrorRules("Facebook", "FACEBOOK"),
  // The account still works, but it lost access to this Page.
  {
    when: { code: codeOrSubcode("492") },
    kind: "rejected",
    message: "This account may no longer post to this Page. Ask the Page's owner for access, or choose another Page",
  },
  // With an ordinary code for wrong parameters. Production clients know it for accounts without full access to the Page.
  {
    when: { message: /no permission to publish the video/i },
    kind: "rejected",
    message:
      "Facebook does not let this account publish videos on this Page. Ask the Page's owner for full access, then reconnect the account",
  },
  { when: { code: "190/459" }, kind: "reconnect", message: action["459"] ?? DEAD },
  { when: { code: /^(transient )?(190|102)(\/|$)/ }, kind: "reconnect", message: DEAD },
  ...Object.entries(action).map(
    ([code, says]): ErrorRule => ({ when: { code: codeOrSubcode(code) }, kind: "rejected", message: says }),
  ),
  // These are subcodes of more general codes below (368 for a block, 6000 for an upload), so they come first.
  ...Object.entries(content).map(
    ([code, says]): ErrorRule => ({ when: { code: codeOrSubcode(code) }, kind: "rejected", message: says }),
  ),
  {
    when: { code: codeOrSubcode("506|1366051") },
    kind: "rejected",
    message: "Facebook refused this post because the Page has just published the same content",
    duplicate: true,
  },
  // Not marked as a duplicate: Facebook was seen to say this without having the post (arsduo/koala#422).
  {
    when: { code: /^368$/, message: /already posted this/i },
    kind: "rejected",
    message: "Facebook refused this post because it repeats an earlier one",
  },
  {
    when: { code: codeOrSubcode("368|1390008|1404112") },
    kind: "later",
    message: "Facebook has blocked this Page from publishing for a while because it published too often",
    retryAfterSeconds: 3600,
  },
  // The adapter reads from the offsets where the upload continues.
  {
    when: { code: codeOrSubcode("1363037") },
    kind: "later",
    message: "Facebook expected a different part of the video",
  },
  {
    when: { code: codeOrSubcode("1363019|1363030|6000") },
    kind: "later",
    message: "Facebook lost the upload of the video",
    retryAfterSeconds: 30,
  },
  {
    when: { code: /OffsetInvalidError$/ },
    kind: "later",
    message: "Facebook expected a different part of the video",
  },
  {
    when: { code: /PartialRequestError$/ },
    kind: "later",
    message: "Facebook received only a part of the video",
    retryAfterSeconds: 15,
  },
  { when: { code: "ProcessingFailedError" }, kind: "rejected", message: "Facebook refused the video" },
  { when: { code: /^transient ProcessingFailedError$/ }, kind: "later", message: FAULT, retryAfterSeconds: 30 },
  {
    when: { code: codeOrSubcode("389") },
    kind: "later",
    message: "Facebook could not fetch the file just now",
    retryAfterSeconds: 30,
  },
  {
    when: { code: /^(transient )?(4|17|32|341|613|80001|80002)(\/|$)/ },
    kind: "later",
    message: "Facebook asks us to slow down",
    throttled: true,
  },
  {
    when: { code: "100/33" },
    kind: "later",
    message: "Facebook cannot find the object that was just created",
    retryAfterSeconds: 15,
  },
  {
    when: { code: /^(10|2\d\d)(\/|$)/ },
    kind: "reconnect",
    message:
      "This account's permission at Facebook does not cover publishing to this Page. Reconnect the account and allow everything",
  },
  // The object was created, but the answer was refused: whether it exists must be looked up.
  { when: { code: codeOrSubcode("1772107") }, kind: "unknown", message: FAULT },
  { when: { code: codeOrSubcode("1363047|1609010") }, kind: "unknown", message: FAULT },
  { when: { code: /^(transient|1$|1\/|2$|2\/)/ }, kind: "unknown", message: FAULT },
];

export const errors: ErrorTable = { read, rules };

/** Builds the error of a failed video processing: by its code if known, otherwise with Facebook's message. */
export function processingError(found: { code?: string | number; message?: string } | undefined): PlatformError {
  const code = found?.code === undefined ? undefined : String(found.code);
  const known = code === undefined ? undefined : content[code];
  const said = found?.message ? `Facebook refused the video: ${found.message}` : "Facebook could not process the video";
  return new PlatformError("rejected", known ?? said, { answer: { status: 200, code, message: found?.message } });
}

/** Reads the offset at which Facebook wants an upload to continue, if the error contains it. */
export function uploadOffsets(error: unknown): { start: number; end: number } | undefined {
  const [, start, end] =
    (error instanceof PlatformError && /1363037 (\d+)-(\d+)$/.exec(error.answer?.code ?? "")) || [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end) };
}

export function hasErrorCode(error: unknown, codes: string): boolean {
  return error instanceof PlatformError && codeOrSubcode(codes).test(error.answer?.code ?? "");
}
