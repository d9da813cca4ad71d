import { signInPage } from "@/components/plain/session/pages";
import { sessionWords } from "@/components/plain/session/words";
import { isOwnElsewhere, wrongAddress } from "@/components/plain/session/wrong-address";
import { startSession } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { sessionUser } from "@/lib/users";

export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const callbackUrl = ownPath(searchParams.get("callbackUrl"));
  if (await sessionUser(request.headers)) return goTo(callbackUrl);
  return signInPage({
    callbackUrl,
    wrong: searchParams.has("error") ? sessionWords.wrong : undefined,
    address: wrongAddress(request, callbackUrl),
  });
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return signInPage({ callbackUrl: "/", wrong: sessionWords.unread, status: 400 });
  const email = fieldOf(form, "email").trim();
  const callbackUrl = ownPath(fieldOf(form, "callbackUrl"));
  const address = wrongAddress(request, callbackUrl);
  if (!isOwnForm(request)) {
    const wrong = isOwnElsewhere(request) ? undefined : sessionWords.signInHere;
    return signInPage({ email, callbackUrl, wrong, address, status: 403 });
  }
  const cookies = await startSession(email, fieldOf(form, "password"));
  return cookies
    ? goTo(callbackUrl, cookies)
    : signInPage({ email, callbackUrl, wrong: sessionWords.wrong, address, status: 401 });
}
