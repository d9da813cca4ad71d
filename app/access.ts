import { notFound } from "next/navigation";
import { signedIn } from "@/components/session/signed-in";
import { env } from "@/lib/env";
import { findVisiblePartner, type Partner } from "@/lib/partners";
import { auditView } from "@/lib/staff";
import { sessionUser, type User } from "@/lib/users";

/** Who may use which page or form of the console. */

/**
 * The partner in a console page's address and the signed-in user; a 404 page if the user may not see this partner. A look
 * by staff is written to the audit log.
 */
export async function consolePartner(client: string, below = ""): Promise<{ partner: Partner; user: User }> {
  const user = await signedIn(`/console/${client}${below}`);
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

/** The user who sent a form from one of our own pages; undefined for other sites, suspended users and users being deleted. */
export async function ownFormUser(request: Request): Promise<User | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) return undefined;
  const user = await sessionUser(request.headers);
  return user && !user.suspended && !user.deleting ? user : undefined;
}

/** The user who sent a form of the console and the partner it changes; undefined if the user may not change this partner. */
export async function ownFormPartner(
  request: Request,
  client: string,
): Promise<{ user: User; partner: Partner } | undefined> {
  const user = await ownFormUser(request);
  const partner = user && (await findVisiblePartner(user, client));
  return partner && { user, partner };
}

/** The partner, if the signed-in user may see it. */
export async function visiblePartner(request: Request, client: string): Promise<Partner | undefined> {
  const user = await sessionUser(request.headers);
  return user && (await findVisiblePartner(user, client));
}
