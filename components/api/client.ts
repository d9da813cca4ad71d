import type { QueryClient, QueryFilters } from "@tanstack/react-query";
import { apiWords } from "./words";

/** The server's clock, as the last answer's `Date` gave it: a wrong browser clock must not move a post. */
let offsetMs = 0;

export function noteServerTime(date: string | null): void {
  const server = date ? Date.parse(date) : Number.NaN;
  // `Date` is in whole seconds and a little old on arrival; below that the browser is right enough.
  if (!Number.isNaN(server)) offsetMs = Math.abs(server - Date.now()) < 5_000 ? 0 : server - Date.now();
}

export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** An answer that is not 2xx; status 0 where there was no answer at all. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** How long to wait before asking again, where the answer says so. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "ApiFailure";
  }
}

type Call = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  /** A file in the place of a body in JSON. */
  csv?: Blob;
  idempotencyKey?: string;
  /** The `ETag` of the version that is to be replaced. */
  ifMatch?: string;
  signal?: AbortSignal;
};

/** One call of the API that this site serves; the session cookie goes with it. The answer's type is the API's promise. */
export async function api<T>(path: string, call: Call = {}): Promise<T> {
  return (await apiTagged<T>(path, call)).value;
}

/** An answer with the version that it shows, where the API says which. */
export type Tagged<T> = { value: T; tag?: string };

/** The same, with the answer's `ETag`. */
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
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  const message = failureText(response.status, await response.text());
  throw new ApiFailure(response.status, message, Number.isNaN(wait) ? undefined : wait);
}

/** A proxy that compresses answers weakens their tags (nginx does), which name the same version all the same. */
function strongOf(tag: string | null): string | undefined {
  return tag?.replace(/^W\//, "");
}

/** The API says `error`, the gateway in front of it `message`; whatever else is there is never shown raw. */
export function failureText(status: number, body: string): string {
  const said = parsed(body);
  if (typeof said.error === "string" && said.error !== "") return said.error;
  if (typeof said.message === "string" && said.message !== "") return said.message;
  return apiWords.wentWrong(status);
}

function parsed(body: string): { error?: unknown; message?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The session has ended: sign in and come back to this page. */
export function leaveToSignIn(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?${new URLSearchParams({ callbackUrl: here })}`);
}

/**
 * Reads again what changed. A page's first answer that is still on its way was asked for before the change and is not asked for
 * twice by the cache (later ones are): that one is read again once it is there, or it would stay.
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
