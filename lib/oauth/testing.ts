import * as page from "@/app/authorize/route";
import { env } from "../env";
import { newOwner, nobody, sessionCookie } from "../testing";
import { createApplication } from ".";

/** The complete authorization code flow in one process: the handlers of the pages and the API app. */
export type TestClient = { clientId: string; clientSecret: string; redirectUri: string };
export type IssuedTokens = {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
};
type Fields = { [name: string]: string | undefined };

export const REDIRECT = "https://app.example.com/callback";

export async function newClient(redirectUri = REDIRECT): Promise<TestClient> {
  return { ...(await createApplication("Test app", [redirectUri])), redirectUri };
}

/** An authorization request as in SPEC. A field that is changed to `undefined` is left out. */
export function queryOf(client: TestClient, change: Fields = {}): string {
  return queryFrom({
    client_id: client.clientId,
    response_type: "code",
    redirect_uri: client.redirectUri,
    scope: "service-api/posts.read service-api/posts.write",
    state: "opaque state/+%",
    audience: env.baseUrl,
    ...change,
  });
}

export function queryFrom(fields: Fields): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return new URLSearchParams(given).toString();
}

export function open(query: string, cookie?: string): Promise<Response> {
  return page.GET(new Request(`${env.authUrl}/authorize?${query}`, cookie ? { headers: { cookie } } : {}));
}

/** The fields of the consent form, without the decision. */
export async function formOn(answer: Response): Promise<{ [name: string]: string }> {
  const markup = await answer.text();
  const fields = [...markup.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const decoded = (text = "") => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
  return Object.fromEntries(fields.map(([, name, value]) => [name, decoded(value)]));
}

export function submit(fields: object, cookie?: string, headers: { [name: string]: string } = {}): Promise<Response> {
  const body = new URLSearchParams({ ...fields });
  const init = { method: "POST", body, headers: { ...headers, ...(cookie ? { cookie } : {}) } };
  return page.POST(new Request(`${env.authUrl}/authorize`, init));
}

/** Opens the consent page as this person and presses a button. */
export async function decide(query: string, owner: string, decision = "allow"): Promise<Response> {
  const cookie = await sessionCookie(owner);
  return submit({ ...(await formOn(await open(query, cookie))), decision }, cookie);
}

/** The parameters with which the browser returns to the application. */
export function broughtBack(answer: Response): URLSearchParams {
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

export async function codeFor(client: TestClient, change: Fields = {}, owner?: string): Promise<string> {
  const answer = await decide(queryOf(client, change), owner ?? (await newOwner()));
  const code = broughtBack(answer).get("code");
  if (!code) throw new Error(`no code came back: ${answer.status} ${answer.headers.get("location")}`);
  return code;
}

/** `POST /oauth/token` as in SPEC. */
export function exchange(client: TestClient, code: string, change: Fields = {}): Promise<Response> {
  return nobody.post("/oauth/token", {
    grant_type: "authorization_code",
    client_id: client.clientId,
    client_secret: client.clientSecret,
    code,
    redirect_uri: client.redirectUri,
    ...change,
  });
}

export async function tokensFor(client: TestClient, change: Fields = {}, owner?: string): Promise<IssuedTokens> {
  const answer = await exchange(client, await codeFor(client, change, owner));
  if (answer.status !== 200) throw new Error(`no tokens: ${await answer.text()}`);
  return answer.json();
}

export function refreshGrant(client: TestClient, token: string, change: Fields = {}): Promise<Response> {
  return nobody.post("/oauth/token", {
    grant_type: "refresh_token",
    client_id: client.clientId,
    client_secret: client.clientSecret,
    refresh_token: token,
    ...change,
  });
}

/** The status of an API request with this token. */
export async function apiSays(token: string): Promise<number> {
  return (await nobody.get("/v1/posts", { authorization: `Bearer ${token}` })).status;
}
