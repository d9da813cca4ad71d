import { html } from "hono/html";
import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import { fingerprint } from "../core/ids";
import type { Answer, Call } from "../core/network";
import { SCOPES } from "./session";
import type { YouTubeState } from "./state";

export const CLIENT = { id: "sandbox-youtube", secret: "sandbox-youtube-secret" };
const CODE_SECONDS = 600;

/** `GET` and `POST /o/oauth2/v2/auth`; source: developers.google.com/identity/protocols/oauth2/web-server. */
export async function authorize(state: YouTubeState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  const wrong = wrongWith(query, scopes);
  if (wrong) return blocked(call, wrong);
  const asks = scopes.map((scope) => SCOPES[scope] ?? scope);
  const page = { network: "youtube", name: "YouTube", asks, extra: toggles(scopes) };
  return askConsent(state.world, call, {
    page,
    denied: { error: "access_denied" },
    allow(account, form) {
      const refused = form.getAll("without");
      const granted = scopes.filter((scope) => !refused.includes(scope));
      const {
        redirect_uri: redirectUri = "",
        code_challenge: challenge,
        code_challenge_method: challengeMethod,
      } = query;
      const facts = { account, clientId: CLIENT.id, redirectUri, scopes: granted, challenge, challengeMethod };
      const code = `4/${state.codes.issue(facts, CODE_SECONDS)}`;
      state.offline.put(fingerprint(code), isRefreshable(state, account, query));
      state.consents.put(account, true);
      return { code, scope: granted.join(" ") };
    },
  });
}

/** With `access_type=offline`, at the first consent, and later where consent is forced. */
function isRefreshable(state: YouTubeState, account: string, query: Record<string, string>): boolean {
  const isForced = (query.prompt ?? "").split(" ").includes("consent");
  return query.access_type === "offline" && (isForced || !state.consents.get(account));
}

/** What a person may untick. */
function toggles(scopes: string[]) {
  return html`<fieldset><legend>Select what the application can access</legend>
    ${scopes.map((scope) => html`<label class="pick"><input type="checkbox" name="without" value="${scope}"> not: ${SCOPES[scope]}</label>`)}
  </fieldset>`;
}

function wrongWith(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_id !== CLIENT.id) return "invalid_client";
  if (!isReturnAddress(query.redirect_uri ?? "")) return "redirect_uri_mismatch";
  if (query.response_type !== "code") return "unsupported_response_type";
  if (scopes.length === 0 || scopes.some((scope) => !Object.hasOwn(SCOPES, scope))) return "invalid_scope";
  const prompts = (query.prompt ?? "").split(" ").filter(Boolean);
  if (prompts.some((prompt) => !["none", "consent", "select_account"].includes(prompt))) return "invalid_request";
  const method = query.code_challenge_method ?? "S256";
  return query.code_challenge && !["S256", "plain"].includes(method) ? "invalid_request" : undefined;
}

/** Google sends nobody back with an error in the request: it shows this page. */
function blocked(call: Call, code: string): Answer {
  return notice(call, "YouTube", "Access blocked: This app’s request is invalid", `Error 400: ${code}`, 400);
}
