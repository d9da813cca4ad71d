import { html } from "hono/html";
import { avatarPath } from "./avatars";
import type { Call } from "./network";
import { type Html, PAGE_HEADERS, page } from "./page";
import { EVERYONE, isPersonName, type Person } from "./people";
import type { World } from "./world";

export type ConsentPage = {
  network: string;
  name: string;
  /** Who asks and for what, as lines of a list. */
  asks: string[];
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
  <ul class="asks">${consent.asks.map((ask) => html`<li>${ask}</li>`)}</ul>
  <fieldset><legend>Continue as</legend>
    ${EVERYONE.map(
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
export function notice(call: Call, name: string, title: string, text: string, status: 200 | 400 = 200): Answerable {
  const body = html`<h1>Sandbox ${name}</h1><div class="card"><h2>${title}</h2><p>${text}</p></div>`;
  return call.html(page(`Sandbox ${name}: ${title}`, body, "narrow"), status, PAGE_HEADERS);
}

export type Decision = { decision: "deny" } | { decision: "allow"; person: Person; form: URLSearchParams };

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
  if (!name || !isPersonName(name)) return "Choose who you are: a–z, 0–9 and _, at most 15 characters.";
  return { decision, person: world.people.meet(network, name), form };
}

/** The body as form text; multipart is turned into it. */
async function formText(call: Call): Promise<string> {
  if (!call.req.header("content-type")?.startsWith("multipart/form-data")) return call.req.text();
  const form = await call.req.formData();
  const pairs = [...form].flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []));
  return new URLSearchParams(pairs).toString();
}

/** Where a sandbox network sends people back to: `https`, or `http` on this computer, as DECISIONS says. */
export function isReturnAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]", "::1"].includes(hostname);
}

/** The address with parameters added behind whatever it has, byte for byte otherwise. */
export function withParameters(address: string, parameters: Record<string, string>, fragment = ""): string {
  const query = new URLSearchParams(parameters).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${query}${fragment}`;
}
