import { html } from "hono/html";
import type { Fault } from "./faults";
import { fingerprint } from "./ids";
import type { Answer, Call } from "./network";
import { type Html, PAGE_HEADERS, page } from "./page";
import { avatarPath, DEFAULT_USERS, isUserName, type SandboxUser } from "./users";
import type { World } from "./world";

type Allowed = Extract<Decision, { decision: "allow" }>;
type Parameters = Record<string, string>;

/** What one network shows on its consent page and returns to the application. */
type ConsentFlow = {
  page: ConsentPage;
  denied: Parameters;
  /** Issues the code. Returns the query parameters for the redirect. */
  allow(account: string, form: Allowed["form"]): Parameters;
  /** Fragment appended to the redirect URI after Allow. */
  fragment?: string;
};

/** Shows the consent page of a valid authorization request and handles its answer, returning `state` unchanged. */
export async function handleConsent(world: World, call: Call, flow: ConsentFlow): Promise<Response> {
  const { page, denied, allow, fragment } = flow;
  const shown = { ...page, extra: html`${page.extra ?? ""}${outcomeField()}` };
  if (call.req.method === "GET") return consentForm(call, shown);
  const decision = await readDecision(world, page.network, call);
  if (typeof decision === "string") return consentForm(call, { ...shown, problem: decision });
  if (decision.decision === "deny") return redirectBack(call, denied);
  const account = decision.person.name;
  call.get("entry").account = account;
  const parameters = allow(account, decision.form);
  addOutcomeFault(world, page.network, decision.form, parameters.code);
  return redirectBack(call, parameters, fragment);
}

/** Redirects the browser to the application with `state`. */
export function redirectBack(call: Call, parameters: Parameters, fragment?: string): Response {
  const { redirect_uri: redirectUri = "", state } = call.req.query();
  const echoed: Parameters = state === undefined ? {} : { state };
  return call.body(null, 302, { location: addQuery(redirectUri, { ...parameters, ...echoed }, fragment) });
}

type ConsentPage = {
  network: string;
  name: string;
  /** What the application asks for, one line each. */
  permissions: string[];
  /** Additional form fields of the network. They are below the buttons, which are then in view in a small window. */
  extra?: Html;
  problem?: string;
};

/** The consent form. It posts to its own URL. */
export function consentForm(call: Call, consent: ConsentPage): Answer {
  const { pathname, search } = new URL(call.req.url);
  const body = html`
<h1>Sandbox ${consent.name}</h1>
<p class="soft">This is not ${consent.name}. It is a simulation that runs on this computer, for testing.</p>
<form class="card" method="post" action="${pathname + search}">
  ${consent.problem ? html`<p role="alert"><strong>${consent.problem}</strong></p>` : ""}
  <p>An application asks to:</p>
  <ul class="asks">${consent.permissions.map((ask) => html`<li>${ask}</li>`)}</ul>
  <fieldset><legend>Continue as</legend>
    ${DEFAULT_USERS.map(
      (
        name,
        index,
      ) => html`<label class="pick"><input type="radio" name="account" value="${name}" ${index === 0 ? "checked" : ""}>
        <img src="${avatarPath(consent.network, name)}" alt="" width="30" height="30">${name}</label>`,
    )}
    <label for="other" class="soft">or another name (a–z, 0–9 and _, at most 15 characters)</label>
    <input type="text" id="other" name="account" maxlength="15" pattern="[a-z0-9_]*" autocomplete="off" autocapitalize="none" spellcheck="false">
  </fieldset>
  <div class="buttons"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
  ${consent.extra ?? ""}
</form>`;
  return call.html(
    page(`Sandbox ${consent.name}: allow access?`, body, "narrow"),
    consent.problem ? 400 : 200,
    PAGE_HEADERS,
  );
}

/** A page with a title and one message, such as an error. */
export function messagePage(call: Call, name: string, title: string, text: string, status: 200 | 400 = 200): Answer {
  const body = html`<h1>Sandbox ${name}</h1><div class="card"><h2>${title}</h2><p>${text}</p></div>`;
  return call.html(page(`Sandbox ${name}: ${title}`, body, "narrow"), status, PAGE_HEADERS);
}

type Decision = { decision: "deny" } | { decision: "allow"; person: SandboxUser; form: URLSearchParams };

