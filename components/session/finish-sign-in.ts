import { refreshAuthentication, type SignInResult, sessionOf } from "@/lib/users";
import { startSession } from "./next-auth";
import { goTo } from "./requests";

type Done = Extract<SignInResult, { kind: "done" }>;

/** Starts the session of a finished sign-in. A person who is signed in already keeps the session, which counts as fresh now. */
export async function finishSignIn(request: Request, done: Done, callbackUrl: string): Promise<Response> {
  const session = await sessionOf(request.headers);
  if (session?.user.id === done.userId) {
    await refreshAuthentication(session.id);
    return goTo(callbackUrl, done.cookies);
  }
  const cookies = await startSession(request, done.ticket);
  return goTo(cookies ? callbackUrl : "/sign-in", [...(cookies ?? []), ...done.cookies]);
}
