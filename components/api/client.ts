import type { QueryClient, QueryFilters } from "@tanstack/react-query";
import { apiWords } from "./words";

/** Offset to the server's clock, from the last `Date` header. A wrong browser clock must not shift a post. */
let offsetMs = 0;

export function noteServerTime(date: string | null): void {
  const server = date ? Date.parse(date) : Number.NaN;
  // `Date` has whole seconds and arrives late, so small differences are ignored.
  if (!Number.isNaN(server)) offsetMs = Math.abs(server - Date.now()) < 5_000 ? 0 : server - Date.now();
}

export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** A response that is not 2xx. Status 0 means no response. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** From `Retry-After`, if the response has it. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "ApiFailure";
  }
}

type Call = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  /** A CSV file instead of a JSON body. */
  csv?: Blob;
  idempotencyKey?: string;
  /** The `ETag` of the version to replace. */
  ifMatch?: string;
  signal?: AbortSignal;
};

/**
 * Calls the API of this site with the session cookie. The caller names the response type, which comes from the API's
 * schemas.
 * @throws ApiFailure
 */
export async function callApi<T>(path: string, call: Call = {}): Promise<T> {
  return (await apiTagged<T>(path, call)).value;
}

/** A response with its `ETag`, if it has one. */
export type Tagged<T> = { value: T; tag?: string };

/** Like `api`, but also returns the `ETag`. */
export async function apiTagged<T>(
  path: string,
  { method = "GET", body, csv, idempotencyKey, ifMatch, signal }: Call = {},
): Promise<Tagged<T>> {
  const headers = new Headers({ Accept: "application/json" });
  if (body !== undefined) headers.set("Content-Type", "application/json");
  if (csv) headers.set("Content-Type", "text/csv");
  if (idempotencyKey) headers.set("Idempotency-Key", idempotencyKey);
  if (ifMatch) headers.set("If-Match", ifMatch);
  const sent = { method, headers, signal, body: csv ?? (body === undefined ? undefined : JSON.stringify(body)) };
  const response = await fetch(path, sent).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiFailure(0, apiWords.silent);
  });
  noteServerTime(response.headers.get("date"));
  if (response.ok) {
    const value = (response.status === 204 ? undefined : await response.json()) as T;
    return { value, tag: strongOf(response.headers.get("etag")) };
  }
  if (response.status === 401) leaveToSignIn();
  if (needsFreshSignIn(response)) leaveToSignIn("/sign-in/again");
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const message = failureText(response.status, await response.text());
  throw new ApiFailure(response.status, message, Number.isNaN(wait) ? undefined : wait);
}

/** A compressing proxy such as nginx turns an `ETag` into a weak one; it still names the same version. */
function strongOf(tag: string | null): string | undefined {
  return tag?.replace(/^W\//, "");
}

/** The API uses `error`, the gateway in front of it `message`. Anything else is not shown. */
export function failureText(status: number, body: string): string {
  const said = parsed(body);
  if (typeof said.error === "string" && said.error !== "") return said.error;
  if (typeof said.message === "string" && said.message !== "") return said.message;
  return apiWords.wentWrong(status);
}

/** Whether the API wants the person to enter the password again first (RFC 9470). */
function needsFreshSignIn({ headers }: Response): boolean {
  return headers.get("www-authenticate")?.includes("insufficient_user_authentication") ?? false;
}

function parsed(body: string): { error?: unknown; message?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Redirects to a sign-in page and back to this page afterwards. */
export function leaveToSignIn(path: "/sign-in" | "/sign-in/again" = "/sign-in"): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`${path}?${new URLSearchParams({ callbackUrl: here })}`);
}

/**
 * Refetches the given queries. The cache does not repeat a query's first fetch while it is running, although it began
 * before the change; so this waits for it and fetches once more.
 */
export async function readAnew(cache: QueryClient, ...changed: QueryFilters[]): Promise<void> {
  await Promise.all(
    changed.map(async (filters) => {
      const underWay = cache.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
      const first = underWay.filter(({ state }) => state.data === undefined);
      await cache.invalidateQueries(filters);
      if (first.length > 0) await cache.invalidateQueries({ predicate: (query) => first.includes(query) });
    }),
  );
}
