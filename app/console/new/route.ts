import { consoleActor, credentialPage, nothingHere } from "@/components/console/answers";
import { fieldOf, goTo } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { createPartner } from "@/lib/oauth";

export const dynamic = "force-dynamic";

const MOST_CHARACTERS = 200;

/** Staff registers a partner; the answer shows its credential, once. */
export async function POST(request: Request): Promise<Response> {
  const user = await consoleActor(request);
  if (user?.role !== "staff") return nothingHere();
  const form = await readForm(request);
  const name = form ? fieldOf(form, "name").trim() : "";
  if (name === "" || name.length > MOST_CHARACTERS) return goTo("/console");
  return credentialPage(await createPartner(name, user), name);
}

export function GET(): Response {
  return goTo("/console");
}
