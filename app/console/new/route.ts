import { ownFormSession } from "@/app/access";
import { credentialPage, notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { createPartner, nameProblems } from "@/lib/oauth";
import { lacksStaffFactor } from "@/lib/users";

export const dynamic = "force-dynamic";

/** Staff creates a partner; the response shows its credential once. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request); // before the session, as in `ownForm`
  const session = await ownFormSession(request);
  if (session?.user.role !== "staff" || (await lacksStaffFactor(session.user))) return notFoundPage();
  if (!session.isFresh) return goTo(`/sign-in/again?${new URLSearchParams({ callbackUrl: "/console" })}`);
  const name = form ? fieldOf(form, "name").trim() : "";
  if (nameProblems(name).length > 0) return goTo("/console");
  return credentialPage(await createPartner(name, session.user), name);
}

export function GET(): Response {
  return goTo("/console");
}
