import { freshForm, freshSession } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { newPasskeyPage, recoveryCodesPage } from "@/components/plain/session/factor-pages";
import { factorWords } from "@/components/plain/session/factor-words";
import { fieldOf, goTo } from "@/components/session/requests";
import { BadRequest, Unauthorized } from "@/lib/errors";
import { addPasskey, beginPasskey, hasFactor, hasPasskeys, type User } from "@/lib/users";

const PATH = "/settings/passkeys";

/** Shows the page on which the person adds a passkey. */
export async function GET(request: Request): Promise<Response> {
  const session = await freshSession(request, PATH);
  if (session instanceof Response) return session;
  return hasPasskeys ? ask(session.user) : notFoundPage();
}

export async function POST(request: Request): Promise<Response> {
  const fresh = await freshForm(request, PATH);
  if (fresh instanceof Response) return fresh;
  const { session, form } = fresh;
  const [ticket, credential, name] = [fieldOf(form, "ticket"), fieldOf(form, "credential"), fieldOf(form, "name")];
  try {
    const added = await addPasskey(session, { ticket, credential, name });
    if (!added) return ask(session.user, name, factorWords.newPasskey.failed);
    return added.recoveryCodes ? recoveryCodesPage(added.recoveryCodes) : goTo("/settings");
  } catch (error) {
    if (error instanceof Unauthorized) return goTo(PATH); // which asks to sign in
    if (error instanceof BadRequest) return ask(session.user, name.slice(0, 200), error.message);
    throw error;
  }
}

async function ask(user: User, name?: string, wrong?: string): Promise<Response> {
  try {
    const [setup, isFirst] = [await beginPasskey(user), !(await hasFactor(user.id))];
    return newPasskeyPage({ setup, name, wrong, isFirst, status: wrong ? 400 : 200 });
  } catch (error) {
    if (error instanceof BadRequest) return goTo(`/settings?${new URLSearchParams({ problem: error.message })}`);
    throw error;
  }
}
