import { z } from "zod";
import { type ErrorFacts, type ErrorRule, type ErrorTable, PlatformError } from "../errors";
import { readGraphError } from "../meta/graph-error";

const offset = z.union([z.string(), z.number()]).transform(String);
const resumed = z.object({ error: z.object({ error_data: z.object({ start_offset: offset, end_offset: offset }) }) });
/** The upload host has a shape of its own. */
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

/** `X-Business-Use-Case-Usage` tells minutes (…/docs/graph-api/overview/rate-limiting); Meta sends no `Retry-After`. */
function untilAccess(headers: Headers): number | undefined {
  try {
    const told = usage.parse(JSON.parse(headers.get("x-business-use-case-usage") ?? ""));
    const minutes = Math.max(
      0,
      ...Object.values(told).flatMap((uses) => uses.map((one) => one.estimated_time_to_regain_access ?? 0)),
    );
    return minutes > 0 ? minutes * 60 : undefined;
  } catch {
    return undefined;
  }
}

/** A code wherever it stands, as the code itself or as the subcode; `transient ` and offsets aside. */
const either = (codes: string) => new RegExp(`^(transient )?((${codes})(/|\\b)|-?\\d+/(${codes})\\b)`);

const DEAD = "Facebook no longer accepts this account's permission. Connect the account again";
const FAULT = "Facebook had a fault of its own";

/** What is wrong with a post, by code or subcode (…/documentation/video-api/reference/error-codes, and answers seen). */
const content: { [code: string]: string } = {
  "324": "Facebook refused the image because it is missing or damaged",
  "352": "Facebook refused the video because of its format",
  "382": "Facebook refused the video because it is too small",
  "1346003": "Facebook refused the post because of its rules",
  "1363022": "Facebook refused the video because its file is too small",
  "1363023": "Facebook refused the video because its file is too large",
  "1363040": "Facebook refused the video because of its ratio of width to height",
  "1363127": "Facebook refused the video because its resolution is too low",
  "1363128": "Facebook refused the video because of its duration",
  "1363129": "Facebook refused the video because of its frame rate",
  "1366046": "Facebook refused the image because of its size or type",
  "1404102": "Facebook refused the post because of its rules",
  "1609005": "Facebook cannot read the page that the post links to",
  "1609008": "Facebook takes no card for a link to facebook.com",
  "2061006": "Facebook refused the post because of an address in it",
  "2069019": "Facebook refused the file",
};

/** What the person has to do at Facebook, by code or subcode. */
const action: { [code: string]: string } = {
  "459": "Facebook wants this person to sign in at facebook.com first. Do that, then connect the account again",
  "1404006": "Facebook wants this person to pass a security check at facebook.com first",
  "1404078": "This Page needs Facebook's Page Publishing Authorization before it can publish",
  "4854002": "Facebook wants this person to confirm who they are at facebook.com first",
};

/** developers.facebook.com/docs/graph-api/guides/error-handling: decided by code and subcode, whatever the status. */
const rules: ErrorRule[] = [
  {
    when: { code: /^100(\/3600[789])?$/, message: /authorization code|verification code/i },
    kind: "reconnect",
    says: "Facebook did not accept the sign-in, because it took too long or was used before. Connect again",
  },
  {
    when: { message: /appsecret_proof|validating client secret|validating application/i },
    kind: "later",
    says: "Facebook does not accept the service's own credentials",
  },
  // The person is well, but this Page is no longer theirs.
  {
    when: { code: either("492") },
    kind: "rejected",
    says: "This account may no longer post to this Page. Ask the Page's owner for the right, or choose another Page",
  },
  { when: { code: "190/459" }, kind: "reconnect", says: action["459"] ?? DEAD },
  { when: { code: /^(transient )?(190|102)(\/|$)/ }, kind: "reconnect", says: DEAD },
  ...Object.entries(action).map(
    ([code, says]): ErrorRule => ({ when: { code: either(code) }, kind: "rejected", says }),
  ),
  // Before the codes that they come under: 368 for a block, 6000 for an upload.
  ...Object.entries(content).map(
    ([code, says]): ErrorRule => ({ when: { code: either(code) }, kind: "rejected", says }),
  ),
  {
    when: { code: either("506|1366051") },
    kind: "rejected",
    says: "Facebook refused this post because the Page has just published the same",
    duplicate: true,
  },
  {
    when: { code: either("368|1390008|1404112") },
    kind: "later",
    says: "Facebook has blocked this Page from publishing for a while, because it published too fast",
    retryAfterSeconds: 3600,
  },
  // Where an upload goes on; the adapter reads the offsets.
  { when: { code: either("1363037") }, kind: "later", says: "Facebook has another part of the video than was sent" },
  {
    when: { code: either("1363019|1363030|6000") },
    kind: "later",
    says: "Facebook lost the upload of the video",
    retryAfterSeconds: 30,
  },
  {
    when: { code: /OffsetInvalidError$/ },
    kind: "later",
    says: "Facebook has another part of the video than was sent",
  },
  {
    when: { code: /PartialRequestError$/ },
    kind: "later",
    says: "Facebook received a part of the video only",
    retryAfterSeconds: 15,
  },
  { when: { code: "ProcessingFailedError" }, kind: "rejected", says: "Facebook refused the video" },
  { when: { code: /^transient ProcessingFailedError$/ }, kind: "later", says: FAULT, retryAfterSeconds: 30 },
  {
    when: { code: either("389") },
    kind: "later",
    says: "Facebook could not fetch the file just now",
    retryAfterSeconds: 30,
  },
  {
    when: { code: /^(transient )?(4|17|32|341|613|80001|80002)(\/|$)/ },
    kind: "later",
    says: "Facebook asks us to slow down",
    throttled: true,
  },
  { when: { code: "100/33" }, kind: "later", says: "Facebook cannot find what was just made", retryAfterSeconds: 15 },
  {
    when: { code: /^(3|10|2\d\d)(\/|$)/ },
    kind: "reconnect",
    says: "This account's permission at Facebook does not cover publishing to this Page. Connect the account again and allow everything",
  },
  // The object is made and the answer's form is refused: whether it is there has to be looked up.
  { when: { code: either("1772107") }, kind: "unknown", says: FAULT },
  { when: { code: either("1363047|1609010") }, kind: "unknown", says: FAULT },
  { when: { code: /^(transient|1$|1\/|2$|2\/)/ }, kind: "unknown", says: FAULT },
];

export const errors: ErrorTable = { read, rules };

/** What a video's processing ended with: a code where Facebook gives one, a sentence otherwise. */
export function processingError(found: { code?: string | number; message?: string } | undefined): PlatformError {
  const code = found?.code === undefined ? undefined : String(found.code);
  const known = code === undefined ? undefined : content[code];
  const said = found?.message ? `Facebook refused the video: ${found.message}` : "Facebook could not process the video";
  return new PlatformError("rejected", known ?? said, { answer: { status: 200, code, message: found?.message } });
}

/** Where Facebook wants an upload to go on, where an error says so. */
export function offsetsIn(error: unknown): { start: number; end: number } | undefined {
  const [, start, end] =
    (error instanceof PlatformError && /1363037 (\d+)-(\d+)$/.exec(error.answer?.code ?? "")) || [];
  return start === undefined ? undefined : { start: Number(start), end: Number(end) };
}

export function isCode(error: unknown, codes: string): boolean {
  return error instanceof PlatformError && either(codes).test(error.answer?.code ?? "");
}
