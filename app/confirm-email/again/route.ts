import { askedPage } from "@/components/plain/session/mail-pages";
import { sessionWords } from "@/components/plain/session/words";
import { goTo, isOwnForm } from "@/components/session/requests";
import { requestConfirmation, sessionUser } from "@/lib/users";

/** Sends the confirmation mail to the signed-in user again. */
export async function POST(request: Request): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user || !isOwnForm(request)) return goTo("/sign-in");
  if (await requestConfirmation(user.id)) {
    return askedPage({ heading: sessionWords.mail.sent, text: sessionWords.mail.sentTo(user.email) });
  }
  return askedPage({ heading: sessionWords.mail.tooOften, text: sessionWords.mail.tooOftenWhy, status: 429 });
}
