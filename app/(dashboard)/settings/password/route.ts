import { typedPasswords } from "@/components/plain/session/pages";
import { changePasswordPage, passwordChangedPage } from "@/components/plain/session/password-pages";
import { sessionWords } from "@/components/plain/session/words";
import { fieldOf, goTo, isOwnForm } from "@/components/session/requests";
import { BadRequest, Unauthorized } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { changePassword, sessionOf } from "@/lib/users";

const toSignIn = () => goTo(`/sign-in?${new URLSearchParams({ callbackUrl: "/settings/password" })}`);

export async function GET(request: Request): Promise<Response> {
  return (await sessionOf(request.headers)) ? changePasswordPage({}) : toSignIn();
}

/** Changes the signed-in person's password. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const session = await sessionOf(request.headers);
  if (!session) return toSignIn();
  if (!form) return changePasswordPage({ wrong: sessionWords.unread, status: 400 });
  if (!isOwnForm(request)) return changePasswordPage({ wrong: sessionWords.fromElsewhere, status: 403 });
  const typed = typedPasswords(form, "current", "password");
  if (typed) return changePasswordPage({ typed });
  try {
    const passwords = { current: fieldOf(form, "current"), password: fieldOf(form, "password") };
    await changePassword(session, passwords, request.headers);
  } catch (error) {
    if (error instanceof Unauthorized) return toSignIn();
    if (error instanceof BadRequest) return changePasswordPage({ problems: error.problems, status: 400 });
    throw error;
  }
  return passwordChangedPage();
}
