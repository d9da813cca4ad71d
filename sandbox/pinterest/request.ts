import * as z from "zod";
import type { Call } from "../core/network";
import type { Allowance } from "../core/rate-limits";
import type { PinterestState } from "./state";

const MINUTE = 60;
const DAY = 86_400;

/** Limits per user and minute. With Trial access they are per application and day, with a total for all calls. */
const LIMITS = { org_read: { standard: 1000, trial: 1000 }, org_write: { standard: 100, trial: 300 } };
const TRIAL_CALLS = 1000;
type Category = keyof typeof LIMITS;

export const countRead = (state: PinterestState, call: Call, who: string) => count(state, call, "org_read", who);
export const countWrite = (state: PinterestState, call: Call, who: string) => count(state, call, "org_write", who);

/** Counts a call against its limits. Source: developers.pinterest.com, rate limits. */
function count(state: PinterestState, call: Call, category: Category, who: string): void {
  const { trial, standard } = LIMITS[category];
  const allowance = state.switches.trial
    ? tighter(state.windows.take("trial", TRIAL_CALLS, DAY), state.windows.take(`trial/${category}`, trial, DAY))
    : state.windows.take(`${category}/${who}`, standard, MINUTE);
  rateHeaders(state, call, category, state.switches.trial ? DAY : MINUTE, allowance);
  if (!allowance.isAllowed) throw tooManyRequests();
}

/** The tighter of two windows: the exhausted one, or the one with less remaining. */
function tighter(all: Allowance, category: Allowance): Allowance {
  if (all.isAllowed !== category.isAllowed) return all.isAllowed ? category : all;
  return all.remaining < category.remaining ? all : category;
}

/** Sets the rate headers: structured lists with the tighter window first. */
export function rateHeaders(
  state: PinterestState,
  call: Call,
  category: Category,
  window: number,
  { limit, remaining, resetAt }: Omit<Allowance, "isAllowed">,
): void {
  const reset = Math.max(1, Math.ceil((resetAt - state.world.clock.now()) / 1000));
  call.header("x-ratelimit-limit", `${limit}, ${limit};w=${window};name="${category}_app_id_user_id"`);
  call.header("x-ratelimit-remaining", String(remaining));
  const { resetIsUnixTime } = state.switches;
  call.header("x-ratelimit-reset", String(resetIsUnixTime ? Math.ceil(resetAt / 1000) : reset));
}

/** One page of a list, and the bookmark of the next page. */
export function pageOf<T>(call: Call, all: T[], usual = 25): { items: T[]; bookmark: string | null } {
  const given = call.req.query("page_size");
  const size = given === undefined ? usual : Number(given);
  if (!Number.isInteger(size) || size < 1) throw invalid(`'${given}' is less than the minimum of 1`);
  if (size > 250) throw invalid(`${size} is greater than the maximum of 250`);
  const from = offsetOf(call.req.query("bookmark"));
  const next = from + size;
  return { items: all.slice(from, next), bookmark: next < all.length ? bookmarkOf(next) : null };
}

const bookmarkOf = (offset: number) => Buffer.from(`offset:${offset}`).toString("base64url");

function offsetOf(bookmark: string | undefined): number {
  if (bookmark === undefined) return 0;
  const offset = /^offset:(\d+)$/.exec(Buffer.from(bookmark, "base64url").toString())?.[1];
  if (offset === undefined) throw invalid("Invalid bookmark");
  return Number(offset);
}

export type PinterestSession = { account: string; grant: string; scopes: string[] };

/** Authenticates a call: token, scopes and the rate limit of its kind. */
export function sessionOf(
  state: PinterestState,
  call: Call,
  kind: "read" | "write",
  scopes: string[],
): PinterestSession {
  if (state.switches.pending) throw notActivated();
  const live = state.grants.findToken(bearer(call), "access");
  if (!live) throw unauthorized();
  call.get("entry").account = live.account;
  if (!scopes.every((scope) => live.scopes.includes(scope))) throw notPermitted();
  (kind === "read" ? countRead : countWrite)(state, call, live.account);
  return live;
}

export function bearer(call: Call): string {
  const [scheme, token] = (call.req.header("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" ? (token ?? "") : "";
}

/**
 * Parses the JSON body by the OpenAPI file.
 * @throws PinterestError that states the first problem as a JSON schema validator would
 */
export async function jsonBody<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  if (!call.req.header("content-type")?.startsWith("application/json"))
    throw invalid("The content type must be application/json");
  const value: unknown = await call.req.json().catch(() => {
    throw invalid("The request body is not valid JSON.");
  });
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(describeIssue(parsed.error.issues[0]));
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const at = issue?.path.join(".") || "body";
  switch (issue?.code) {
    case "unrecognized_keys":
      return `Additional properties are not allowed ('${issue.keys[0]}' was unexpected)`;
    case "too_big":
      return `Invalid ${at}: constraint: max${issue.origin === "array" ? "Items" : "Length"}=${issue.maximum}`;
    case "too_small":
      return `Invalid ${at}: constraint: min${issue.origin === "array" ? "Items" : "Length"}=${issue.minimum}`;
    case "invalid_format":
      return `'${at}' does not match '^\\\\d+$'`;
    default:
      return `Invalid ${at}: ${issue?.message}`;
  }
}

/** An optional text with a maximum length in code points, as JSON Schema counts. */
export function textOf(max: number) {
  return z
    .string()
    .refine((text) => [...text].length <= max, `constraint: maxLength=${max}`)
    .nullish();
}

/** An API v5 error (`Error` of the OpenAPI file). The messages are the file's examples where it has any. */
export class PinterestError extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 404 | 413 | 429,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export const unauthorized = () => new PinterestError(401, 2, "Authentication failed.");
export const notActivated = () => new PinterestError(401, 3, "Your application consumer type is not supported");
export const notPermitted = () => new PinterestError(403, 29, "You are not permitted to access that resource.");
export const invalidGrantError = () => new PinterestError(401, 283, "The authorization grant is invalid");
export const invalid = (message: string) => new PinterestError(400, 1, message);
/** Not documented: what a gateway or the API may answer to a long body. */
export const tooLong = (status: 400 | 413) =>
  new PinterestError(status, 1, "The size of media_source.data is too large.");
export const boardNotFound = () => new PinterestError(404, 404, "Board not found.");
export const sectionNotFound = () => new PinterestError(404, 404, "Board or section not found.");
export const mediaNotFound = () => new PinterestError(404, 404, "Media not found.");
export const tooManyRequests = () =>
  new PinterestError(
    429,
    8,
    "This request exceeded a rate limit. This can happen if the client exceeds one of the published rate limits or if multiple write operations are applied to an object within a short time window.",
  );
/** The spam filter is not in the OpenAPI file. Only its status and the word "spam" are known. */
export const suspectedSpam = () =>
  new PinterestError(429, 9, "This request was blocked because it looks like spam. Try again later.");

export function notFound(call: Call): Response {
  return call.json({ code: 404, message: `Path not found: ${new URL(call.req.url).pathname}` }, 404);
}

export function internalError(call: Call): Response {
  return call.json({ code: 0, message: "Something went wrong on our end. Sorry about that." }, 500);
}

export function onError(call: Call, error: Error): Response {
  if (error instanceof PinterestError) return call.json({ code: error.code, message: error.message }, error.status);
  process.stderr.write(`${error.stack}\n`);
  return internalError(call);
}
