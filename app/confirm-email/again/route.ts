import { waitTime } from "@/components/plain/session/factor-words";
import { askedPage } from "@/components/plain/session/mail-pages";
import { sessionWords } from "@/components/plain/session/words";
import { goTo, isOwnForm } from "@/components/session/requests";
import { requestConfirmation, sessionUser } from "@/lib/users";

/** Sends the confirmation mail to the signed-in user again. */
export async function POST(request: Request): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user || !isOwnForm(request)) return goTo("/sign-in");
  if (user.emailConfirmed) return goTo("/");
  const retryAfterSeconds = await requestConfirmation(request.headers, user);
  if (retryAfterSeconds === undefined) {
    return askedPage({ heading: sessionWords.mail.sent, text: sessionWords.mail.sentTo(user.email) });
  }
  const text = sessionWords.mail.tooOftenWhy(waitTime(retryAfterSeconds));
  return askedPage({ heading: sessionWords.mail.tooOften, text, retryAfterSeconds });
}
