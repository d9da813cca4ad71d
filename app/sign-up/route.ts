import { waitTime } from "@/components/plain/session/factor-words";
import { pathWith, signUpPage, typedPasswords } from "@/components/plain/session/pages";
import { sessionWords } from "@/components/plain/session/words";
import { isOwnElsewhere, wrongAddress } from "@/components/plain/session/wrong-address";
import { finishSignIn } from "@/components/session/next-auth";
import { fieldOf, goTo, isOwnForm, ownPath } from "@/components/session/requests";
import { BadRequest } from "@/lib/errors";
import { readForm } from "@/lib/http/form";
import { sessionUser, signUp } from "@/lib/users";

export async function GET(request: Request): Promise<Response> {
  const callbackUrl = ownPath(new URL(request.url).searchParams.get("callbackUrl"));
  if (await sessionUser(request.headers)) return goTo(callbackUrl);
  return signUpPage({ callbackUrl, address: wrongAddress(request, callbackUrl) });
}

export async function POST(request: Request): Promise<Response> {
  const form = await readForm(request);
  if (!form) return signUpPage({ callbackUrl: "/", problems: [sessionWords.unread], status: 400 });
  const name = fieldOf(form, "name").trim();
  const email = fieldOf(form, "email").trim();
  const password = fieldOf(form, "password");
  const callbackUrl = ownPath(fieldOf(form, "callbackUrl"));
  const address = wrongAddress(request, callbackUrl);
  const again = (status: number, ...problems: string[]) =>
    signUpPage({ name, email, callbackUrl, problems, address, status });

  if (!isOwnForm(request) && isOwnElsewhere(request)) return again(403);
  if (!isOwnForm(request)) return again(403, sessionWords.createHere);
  const typed = typedPasswords(form, "password");
  if (typed) return signUpPage({ name, email, callbackUrl, typed, address });
  try {
    const result = await signUp(request.headers, { email, password, name: name || undefined });
    if (result.kind === "done") return finishSignIn(request, result, callbackUrl);
    if (result.kind === "secondStep") return goTo(pathWith("/sign-in/code", callbackUrl), result.cookies);
    if (result.kind !== "wait") throw new Error(`sign-up ended as ${result.kind}`);
    const problems = [sessionWords.tooManySignUps(waitTime(result.seconds))];
    return signUpPage({ name, email, callbackUrl, problems, address, status: 429, retryAfterSeconds: result.seconds });
  } catch (error) {
    if (error instanceof BadRequest) return again(400, ...error.problems);
    throw error;
  }
}
