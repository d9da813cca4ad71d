import { html } from "hono/html";
import { consentForm, isReturnAddress, notice, readDecision, withParameters } from "../core/consent";
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
  if (call.req.method === "GET") return consentForm(call, page);

  const decision = await readDecision(state.world, "facebook", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  const { redirect_uri: redirectUri = "" } = query;
  const echoed: Record<string, string> = query.state === undefined ? {} : { state: query.state };
  if (decision.decision === "deny") {
    const error = {
      error: "access_denied",
      error_code: "200",
      error_description: "Permissions error",
      error_reason: "user_denied",
    };
    return call.body(null, 302, { location: withParameters(redirectUri, { ...error, ...echoed }) });
  }
  const account = decision.person.name;
  call.get("entry").account = account;
  const declined = decision.form.getAll("without");
  const granted = [
    "public_profile",
    ...scopes.filter((scope) => scope !== "public_profile" && !declined.includes(scope)),
  ];
  const code = state.codes.issue({ account, clientId: CLIENT.id, redirectUri, scopes: granted }, CODE_SECONDS);
  state.declined.put(code, declined);
  return call.body(null, 302, { location: withParameters(redirectUri, { code, ...echoed }, "#_=_") });
}

function refused(call: Call, reason: string) {
  return notice(call, "Facebook", "Sorry, something went wrong", reason, 400);
}
