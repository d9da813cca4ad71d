import { z } from "zod";
import { waitTime } from "@/components/plain/session/factor-words";
import { forgotPage, linkSentPage } from "@/components/plain/session/password-pages";
import { sessionWords } from "@/components/plain/session/words";
import { fieldOf, isOwnForm } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { requestPasswordReset } from "@/lib/users";

export function GET(): Response {
  return forgotPage();
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return forgotPage({ wrong: sessionWords.unread, status: 400 });
  const email = fieldOf(form, "email").trim();
  if (!isOwnForm(request)) return forgotPage({ email, wrong: sessionWords.fromElsewhere, status: 403 });
  if (!z.email().max(254).safeParse(email).success) {
    return forgotPage({ email, wrong: sessionWords.noAddress, status: 400 });
  }
  const retryAfterSeconds = await requestPasswordReset(request.headers, email);
  if (retryAfterSeconds !== undefined) {
    const wrong = sessionWords.tooManyLinks(waitTime(retryAfterSeconds));
    return forgotPage({ email, wrong, status: 429, retryAfterSeconds });
  }
  return linkSentPage(email);
}
