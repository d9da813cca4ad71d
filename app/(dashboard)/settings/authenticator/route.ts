import { freshForm, freshSession } from "@/app/access";
import { authenticatorIsOnPage, authenticatorPage, recoveryCodesPage } from "@/components/plain/session/factor-pages";
import { factorWords } from "@/components/plain/session/factor-words";
import { fieldOf, goTo } from "@/components/session/requests";
import { Unauthorized } from "@/lib/errors";
import { addAuthenticator, beginAuthenticator, factorsOf } from "@/lib/users";

const PATH = "/settings/authenticator";

/** Shows the page that sets up an authenticator app. Nothing is stored until the first code is right. */
export async function GET(request: Request): Promise<Response> {
  const session = await freshSession(request, PATH);
  if (session instanceof Response) return session;
  if ((await factorsOf(session.user.id)).authenticatorSince) return authenticatorIsOnPage();
  return authenticatorPage(await beginAuthenticator(session.user));
}

export async function POST(request: Request): Promise<Response> {
  const fresh = await freshForm(request, PATH);
  if (fresh instanceof Response) return fresh;
  const { session, form } = fresh;
  const ticket = fieldOf(form, "ticket");
  try {
    const added = await addAuthenticator(session, ticket, fieldOf(form, "code"));
    if (!added)
      return authenticatorPage(await beginAuthenticator(session.user, ticket), factorWords.authenticator.wrong);
    return added.recoveryCodes ? recoveryCodesPage(added.recoveryCodes) : goTo("/settings");
  } catch (error) {
    if (error instanceof Unauthorized) return goTo(PATH); // which asks to sign in
    throw error;
  }
}
