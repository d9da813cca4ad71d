import { askedPage } from "@/components/session/mail-pages";
import { goTo, isOwnForm } from "@/components/session/requests";
import { askToConfirm, sessionUser } from "@/lib/users";

/** Sends the mail to confirm the address of whoever is signed in once more. */
export async function POST(request: Request): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user || !isOwnForm(request)) return goTo("/sign-in");
  if (await askToConfirm(user.id)) {
    return askedPage({ heading: "Look into your mail", text: `A link to confirm ${user.email} is on its way.` });
  }
  const text = "Several mails were sent to you in the last hour. Look among the unwanted mail too, or try again later.";
  return askedPage({ heading: "Not so fast", text, status: 429 });
}
