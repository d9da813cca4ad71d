import { z } from "zod";
import { callNextAuth, type NextAuthAnswer } from "./next-auth-call";

type Cookies = { [name: string]: string };

const CsrfAnswer = z.object({ csrfToken: z.string() });

/** The session's cookies for a right e-mail and password, undefined for a wrong one. */
export async function startSession(email: string, password: string): Promise<string[] | undefined> {
  const answer = await post(["callback", "credentials"], {}, { email, password });
  return answer.cookies.some((cookie) => cookie.includes("session-token")) ? answer.cookies : undefined;
}

/** The cookies that end the session which `cookies` hold. */
export async function endSession(cookies: Cookies): Promise<string[]> {
  return (await post(["signout"], cookies, {})).cookies;
}

/** A POST to next-auth with its own CSRF token and the cookie that belongs to it. */
async function post(action: string[], cookies: Cookies, fields: Cookies): Promise<NextAuthAnswer> {
  const fresh = await callNextAuth({ action: ["csrf"], cookies: {} });
  const { csrfToken } = CsrfAnswer.parse(fresh.body);
  const csrfCookies = Object.fromEntries(fresh.cookies.map(nameAndValue));
  const body = { ...fields, csrfToken, json: "true" };
  const answer = await callNextAuth({ action, cookies: { ...cookies, ...csrfCookies }, body });
  return { ...answer, cookies: [...fresh.cookies, ...answer.cookies] };
}

function nameAndValue(setCookie: string): [string, string] {
  const [pair = ""] = setCookie.split(";");
  const equals = pair.indexOf("=");
  return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))];
}
