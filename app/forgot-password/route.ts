import { z } from "zod";
import { forgotPage, linkSentPage } from "@/components/session/password-pages";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import * as words from "@/components/words/session";
import { readForm } from "@/lib/http/form";
import { forgotPassword } from "@/lib/users";

export function GET(): Response {
  return forgotPage();
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return forgotPage({ wrong: words.unread, status: 400 });
  const email = fieldOf(form, "email").trim();
  if (!isOwnForm(request)) return forgotPage({ email, wrong: words.fromElsewhere, status: 403 });
  if (!z.email().max(254).safeParse(email).success) {
    return forgotPage({ email, wrong: words.noAddress, status: 400 });
  }
  await forgotPassword(email);
  return linkSentPage(email);
}
