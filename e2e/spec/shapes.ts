import { expect } from "playwright/test";

/** The tables of SPEC as types, and matchers for responses. */
export type ErrorBody = { error: string };
export type Account = { id: number; platform: string; accountId: string; accountUsername: string };
export type Chat = { id: string; title: string; type: string; platform: string };
export type Post = {
  id: number;
  content: string;
  attachmentPaths: string[];
  chatId?: string;
  thumbnail?: string;
  status: string;
  networkPostId?: string;
  permalink?: string;
  publishedTime?: string;
  error?: string;
};
export type Publication = {
  id: number;
  socialMediaAccountId: number;
  platformSettings: { [name: string]: unknown };
  status: string;
  posts: Post[];
};
type PendingImport = {
  postId: number;
  attachmentIndex: number;
  importTaskId: number;
  sourceUrl: string;
  state: string;
};
export type Schedule = {
  id: number;
  overallStatus: string;
  scheduledTime: string;
  publications: Publication[];
  pendingImports?: PendingImport[];
};
export type List<T> = { items: T[]; nextCursor: string | null };
export type Validation = { valid: boolean; problems: { path: string; message: string; fix?: string }[] };
export type ConnectUser = { uuid: string; name: string; email?: string };
export type Tokens = {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
};

/** A time without offset and with six fractional digits. */
export const SIX_DIGITS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
export const ZULU = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** `<owner_uuid>/<object_uuid>.<ext>` */
export const STORAGE_KEY = new RegExp(`^${UUID.source.slice(1, -1)}/${UUID.source.slice(1, -1)}\\.[a-z0-9]+$`);

/** Checks that the response is JSON with exactly one string field `error`. */
export function expectError(
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
  expected: number,
  says: string | RegExp = /./,
): void {
  const error = typeof says === "string" ? says : expect.stringMatching(says);
  expect({ status, body }).toEqual({ status: expected, body: { error } });
  expect(headers.get("content-type")).toMatch(/^application\/json/);
}

/** Checks that no field is null: a field without a value is omitted. Only `nextCursor` may be null (SPEC, DECISIONS). */
export function expectNoNull(value: unknown, at = "the answer"): void {
  expect(value, `${at} is null`).not.toBeNull();
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) if (name !== "nextCursor") expectNoNull(inner, `${at}.${name}`);
}
