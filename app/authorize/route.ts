import { CONSENT_HEADERS, consentPage, refusalPage } from "@/components/plain/consent";
import { plainWords } from "@/components/plain/words";
import { goTo } from "@/components/session/requests";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { queryAsSent } from "@/lib/http/page-request";
import { log } from "@/lib/log";
import {
  type AuthorizationInput,
  type AuthorizationRequest,
  authorizationGranted,
  authorizationRefused,
  consentToken,
  findAuthorizationRequest,
  findRegistrar,
  isConsentToken,
  OAuthError,
  readAuthorizationInput,
  readOAuthBody,
} from "@/lib/oauth";
import { type Session, sessionOf } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Asks the signed-in user whether an application may act for them (RFC 6749, section 4.1.1). */
export function GET(request: Request): Promise<Response> {
  const query = queryAsSent(request);
  return answer(query, async (asked, input) => {
    const session = await sessionOf(request.headers);
    if (input.prompt === "none") throw consentUnavailable(session);
    if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl: `/authorize?${query}` })}`);
    if (session.user.suspended) return suspended();
    const csrf = await consentToken(session, query);
    const registrar = await findRegistrar(asked.application);
    return consentPage({ request: asked, registrar, scopes: input.scopes, user: session.user, csrf });
  });
}

/** The user's decision. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnForm(request)) return refusalPage(plainWords.consent.fromElsewhere, 403);
  const form = await readOAuthBody(request).catch(() => undefined);
  if (!form) return refusalPage(plainWords.consent.unread, 400);
  const { request: query = "", csrf = "", decision } = form;
  return answer(query, async (asked, input) => {
    const session = await sessionOf(request.headers);
    if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl: `/authorize?${query}` })}`);
    if (session.user.suspended) return suspended();
    if (!(await isConsentToken(csrf, session, query))) {
      return refusalPage(plainWords.consent.tooOld, 403);
    }
    if (decision === "allow") return sendBack(await authorizationGranted(asked, input, session.user));
    if (decision === "deny") throw new OAuthError("access_denied", "The user denied access");
    return refusalPage(plainWords.consent.neither, 400);
  });
}

/** Until the redirect URI is known to be the application's, errors are shown here; after that, they are sent to it. */
async function answer(
  query: string,
  work: (asked: AuthorizationRequest, input: AuthorizationInput) => Promise<Response>,
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

/** A 303, so that the browser continues with GET and the form's fields are not sent on. The address is sent byte for byte. */
function sendBack(location: string): Response {
  return new Response(null, { status: 303, headers: { ...CONSENT_HEADERS, Location: location } });
}

function suspended(): Response {
  return refusalPage(plainWords.consent.suspendedWhy, 403, plainWords.consent.suspended);
}

function consentUnavailable(session: Session | undefined): OAuthError {
  return session
    ? new OAuthError("consent_required", "Consent is required every time")
    : new OAuthError("login_required", "No user is signed in");
}

/** The page sends no referrer, so browsers send the origin `null`. The token in the form is the actual protection. */
function isOwnForm(request: Request): boolean {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const own = origin === null || origin === "null" || origin === new URL(env.appUrl).origin;
  return own && (site === null || site === "same-origin");
}
