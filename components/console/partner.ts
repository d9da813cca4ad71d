import { notFound } from "next/navigation";
import { findVisiblePartner, type Partner } from "@/lib/connect";
import { noteLook } from "@/lib/staff";
import type { User } from "@/lib/users";
import { signedIn } from "../session/signed-in";

/** The partner that a console page's address names, and who looks; no page for anybody else's and for none. That staff looks is written down. */
export async function consolePartner(client: string, below = ""): Promise<{ partner: Partner; user: User }> {
  const user = await signedIn(`/console/${client}${below}`);
  const partner = await findVisiblePartner(user, decoded(client));
  if (!partner) notFound();
  if (user.role === "staff") {
    const details = { page: `console${below}` };
    await noteLook(user, { subject: partner.clientId, partnerId: partner.id, details });
  }
  return { partner, user };
}

/** A path's segment; one that cannot be decoded names nobody. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
