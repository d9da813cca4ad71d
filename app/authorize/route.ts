import { consentPage, HEADERS, refusalPage } from "@/components/plain/consent";
import { plainWords } from "@/components/plain/words";
import { goTo } from "@/components/session/requests";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { queryAsSent } from "@/lib/http/page-request";
import { log } from "@/lib/log";
import {
  type AuthorizationRequest,
  type AuthorizationInput,
  authorizationGranted,
  consentToken,
  findAuthorizationRequest,
  isConsentToken,
  OAuthError,
  readOAuthBody,
  readAuthorizationInput,
  authorizationRefused,
} from "@/lib/oauth";
import { type Session, sessionOf } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Asks the person who is signed in whether an application may act for them (RFC 6749, section 4.1.1). */
export function GET(request: Request): Promise<Response> {
  const query = queryAsSent(request);
  return answer(query, async (asked, wish) => {
    const session = await sessionOf(request.headers);
    if (wish.prompt === "none") throw noWithoutAsking(session);
    if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl: `/authorize?${query}` })}`);
    if (session.user.suspended) return suspended();
    const csrf = await consentToken(session, query);
    return consentPage({ request: asked, scopes: wish.scopes, user: session.user, csrf });
  });
}

/** The person's answer. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnForm(request)) return refusalPage(plainWords.consent.fromElsewhere, 403);
  const form = await readOAuthBody(request).catch(() => undefined);
  if (!form) return refusalPage(plainWords.consent.unread, 400);
  const { request: query = "", csrf = "", decision } = form;
  return answer(query, async (asked, wish) => {
    const session = await sessionOf(request.headers);
    if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl: `/authorize?${query}` })}`);
    if (session.user.suspended) return suspended();
    if (!(await isConsentToken(csrf, session, query))) {
      return refusalPage(plainWords.consent.tooOld, 403);
    }
    if (decision === "allow") return sendBack(await authorizationGranted(asked, wish, session.user.id));
    if (decision === "deny") throw new OAuthError("access_denied", "The person said no");
    return refusalPage(plainWords.consent.neither, 400);
  });
}

/** Nothing goes to an address before it is certain that it is the application's; after that, refusals go there too. */
async function answer(
  query: string,
  work: (asked: AuthorizationRequest, wish: AuthorizationInput) => Promise<Response>,
): Promise<Response> {
  try {
    const asked = await findAuthorizationRequest(query);
    if (asked.application.suspendedAt)
      return refusalPage(plainWords.consent.applicationSuspended(asked.application.name), 403);
    try {
      return await work(asked, readAuthorizationInput(asked));
    } catch (error) {
      if (error instanceof OAuthError) return sendBack(authorizationRefused(asked, error));
      throw error;
    }
  } catch (error) {
    if (error instanceof ApiError) return refusalPage(plainWords.consent.said(error.message), error.status);
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "a request to authorize failed");
    return refusalPage(plainWords.consent.fault, 500);
  }
}

/** 303: the browser goes on by GET, and the form's fields stay here. The address is sent byte for byte. */
function sendBack(location: string): Response {
  return new Response(null, { status: 303, headers: { ...HEADERS, Location: location } });
}

function suspended(): Response {
  return refusalPage(plainWords.consent.suspendedWhy, 403, plainWords.consent.suspended);
}

function noWithoutAsking(session: Session | undefined): OAuthError {
  return session
    ? new OAuthError("consent_required", "Consent is asked for every time")
    : new OAuthError("login_required", "Nobody is signed in");
}

/** The page sends no referrer, so browsers call its origin `null`; the token in the form is what counts. */
function isOwnForm(request: Request): boolean {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const own = origin === null || origin === "null" || origin === new URL(env.appUrl).origin;
  return own && (site === null || site === "same-origin");
}
