import { confirmEndedPage, confirmedPage, confirmPage } from "@/components/plain/session/mail-pages";
import { fieldOf } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { confirmEmail } from "@/lib/users";

export function GET(request: Request): Response {
  return confirmPage(new URL(request.url).searchParams.get("token") ?? "");
}

/** Whoever sends the token has read the mail; nobody has to be signed in, and no session begins. */
export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const email = form && (await confirmEmail(fieldOf(form, "token")));
  return email ? confirmedPage(email) : confirmEndedPage();
}
