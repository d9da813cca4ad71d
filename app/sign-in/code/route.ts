import { secondStepPage } from "@/components/plain/session/factor-pages";
import { factorWords, waitText } from "@/components/plain/session/factor-words";
import { signInPage } from "@/components/plain/session/pages";
import { sessionWords } from "@/components/plain/session/words";
import { finishSignIn } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { halfSignedIn, listPasskeys, signInWithCode } from "@/lib/users";

/** The second step of signing in, for a browser in which the password was just entered. */
export async function GET(request: Request): Promise<Response> {
  const callbackUrl = ownPath(new URL(request.url).searchParams.get("callbackUrl"));
  return ask(request, callbackUrl);
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const callbackUrl = ownPath(form?.get("callbackUrl"));
  if (!form) return ask(request, callbackUrl, factorWords.unread, 400);
  if (!isOwnForm(request)) return ask(request, callbackUrl, sessionWords.fromElsewhere, 403);
  const result = await signInWithCode(request.headers, fieldOf(form, "code"));
  if (result.kind === "done") return finishSignIn(request, result, callbackUrl);
  if (result.kind === "expired") return signInPage({ callbackUrl, wrong: factorWords.step.expired, status: 401 });
  if (result.kind === "wait") return ask(request, callbackUrl, waitText(result.seconds), 429, result.seconds);
  return ask(request, callbackUrl, factorWords.step.wrong, 401);
}

async function ask(
  request: Request,
  callbackUrl: string,
  wrong?: string,
  status?: number,
  retryAfterSeconds?: number,
): Promise<Response> {
  const user = await halfSignedIn(request.headers);
  if (!user) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl })}`);
  const hasPasskey = (await listPasskeys(user.id)).length > 0;
  return secondStepPage({ callbackUrl, hasPasskey, wrong, status, retryAfterSeconds });
}
