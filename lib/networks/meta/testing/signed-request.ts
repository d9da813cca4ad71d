import { createHmac } from "node:crypto";

const encoded = (text: string) => Buffer.from(text).toString("base64url");

/** Builds a `signed_request` like Meta's; `more` overrides fields for negative tests. */
export function signedRequest(secret: string, userId: string, more: object = {}): string {
  const issued_at = Math.floor(Date.now() / 1000);
  const payload = encoded(JSON.stringify({ algorithm: "HMAC-SHA256", issued_at, user_id: userId, ...more }));
  return `${createHmac("sha256", secret).update(payload).digest("base64url")}.${payload}`;
}
