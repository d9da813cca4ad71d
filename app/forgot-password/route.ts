import { z } from "zod";
import { forgotPage, linkSentPage } from "@/components/session/password-pages";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { forgotPassword } from "@/lib/users";

export function GET(): Response {
  return forgotPage();
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return forgotPage({ wrong: "This form could not be read. Try again here.", status: 400 });
  const email = fieldOf(form, "email").trim();
  if (!isOwnForm(request)) return forgotPage({ email, wrong: "This form came from another site.", status: 403 });
  if (!z.email().max(254).safeParse(email).success) {
    return forgotPage({ email, wrong: "E-mail must be an e-mail address", status: 400 });
  }
  await forgotPassword(email);
  return linkSentPage(email);
}
