import { askedPage } from "@/components/session/mail-pages";
import { goTo, isOwnForm } from "@/components/session/requests";
import * as words from "@/components/words/session-mail";
import { askToConfirm, sessionUser } from "@/lib/users";

/** Sends the mail to confirm the address of whoever is signed in once more. */
export async function POST(request: Request): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user || !isOwnForm(request)) return goTo("/sign-in");
  if (await askToConfirm(user.id)) {
    return askedPage({ heading: words.sent, text: words.sentTo(user.email) });
  }
  return askedPage({ heading: words.tooOften, text: words.tooOftenWhy, status: 429 });
}
