import { randomUUID } from "node:crypto";
import { env } from "../env";
import { s3Store } from "./s3";

const PATIENCE_MS = 5_000;

/** What keeps browsers from putting files into the bucket by a grant; undefined where nothing does, or there is no bucket. */
export async function browserPutProblem(now = new Date()): Promise<string | undefined> {
  if (!env.s3) return undefined;
  const terms = { contentType: "image/jpeg", sizeBytes: 1, filename: "a.jpg", now };
  const key = `${randomUUID()}/${randomUUID()}.jpg`;
  const expiresAt = new Date(now.getTime() + 60_000);
  const { url, headers } = await s3Store(env.s3).grantPut({ ...terms, key, expiresAt });
  return preflightProblem(url, Object.keys(headers), new URL(env.appUrl).origin);
}

/** Asks as a browser does before it sends (Fetch standard, "CORS-preflight fetch"). */
export async function preflightProblem(url: string, headers: string[], origin: string): Promise<string | undefined> {
  const names = headers.map((name) => name.toLowerCase()).sort();
  const asked = {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": names.join(","),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(url, { method: "OPTIONS", headers: asked, redirect: "manual", signal }).catch(
    () => undefined,
  );
  if (!answer) return "the bucket cannot be reached";
  const allowed = (name: string) =>
    (answer.headers.get(`access-control-allow-${name}`) ?? "").split(",").map((one) => one.trim().toLowerCase());
  const isOrigin = answer.ok && [origin.toLowerCase(), "*"].some((one) => allowed("origin").includes(one));
  if (!isOrigin) return `the bucket has no CORS rule for ${origin}`;
  if (!["put", "*"].some((one) => allowed("methods").includes(one))) return "the bucket's CORS rule does not allow PUT";
  const missing = allowed("headers").includes("*") ? [] : names.filter((name) => !allowed("headers").includes(name));
  return missing.length > 0 ? `the bucket's CORS rule does not allow the headers ${missing.join(", ")}` : undefined;
}
