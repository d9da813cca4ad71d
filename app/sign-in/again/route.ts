import { waitText } from "@/components/plain/session/factor-words";
import { pathWith, typedPasswords } from "@/components/plain/session/pages";
import { signInAgainPage } from "@/components/plain/session/password-pages";
import { sessionWords } from "@/components/plain/session/words";
import { finishSignIn } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { sessionOf, signInWithPassword } from "@/lib/users";

/**
 * Asks a signed-in person to sign in again, with the second step if they have one, or with a passkey. After that, the
 * session counts as fresh for some minutes.
 */
export async function GET(request: Request): Promise<Response> {
  const callbackUrl = ownPath(new URL(request.url).searchParams.get("callbackUrl"));
  const session = await sessionOf(request.headers);
  if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl })}`);
  return signInAgainPage({ email: session.user.email, callbackUrl });
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const callbackUrl = ownPath(form?.get("callbackUrl"));
  const session = await sessionOf(request.headers);
  if (!session) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl })}`);
  const { id, email } = session.user;
  if (!form) return signInAgainPage({ email, callbackUrl, wrong: sessionWords.unread, status: 400 });
  if (!isOwnForm(request)) {
    return signInAgainPage({ email, callbackUrl, wrong: sessionWords.fromElsewhere, status: 403 });
  }
  const typed = typedPasswords(form, "password");
  if (typed) return signInAgainPage({ email, callbackUrl, typed });
  const result = await signInWithPassword(request.headers, email, fieldOf(form, "password"), id);
  if (result.kind === "done") return finishSignIn(request, result, callbackUrl);
  if (result.kind === "secondStep") return goTo(pathWith("/sign-in/code", callbackUrl), result.cookies);
  if (result.kind === "wait") {
    const retryAfterSeconds = result.seconds;
    return signInAgainPage({ email, callbackUrl, wrong: waitText(retryAfterSeconds), status: 429, retryAfterSeconds });
  }
  return signInAgainPage({ email, callbackUrl, wrong: sessionWords.wrongPassword, status: 401 });
}
