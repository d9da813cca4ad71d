import { notFoundPage } from "@/components/plain/console";
import { fieldOf, goTo } from "@/components/session/requests";
import { env } from "@/lib/env";
import { NotFound } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { revokeOtherSessions, revokeSession, sessionOf } from "@/lib/users";

/** Ends one of the signed-in person's sessions, or all others if the form names none. */
export async function POST(request: Request): Promise<Response> {
  const isOurs = request.headers.get("origin") === new URL(env.appUrl).origin;
  const form = isOurs ? await readForm(request) : undefined; // before the session, as in `ownForm`
  const session = form && (await sessionOf(request.headers));
  if (!session) return notFoundPage();
  const ended = fieldOf(form, "session");
  try {
    if (ended === "") await revokeOtherSessions(session.user.id, session.id);
    else await revokeSession(session.user.id, ended);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error; // it has ended already
  }
  return goTo("/settings#sessions");
}
