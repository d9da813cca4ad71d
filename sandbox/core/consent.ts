import { html } from "hono/html";
import type { Call } from "./network";
import { type Html, PAGE_HEADERS, page } from "./page";
import { avatarPath, DEFAULT_USERS, isUserName, type SandboxUser } from "./users";
import type { World } from "./world";

type Allowed = Extract<Decision, { decision: "allow" }>;
type Parameters = Record<string, string>;

/** How a network asks its people, and what it sends an application back with. */
type ConsentFlow = {
  page: ConsentPage;
  denied: Parameters;
  /** Gives the code, and whatever stands beside it. */
  allow(account: string, form: Allowed["form"]): Parameters;
  /** What ends the address after a yes. */
  fragment?: string;
};

/** The consent page of an authorization request that is well-formed, and the way back with `state` as it came. */
export async function handleConsent(world: World, call: Call, flow: ConsentFlow): Promise<Response> {
  const { page, denied, allow, fragment } = flow;
  if (call.req.method === "GET") return consentForm(call, page);
  const decision = await readDecision(world, page.network, call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  if (decision.decision === "deny") return redirectBack(call, denied);
  const account = decision.person.name;
  call.get("entry").account = account;
  return redirectBack(call, allow(account, decision.form), fragment);
}

/** Sends the browser back to the application. */
export function redirectBack(call: Call, parameters: Parameters, fragment?: string): Response {
  const { redirect_uri: redirectUri = "", state } = call.req.query();
  const echoed: Parameters = state === undefined ? {} : { state };
  return call.body(null, 302, { location: addQuery(redirectUri, { ...parameters, ...echoed }, fragment) });
}

type ConsentPage = {
  network: string;
  name: string;
  /** Who asks and for what, as lines of a list. */
  permissions: string[];
  /** Further fields of the form. */
  extra?: Html;
  problem?: string;
};

/** The form on which a sandbox person says yes or no. It posts back to its own address. */
export function consentForm(call: Call, consent: ConsentPage): Answerable {
  const { pathname, search } = new URL(call.req.url);
  const body = html`
<h1>Sandbox ${consent.name}</h1>
<p class="soft">This is not ${consent.name}. It is a simulation on this computer, for trying things out.</p>
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
    <label for="other" class="soft">or anybody else (a–z, 0–9, _; at most 15)</label>
    <input type="text" id="other" name="account" maxlength="15" pattern="[a-z0-9_]*" autocomplete="off" autocapitalize="none" spellcheck="false">
  </fieldset>
  ${consent.extra ?? ""}
  <div class="buttons"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form>`;
  return call.html(
    page(`Sandbox ${consent.name}: allow access?`, body, "narrow"),
    consent.problem ? 400 : 200,
    PAGE_HEADERS,
  );
}

type Answerable = Response | Promise<Response>;

/** A page that says one thing. */
export function messagePage(call: Call, name: string, title: string, text: string, status: 200 | 400 = 200): Answerable {
  const body = html`<h1>Sandbox ${name}</h1><div class="card"><h2>${title}</h2><p>${text}</p></div>`;
  return call.html(page(`Sandbox ${name}: ${title}`, body, "narrow"), status, PAGE_HEADERS);
}

type Decision = { decision: "deny" } | { decision: "allow"; person: SandboxUser; form: URLSearchParams };

/** The posted form, or the sentence that is wrong with it. The text field, when filled in, wins over the radio buttons. */
export async function readDecision(world: World, network: string, call: Call): Promise<Decision | string> {
  const form = new URLSearchParams(await formText(call));
  const decision = form.get("decision");
  if (decision === "deny") return { decision };
  if (decision !== "allow") return "Choose Allow or Deny.";
  const name = form
    .getAll("account")
    .map((value) => value.trim())
    .findLast((value) => value !== "");
  if (!name || !isUserName(name)) return "Choose who you are: a–z, 0–9 and _, at most 15 characters.";
  return { decision, person: world.users.findOrCreate(network, name), form };
}

/** The body as form text; multipart is turned into it. */
async function formText(call: Call): Promise<string> {
  if (!call.req.header("content-type")?.startsWith("multipart/form-data")) return call.req.text();
  const form = await call.req.formData();
  const pairs = [...form].flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []));
  return new URLSearchParams(pairs).toString();
}

/** Where a sandbox network sends people back to: `https`, or `http` on this computer, as DECISIONS says. */
export function isAllowedRedirectUri(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]", "::1"].includes(hostname);
}

/** The address with parameters added behind whatever it has, byte for byte otherwise. */
export function addQuery(address: string, parameters: Record<string, string>, fragment = ""): string {
  const query = new URLSearchParams(parameters).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}${fragment}`;
}
