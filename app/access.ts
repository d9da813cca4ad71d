import { notFound, redirect } from "next/navigation";
import { notFoundPage } from "@/components/plain/console";
import { goTo } from "@/components/session/requests";
import { STAFF_LOCKED, signedIn } from "@/components/session/signed-in";
import { env } from "@/lib/env";
import { readForm } from "@/lib/http/form";
import { findVisiblePartner, type Partner } from "@/lib/partners";
import { auditView } from "@/lib/staff";
import { lacksStaffFactor, type Session, sessionOf, sessionUser, type User } from "@/lib/users";

/** Who may use which page or form of the console. */

/**
 * The partner in a console page's address and the signed-in user; a 404 page if the user may not see this partner. A look
 * by staff is written to the audit log.
 */
export async function consolePartner(client: string, below = ""): Promise<{ partner: Partner; user: User }> {
  const user = await signedIn(`/console/${client}${below}`);
  if (await lacksStaffFactor(user)) redirect(STAFF_LOCKED);
  const partner = await findVisiblePartner(user, decodeSegment(client));
  if (!partner) notFound();
  if (user.role === "staff") {
    const details = { page: `console${below}` };
    await auditView(user, { subject: partner.clientId, partnerId: partner.id, details });
  }
  return { partner, user };
}

/** A decoded path segment; empty if it cannot be decoded. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

/** The session that sent a form from one of our own pages; undefined for other sites, suspended users and users being deleted. */
export async function ownFormSession(request: Request): Promise<Session | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) return undefined;
  const session = await sessionOf(request.headers);
  return session && !session.user.suspended && !session.user.deleting ? session : undefined;
}

/**
 * The fields of a form and the session that sent it, as for `ownFormSession`; undefined also if the form cannot be read. The body
 * comes first: it can take half a minute to arrive, and the session may end meanwhile.
 */
export async function ownForm(request: Request): Promise<SentForm | undefined> {
  const form = await readForm(request);
  const session = form && (await ownFormSession(request));
  return session && { session, form };
}

type SentForm = { session: Session; form: URLSearchParams };

/**
 * The session of a request, if its person proved who they are in the last minutes. Otherwise a redirect that asks for that
 * and returns to `path`.
 */
export async function freshSession(request: Request, path: string): Promise<Session | Response> {
  const session = await sessionOf(request.headers);
  if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
  if (session.user.suspended || session.user.deleting) return notFoundPage();
  return session.isFresh ? session : goTo(`/sign-in/again?${new URLSearchParams({ callbackUrl: path })}`);
}

/** Like `freshSession`, for a form from one of our own pages. */
export async function freshForm(request: Request, path: string): Promise<SentForm | Response> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) return notFoundPage();
  const form = await readForm(request); // before the session, as in `ownForm`
  const session = await freshSession(request, path);
  if (session instanceof Response) return session;
  return form ? { session, form } : goTo(path);
}

/** The session that sent a form of the console and the partner it changes; undefined if its user may not change this partner. */
export async function ownFormPartner(
  request: Request,
  client: string,
): Promise<{ session: Session; partner: Partner } | undefined> {
  const session = await ownFormSession(request);
  if (!session || (await lacksStaffFactor(session.user))) return undefined;
  const partner = await findVisiblePartner(session.user, client);
  return partner && { session, partner };
}

/** The partner, if the signed-in user may see it. */
export async function visiblePartner(request: Request, client: string): Promise<Partner | undefined> {
  const user = await sessionUser(request.headers);
  return user && !(await lacksStaffFactor(user)) ? findVisiblePartner(user, client) : undefined;
}
