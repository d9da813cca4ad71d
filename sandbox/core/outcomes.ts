import { html } from "hono/html";
import type { Fault } from "./faults";
import { fingerprint } from "./ids";
import type { Html } from "./page";
import type { World } from "./world";

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
export function outcomeField(): Html {
  const options = Object.entries(OUTCOMES).map(([id, { label }]) => html`<option value="${id}">${label}</option>`);
  return html`<label for="outcome" class="soft">To try out a failure: after Allow,</label>
    <select id="outcome" name="outcome"><option value="">everything works</option>${options}</select>`;
}

/** Adds the fault of the chosen outcome, if any, for this code. */
export function addOutcomeFault(world: World, network: string, form: URLSearchParams, code: string | undefined): void {
  const outcome = form.get("outcome") ?? "";
  if (!code || !Object.hasOwn(OUTCOMES, outcome)) return;
  const { operation, fault, afterSeconds } = OUTCOMES[outcome] as (typeof OUTCOMES)[string];
  world.faults.add({ network, operation, fault, afterSeconds, times: 1, every: 1, code: fingerprint(code) });
}
