import { env } from "@/lib/env";
import { parseUrl } from "@/lib/env/parse-url";

/** Whether a form was sent from our own pages. Browsers always send Origin with a POST; scripts and tests may not. */
export function isOwnForm(request: Request): boolean {
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(env.appUrl).origin;
}

/** The requested path on this site; `/` if it is missing or leads to another site. */
export function ownPath(requested: string | null | undefined): string {
  if (!requested || /[\\\s]/.test(requested)) return "/";
  const url = parseUrl(requested, env.appUrl);
  if (!url || url.origin !== new URL(env.appUrl).origin) return "/";
  return `${url.pathname}${url.search}`.replace(/^\/+/, "/");
}

export function goTo(path: string, cookies: string[] = []): Response {
  const headers = new Headers({ Location: new URL(path, env.appUrl).href, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Further targets of a form for form-action: signing in on the way to /authorize can redirect straight to the application,
 * and browsers apply form-action to redirects.
 */
export function formTargetsOf(path: string): string[] {
  const redirect = parseUrl(`${env.appUrl}${path}`)?.searchParams.get("redirect_uri");
  return redirect && parseUrl(redirect) ? [formTargetOf(redirect)] : [];
}

/** An address as a form-action source: its origin, or its scheme if it has no origin or an IPv6 host, which policies cannot express. */
export function formTargetOf(address: string): string {
  const { origin, hostname, protocol } = new URL(address);
  return origin === "null" || hostname.startsWith("[") ? protocol : origin;
}

/** The text of a form field; empty if it is missing. */
export function fieldOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? "";
}
