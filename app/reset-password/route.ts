import { signInPage } from "@/components/plain/session/pages";
import { resetEndedPage, resetPage } from "@/components/plain/session/password-pages";
import { sessionWords } from "@/components/plain/session/words";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import { BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { isResetToken, resetPassword } from "@/lib/users";

/** Shows the form without using up the token, because programs that open links in mails come here too. */
export async function GET(request: Request): Promise<Response> {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return (await isResetToken(token)) ? resetPage({ token }) : resetEndedPage();
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const token = form ? fieldOf(form, "token") : "";
  if (!form || !isOwnForm(request)) return resetEndedPage();
  try {
    if (!(await resetPassword(token, fieldOf(form, "password")))) return resetEndedPage();
  } catch (error) {
    if (error instanceof BadRequest) return resetPage({ token, problems: error.problems, status: 400 });
    throw error;
  }
  return signInPage({ callbackUrl: "/", note: sessionWords.passwordSet });
}
