import { html } from "hono/html";
import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import type { Call } from "../core/network";
import type { FacebookState } from "./state";

export const CLIENT = { id: "sandbox-facebook", secret: "sandbox-facebook-secret" };
const CODE_SECONDS = 600;

const SCOPES: Record<string, string> = {
  public_profile: "see your name and picture",
  pages_show_list: "see which Pages you manage",
  pages_read_engagement: "read what your Pages published",
  pages_manage_posts: "post as your Pages",
  pages_manage_engagement: "comment as your Pages",
  business_management: "see the Pages of your business",
  publish_video: "publish videos",
};

/** What any `config_id` stands for here: Facebook Login for Business keeps permissions in a configuration. */
const CONFIGURED = ["pages_show_list", "pages_read_engagement", "pages_manage_posts", "business_management"];

/** `GET` and `POST /{version}/dialog/oauth`; source: Facebook Login, manual flow. Single permissions can be declined. */
export async function authorize(state: FacebookState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = query.config_id ? CONFIGURED : (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  // Facebook sends nobody back from here.
  if (query.client_id !== CLIENT.id)
    return refused(call, "Invalid App ID: The provided app ID does not look like a valid app ID.");
  if (!isReturnAddress(query.redirect_uri ?? ""))
    return refused(call, "URL Blocked: the redirect URI is not whitelisted.");
  if (query.response_type !== undefined && query.response_type !== "code")
    return refused(call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (unknown) return refused(call, `Invalid Scopes: ${unknown}`);
  const extra = html`<fieldset><legend>Leave out</legend>${scopes.map((scope) => html`<label class="pick"><input type="checkbox" name="without" value="${scope}">${scope}</label>`)}</fieldset>`;
  const page = { network: "facebook", name: "Facebook", asks: scopes.map((scope) => SCOPES[scope] ?? scope), extra };
  return askConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_code: "200",
      error_description: "Permissions error",
      error_reason: "user_denied",
    },
    allow(account, form) {
      const declined = form.getAll("without");
      const others = scopes.filter((scope) => scope !== "public_profile" && !declined.includes(scope));
      const facts = { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "" };
      const code = state.codes.issue({ ...facts, scopes: ["public_profile", ...others] }, CODE_SECONDS);
      state.declined.put(code, declined);
      return { code };
    },
    fragment: "#_=_",
  });
}

function refused(call: Call, reason: string) {
  return notice(call, "Facebook", "Sorry, something went wrong", reason, 400);
}
