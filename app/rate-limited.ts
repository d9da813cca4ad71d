import type { LimitedPath } from "@/lib/http/gateway";

/**
 * The pages and route handlers of this folder whose requests count against `RATE_LIMIT_AUTH`, separately for each purpose:
 * those that check a password, code or secret address, and those where anyone with a link can write. Without a method, every request
 * counts; `/*` matches any path below. A GET that only shows a form is not limited. The token endpoint counts per client
 * (lib/oauth/token-endpoint.ts).
 */
export const rateLimited: LimitedPath[] = [
  { method: "POST", path: "/sign-in", purpose: "sign-in" },
  { method: "POST", path: "/sign-in/again", purpose: "sign-in" },
  { method: "POST", path: "/settings/password", purpose: "sign-in" },
  { method: "POST", path: "/sign-in/code", purpose: "sign-in" },
  { method: "POST", path: "/sign-in/passkey", purpose: "sign-in" },
  { method: "POST", path: "/settings/authenticator", purpose: "sign-in" },
  { method: "POST", path: "/settings/passkeys", purpose: "sign-in" },
  { method: "POST", path: "/sign-up", purpose: "sign-in" },
  { method: "POST", path: "/authorize", purpose: "sign-in" },
  { method: "POST", path: "/forgot-password", purpose: "sign-in" },
  { method: "POST", path: "/reset-password", purpose: "sign-in" },
  { method: "POST", path: "/confirm-email", purpose: "sign-in" },
  { method: "POST", path: "/confirm-email/again", purpose: "sign-in" },
  { method: "POST", path: "/unsubscribe", purpose: "unsubscribe" },
  { method: "POST", path: "/reviews", purpose: "reviews" },
  { method: "POST", path: "/accounts/name", purpose: "connect" },
  { method: "POST", path: "/accounts/password", purpose: "connect" },
  { method: "POST", path: "/api/auth/callback/*", purpose: "sign-in" },
  { method: "POST", path: "/api/auth/signin/*", purpose: "sign-in" },
  { method: "POST", path: "/embed/*", purpose: "connect" },
  { path: "/calendars/*", purpose: "calendars" },
  { path: "/oauth/connect", purpose: "connect" },
  { path: "/oauth/connect/*", purpose: "connect" },
];
