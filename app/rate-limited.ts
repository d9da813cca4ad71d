import type { LimitedPath } from "@/lib/http/gateway";

/**
 * The pages and route handlers of this folder whose requests count against `RATE_LIMIT_AUTH`: those that check a password,
 * code or link, and those where anyone with a link can write. Without a method, every request counts; `/*` matches any
 * path below. A GET that only shows a form is not limited. The API declares its own paths in `lib/api/app.ts`.
 */
export const rateLimited: LimitedPath[] = [
  { method: "POST", path: "/sign-in" },
  { method: "POST", path: "/sign-up" },
  { method: "POST", path: "/authorize" },
  { method: "POST", path: "/forgot-password" },
  { method: "POST", path: "/reset-password" },
  { method: "POST", path: "/confirm-email" },
  { method: "POST", path: "/confirm-email/again" },
  { method: "POST", path: "/unsubscribe" },
  { method: "POST", path: "/reviews" },
  { method: "POST", path: "/accounts/name" },
  { method: "POST", path: "/accounts/password" },
  { method: "POST", path: "/api/auth/callback/*" },
  { method: "POST", path: "/api/auth/signin/*" },
  { path: "/oauth/connect" },
  { path: "/oauth/connect/*" },
];
