import type { OwnProduct } from "../setup/product";
import { type Answer, type Headers, jsonOf, send, sendForm, sendJson } from "./http";

export const PASSWORD = "a long password";

export type Person = { email: string; headers: Headers };

/** Creates a person and returns the headers with a personal token. */
export async function newPerson(product: OwnProduct, email: string): Promise<Person> {
  await product.carillon("users", "create", "--email", email, "--password", PASSWORD);
  const { access_token } = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  return { email, headers: { authorization: `Bearer ${access_token}` } };
}

/** Connects a sandbox person's account and returns its ID. */
export async function connectAccount(product: OwnProduct, { email }: Person, platform: string, person: string) {
  const args = ["--user", email, "--platform", platform, "--person", person];
  return ((await product.carillon("accounts", "connect-sandbox", ...args)) as { id: number }).id;
}

export type Credentials = { clientId: string; clientSecret: string };

/** Creates a partner and returns the headers with its token. */
export async function newPartner(product: OwnProduct): Promise<Credentials & { headers: Headers }> {
  const credentials = (await product.carillon("partners", "create", "--name", "Trial partner")) as Credentials;
  const { access_token } = jsonOf<{ access_token: string }>(await partnerToken(product, credentials));
  return { ...credentials, headers: { authorization: `Bearer ${access_token}` } };
}

export function partnerToken(product: OwnProduct, { clientId, clientSecret }: Credentials): Promise<Answer> {
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return sendJson(product.url, "POST", "/oauth/token", body);
}

/** Signs in as a browser does and returns the session cookies. */
export async function signIn(product: OwnProduct, email: string, password = PASSWORD): Promise<string> {
  const answer = await sendForm(product.url, "/sign-in", { email, password });
  if (answer.status !== 303) throw new Error(`sign-in returned ${answer.status}`);
  return cookiesOf(answer);
}

export function cookiesOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; ");
}

/** The hidden fields of the form on a page. */
export function hiddenFields(markup: string): Headers {
  const decoded = (text = "") => text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
  const fields = markup.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"\/?>/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, decoded(value)]));
}

export type Application = Credentials & { redirectUri: string };

export async function newApplication(product: OwnProduct): Promise<Application> {
  const redirectUri = "http://127.0.0.1:9/callback";
  const args = ["clients", "create", "--name", "Trial application", "--redirect-uri", redirectUri];
  return { ...((await product.carillon(...args)) as Credentials), redirectUri };
}

/** The address of the consent page for an application. */
export function authorizePath({ clientId, redirectUri }: Application): string {
  const asked = { client_id: clientId, redirect_uri: redirectUri, response_type: "code", scope: "service-api/api" };
  return `/authorize?${new URLSearchParams({ ...asked, state: "as it was" })}`;
}

export type Tokens = { access_token: string; refresh_token: string };

/** Completes the authorization code flow: consent, code and exchange. */
export async function consent(product: OwnProduct, application: Application, cookie: string) {
  const page = await send(product.url, authorizePath(application), { headers: { cookie } });
  const form = { ...hiddenFields(page.text), decision: "allow" };
  const answer = await sendForm(product.url, "/authorize", form, { cookie });
  const code = new URL(answer.headers.location ?? "about:blank").searchParams.get("code");
  if (!code) throw new Error(`no code in the redirect: ${page.status}, ${answer.status} ${answer.text.slice(0, 200)}`);
  return { code, tokens: jsonOf<Tokens>(await exchange(product, application, code)) };
}

export function exchange(product: OwnProduct, application: Application, code: string): Promise<Answer> {
  const { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri } = application;
  const body = { grant_type: "authorization_code", client_id, client_secret, code, redirect_uri };
  return sendJson(product.url, "POST", "/oauth/token", body);
}

export function refresh(product: OwnProduct, application: Application, refresh_token: string): Promise<Answer> {
  const { clientId: client_id, clientSecret: client_secret } = application;
  const body = { grant_type: "refresh_token", client_id, client_secret, refresh_token };
  return sendJson(product.url, "POST", "/oauth/token", body);
}

/** Opens a connect link and presses Allow. Returns the query and cookies of the request to our callback. */
export async function allowedCallback(product: OwnProduct, link: URL, person: string) {
  const opened = await send(product.url, link.pathname + link.search);
  const page = new URL(opened.headers.location ?? "about:blank");
  const fields = { account: person.slice(0, 15), decision: "allow" };
  const allowed = await sendForm(page.origin, page.pathname + page.search, fields);
  const { search } = new URL(allowed.headers.location ?? "about:blank", page);
  return { query: search.slice(1), headers: { cookie: cookiesOf(opened) } };
}
