import { notFound } from "next/navigation";
import { type Partner, partnerFor } from "@/lib/connect";
import type { User } from "@/lib/users";
import { signedIn } from "../session/signed-in";

/** The partner that a console page's address names, and who looks; no page for anybody else's and for none. */
export async function consolePartner(client: string, below = ""): Promise<{ partner: Partner; user: User }> {
  const user = await signedIn(`/console/${client}${below}`);
  const partner = await partnerFor(user, decoded(client));
  if (!partner) notFound();
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
