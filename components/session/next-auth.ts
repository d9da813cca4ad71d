import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { z } from "zod";
import { CLIENT_ADDRESS } from "@/lib/http/page-request";
import { authOptions, refreshAuthentication, type SignInResult, sessionOf } from "@/lib/users";
import { goTo } from "./requests";

type NextAuthAnswer = { status: number; body: unknown; cookies: string[] };

type Call = {
  action: string[];
  cookies: { [name: string]: string };
  /** Present for a POST. */
  body?: { [name: string]: string };
  /** The request that leads to this call. The new session keeps where it came from. */
  from?: Request;
};

/**
 * Calls next-auth in this process, like a request to /api/auth/…. Its route handler reads the cookies of the current request,
 * which do not have the CSRF cookie yet, so its API form is used, which accepts cookies as arguments.
 */
export async function callNextAuth({ action, cookies, body, from }: Call): Promise<NextAuthAnswer> {
  const reply = new Reply();
  const request = {
    method: body ? "POST" : "GET",
    query: { nextauth: action },
    headers: sourceOf(from),
    cookies,
    body,
  };
  await NextAuth(asApiRequest(request), asApiResponse(reply), authOptions);
  return { status: reply.statusCode, body: reply.body, cookies: reply.cookies() };
}

/** Only these headers: next-auth would derive addresses from some of the others. */
function sourceOf(from: Request | undefined): { [name: string]: string } {
  const source = ["user-agent", CLIENT_ADDRESS].map((name): [string, string] => [name, from?.headers.get(name) ?? ""]);
  return Object.fromEntries(source.filter(([, value]) => value !== ""));
}

/** The part of Node's response that next-auth uses. */
class Reply {
  statusCode = 200;
  body: unknown;
  private readonly headers = new Map<string, string | string[]>();

  status(code: number) {
    this.statusCode = code;
    return this;
  }
  getHeader(name: string) {
    return this.headers.get(name.toLowerCase());
  }
  setHeader(name: string, value: string | string[]) {
    this.headers.set(name.toLowerCase(), value);
    return this;
  }
  json(body: unknown) {
    this.body = body;
  }
  send(body: unknown) {
    this.body = body;
  }
  end() {}
  cookies(): string[] {
    return [this.headers.get("set-cookie") ?? []].flat();
  }
}

// next-auth uses only the members above, and Node's own classes cannot be constructed without a real request.
function asApiRequest(request: object): NextApiRequest {
  return request as NextApiRequest;
}
function asApiResponse(reply: Reply): NextApiResponse {
  return reply as unknown as NextApiResponse;
}

type Cookies = { [name: string]: string };

const CsrfAnswer = z.object({ csrfToken: z.string() });

/** The session cookies, or undefined if the ticket of the sign-in was used or has expired. */
export async function startSession(from: Request, ticket: string): Promise<string[] | undefined> {
  const answer = await post({ action: ["callback", "credentials"], cookies: {}, body: { ticket }, from });
  return answer.cookies.some((cookie) => cookie.includes("session-token")) ? answer.cookies : undefined;
}

/** Ends the session in `cookies`. Returns the cookies that remove it from the browser. */
export async function endSession(cookies: Cookies): Promise<string[]> {
  return (await post({ action: ["signout"], cookies, body: {} })).cookies;
}

/** A POST to next-auth with a fresh CSRF token and its cookie. */
async function post({ action, cookies, body: fields, from }: Call): Promise<NextAuthAnswer> {
  const fresh = await callNextAuth({ action: ["csrf"], cookies: {} });
  const { csrfToken } = CsrfAnswer.parse(fresh.body);
  const csrfCookies = Object.fromEntries(fresh.cookies.map(nameAndValue));
  const body = { ...fields, csrfToken, json: "true" };
  const answer = await callNextAuth({ action, cookies: { ...cookies, ...csrfCookies }, body, from });
  return { ...answer, cookies: [...fresh.cookies, ...answer.cookies] };
}

function nameAndValue(setCookie: string): [string, string] {
  const [pair = ""] = setCookie.split(";");
  const equals = pair.indexOf("=");
  return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))];
}

type Done = Extract<SignInResult, { kind: "done" }>;

/** Starts the session of a finished sign-in. A person who is signed in already keeps the session, which counts as fresh now. */
export async function finishSignIn(request: Request, done: Done, callbackUrl: string): Promise<Response> {
  const session = await sessionOf(request.headers);
  if (session?.user.id === done.userId) {
    await refreshAuthentication(session.id);
    return goTo(callbackUrl, done.cookies);
  }
  const cookies = await startSession(request, done.ticket);
  return goTo(cookies ? callbackUrl : "/sign-in", [...(cookies ?? []), ...done.cookies]);
}
