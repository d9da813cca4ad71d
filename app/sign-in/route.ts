import { waitText } from "@/components/plain/session/factor-words";
import { pathWith, signInPage, typedPasswords } from "@/components/plain/session/pages";
import { sessionWords } from "@/components/plain/session/words";
import { isOwnElsewhere, wrongAddress } from "@/components/plain/session/wrong-address";
import { finishSignIn } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";
import { sessionUser, signInWithPassword } from "@/lib/users";

export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const callbackUrl = ownPath(searchParams.get("callbackUrl"));
  if (await sessionUser(request.headers)) return goTo(callbackUrl);
  const error = searchParams.get("error");
  return signInPage({
    callbackUrl,
    wrong: error === null ? undefined : (answers.get(error) ?? sessionWords.wrong),
    address: wrongAddress(request, callbackUrl),
  });
}

/** The texts for the error codes of next-auth's own callback when the password is right but not enough (lib/users/auth-options.ts). */
const answers = new Map<string, string>([
  ["secondStep", sessionWords.needsSecondStep],
  ["wait", sessionWords.mustWait],
]);

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
  const typed = typedPasswords(form, "password");
  if (typed) return signInPage({ email, callbackUrl, typed, address });
  const result = await signInWithPassword(request.headers, email, fieldOf(form, "password"));
  if (result.kind === "done") return finishSignIn(request, result, callbackUrl);
  if (result.kind === "secondStep") return goTo(pathWith("/sign-in/code", callbackUrl), result.cookies);
  if (result.kind === "wait") {
    const retryAfterSeconds = result.seconds;
    return signInPage({
      email,
      callbackUrl,
      wrong: waitText(retryAfterSeconds),
      address,
      status: 429,
      retryAfterSeconds,
    });
  }
  return signInPage({ email, callbackUrl, wrong: sessionWords.wrong, address, status: 401 });
}
