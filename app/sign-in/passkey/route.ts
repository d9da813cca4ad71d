import { notFoundPage } from "@/components/plain/console";
import { passkeyPage } from "@/components/plain/session/factor-pages";
import { factorWords } from "@/components/plain/session/factor-words";
import { signInPage } from "@/components/plain/session/pages";
import { sessionWords } from "@/components/plain/session/words";
import { finishSignIn } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { askForPasskey, halfSignedIn, hasPasskeys, signInWithPasskey } from "@/lib/users";

/** Signs in with a passkey: by itself, or with `step=second` after the password. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  return ask(request, ownPath(searchParams.get("callbackUrl")), searchParams.get("step") === "second");
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  const callbackUrl = ownPath(form?.get("callbackUrl"));
  const isSecondStep = form?.get("step") === "second";
  if (!form) return ask(request, callbackUrl, isSecondStep, factorWords.unread, 400);
  if (!isOwnForm(request)) return ask(request, callbackUrl, isSecondStep, sessionWords.fromElsewhere, 403);
  const answer = { ticket: fieldOf(form, "ticket"), credential: fieldOf(form, "credential") };
  const result = await signInWithPasskey(request.headers, answer, isSecondStep);
  if (result.kind === "done") return finishSignIn(request, result, callbackUrl);
  if (result.kind === "expired") return signInPage({ callbackUrl, wrong: factorWords.step.expired, status: 401 });
  const { needsPassword, wrong } = factorWords.passkey;
  if (result.kind === "needsPassword") return signInPage({ callbackUrl, wrong: needsPassword, status: 401 });
  return ask(request, callbackUrl, isSecondStep, wrong, 401);
}

async function ask(
  request: Request,
  callbackUrl: string,
  isSecondStep: boolean,
  wrong?: string,
  status?: number,
): Promise<Response> {
  if (!hasPasskeys) return notFoundPage();
  const half = isSecondStep ? await halfSignedIn(request.headers) : undefined;
  if (isSecondStep && !half) return goTo(`/sign-in?${new URLSearchParams({ callbackUrl })}`);
  const setup = await askForPasskey(half?.id);
  return passkeyPage({ setup, callbackUrl, isSecondStep, wrong, status });
}