/** Reads the posted form. Returns a message if it is invalid. A filled text field takes precedence over the radio buttons. */
export async function readDecision(world: World, network: string, call: Call): Promise<Decision | string> {
  const form = new URLSearchParams(await formText(call));
  const decision = form.get("decision");
  if (decision === "deny") return { decision };
  if (decision !== "allow") return "Choose Allow or Deny.";
  const name = form
    .getAll("account")
    .map((value) => value.trim())
    .findLast((value) => value !== "");
  if (!name || !isUserName(name)) return "Enter a valid name: a–z, 0–9 and _, at most 15 characters.";
  return { decision, person: world.users.findOrCreate(network, name), form };
}

/** The body as URL-encoded form text. Multipart bodies are converted. */
export async function formText(call: Call): Promise<string> {
  if (!call.req.header("content-type")?.startsWith("multipart/form-data")) return call.req.text();
  const form = await call.req.formData();
  const pairs = [...form].flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []));
  return new URLSearchParams(pairs).toString();
}

/** Lets the user decline single permissions, each with a checkbox named `without`. */
export function permissionChoices(scopes: string[]): Html {
  return html`<fieldset><legend>Decline</legend>${scopes.map((scope) => html`<label class="pick"><input type="checkbox" name="without" value="${scope}">${scope}</label>`)}</fieldset>`;
}

export function grantedScopes(scopes: string[], form: URLSearchParams): string[] {
  const declined = form.getAll("without");
  return scopes.filter((scope) => !declined.includes(scope));
}

/** Accepts `https` redirect URIs, and `http` on this computer. */
export function isAllowedRedirectUri(value: string): boolean {
  const url = parseUrl(value);
  if (!url) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]", "::1"].includes(hostname);
}

/** Appends query parameters to a URL and leaves the rest of it byte for byte. */
export function addQuery(address: string, parameters: Record<string, string>, fragment = ""): string {
  const query = new URLSearchParams(parameters).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}${fragment}`;
}

/**
 * Failures that can be chosen on the consent page, so that an application can test how it handles them.
 * A chosen outcome is a fault that applies once, tied to the authorization code of this consent.
 */
const OUTCOMES: Record<string, { label: string } & Pick<Fault, "operation" | "fault" | "afterSeconds">> = {
  slow: { label: "the token endpoint answers after five seconds", operation: "token", fault: "slow", afterSeconds: 5 },
  invalid_grant: { label: "the token endpoint rejects the code", operation: "token", fault: "invalid_grant" },
  token_error: { label: "the token endpoint answers with an error", operation: "token", fault: "http_500" },
  token_html: { label: "the token endpoint answers with a web page", operation: "token", fault: "http_502_html" },
  no_answer: { label: "the token endpoint's answer is lost", operation: "token", fault: "drop_response" },
  rate_limit: { label: "the token endpoint's rate limit is reached", operation: "token", fault: "rate_limit" },
  redirect: { label: "the token endpoint redirects elsewhere", operation: "token", fault: "redirect_elsewhere" },
  no_refresh_token: { label: "no refresh token is issued", operation: "token", fault: "no_refresh_token" },
  profile_error: { label: "reading the profile fails", operation: "profile", fault: "http_500" },
};

/** The consent form's select field for an outcome. */
function outcomeField(): Html {
  const options = Object.entries(OUTCOMES).map(([id, { label }]) => html`<option value="${id}">${label}</option>`);
  return html`<label for="outcome" class="soft">To try out a failure: after Allow,</label>
    <select id="outcome" name="outcome"><option value="">everything works</option>${options}</select>`;
}

/** Adds the fault of the chosen outcome, if any, for this code. */
function addOutcomeFault(world: World, network: string, form: URLSearchParams, code: string | undefined): void {
  const outcome = form.get("outcome") ?? "";
  if (!code || !Object.hasOwn(OUTCOMES, outcome)) return;
  const { operation, fault, afterSeconds } = OUTCOMES[outcome] as (typeof OUTCOMES)[string];
  world.faults.add({ network, operation, fault, afterSeconds, times: 1, every: 1, code: fingerprint(code) });
}

/** Never use `URL.canParse` instead: after some thousand calls, Node 20 answers false for a host with a letter such as ü. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
