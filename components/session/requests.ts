import { env, parseUrl } from "@/lib/env";

/** Whether a form was sent from our own pages. Browsers always say on a POST; scripts and tests may not. */
export function isOwnForm(request: Request): boolean {
  const origin = request.headers.get("origin");
  return origin === null || origin === new URL(env.appUrl).origin;
}

/** A path on this site to go to, `/` where the wish is missing or leads elsewhere. */
export function ownPath(wish: string | null | undefined): string {
  if (!wish || /[\\\s]/.test(wish)) return "/";
  const url = URL.canParse(wish, env.appUrl) ? new URL(wish, env.appUrl) : undefined;
  if (!url || url.origin !== new URL(env.appUrl).origin) return "/";
  return `${url.pathname}${url.search}`.replace(/^\/+/, "/");
}

export function goTo(path: string, cookies: string[] = []): Response {
  const headers = new Headers({ Location: new URL(path, env.appUrl).href, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/**
 * Where a form may end besides here: signing in on the way to /authorize can lead straight back to the application, and
 * browsers refuse a redirect that the page with the form did not name.
 */
export function formTargetsOf(path: string): string[] {
  const redirect = parseUrl(`${env.appUrl}${path}`)?.searchParams.get("redirect_uri");
  return redirect && URL.canParse(redirect) ? [formTargetOf(redirect)] : [];
}

/** An address as a page's policy names it: its origin; its scheme where it has none, or one that policies cannot say (IPv6). */
export function formTargetOf(address: string): string {
  const { origin, hostname, protocol } = new URL(address);
  return origin === "null" || hostname.startsWith("[") ? protocol : origin;
}

/** The text of a form's field, empty where it is missing. */
export function fieldOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? "";
}
