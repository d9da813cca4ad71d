import { handleConsent, isAllowedRedirectUri, messagePage, permissionChoices } from "../core/consent";
import { type Call, hasFault } from "../core/network";
import { parametersOf } from "../meta/graph";
import { errors } from "./errors";
import type { FacebookState } from "./state";

export const CLIENT = { id: "sandbox-facebook", secret: "sandbox-facebook-secret" };
const CODE_SECONDS = 600;
const DAY_SECONDS = 86_400;

const SCOPES: Record<string, string> = {
  public_profile: "see your name and picture",
  pages_show_list: "see which Pages you manage",
  pages_read_engagement: "read what your Pages published",
  pages_manage_posts: "post as your Pages",
  pages_manage_engagement: "comment as your Pages",
  business_management: "see the Pages of your business",
  publish_video: "publish videos",
};

/** What Facebook does if the app is misconfigured. It is not confirmed that it always shows a page. */
function misconfigured({ switches }: FacebookState, call: Call, text: string): Response | Promise<Response> {
  if (!switches.misconfiguredRedirects) return errorPage(call, text);
  const { redirect_uri = "", state = "" } = call.req.query();
  const location = new URL(redirect_uri);
  location.searchParams.set("error_code", "101");
  location.searchParams.set("error_message", text);
  location.searchParams.set("state", state);
  return call.redirect(location.href);
}

/** The permissions of any `config_id`. Facebook Login for Business stores permissions in a configuration. */
const CONFIGURED = ["pages_show_list", "pages_read_engagement", "pages_manage_posts", "business_management"];

/**
 * `GET` and `POST /{version}/dialog/oauth`. Users can decline single permissions, for which the dialog asks again only with
 * `auth_type=rerequest`. Source: Facebook Login, manual flow, "Re-asking for declined permissions".
 */
export async function authorize(state: FacebookState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = query.config_id ? CONFIGURED : (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  if (!isAllowedRedirectUri(query.redirect_uri ?? ""))
    return errorPage(call, "URL Blocked: the redirect URI is not whitelisted.");
  if (query.client_id !== CLIENT.id)
    return misconfigured(state, call, "Invalid App ID: The provided app ID does not look like a valid app ID.");
  if (query.response_type !== undefined && query.response_type !== "code")
    return misconfigured(state, call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (unknown) return misconfigured(state, call, `Invalid Scopes: ${unknown}`);
  const extra = permissionChoices(scopes);
  const page = {
    network: "facebook",
    name: "Facebook",
    permissions: scopes.map((scope) => SCOPES[scope] ?? scope),
    extra,
  };
  return handleConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_code: "200",
      error_description: "Permissions error",
      error_reason: "user_denied",
    },
    allow(account, form) {
      const isAskedAgain = query.auth_type === "rerequest" && state.switches.asksAgain;
      const declined = [...form.getAll("without"), ...(isAskedAgain ? [] : (state.refused.get(account) ?? []))];
      state.refused.put(account, declined);
      const others = scopes.filter((scope) => scope !== "public_profile" && !declined.includes(scope));
      const facts = { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "" };
      const code = state.codes.issue({ ...facts, scopes: ["public_profile", ...others] }, CODE_SECONDS);
      state.declined.put(code, declined);
      return { code };
    },
    fragment: "#_=_",
  });
}

function errorPage(call: Call, reason: string) {
  return messagePage(call, "Facebook", "Sorry, something went wrong", reason, 400);
}

const SHORT_SECONDS = 5400;
const LONG_SECONDS = 5_183_944;

/** `GET` and `POST /{version}/oauth/access_token`: exchanges a code, or a valid token, for a new token. */
export async function issueToken(state: FacebookState, call: Call): Promise<Response> {
  const p = await parametersOf(call);
  if (p.client_id !== CLIENT.id) throw errors.wrongApplication();
  if (p.client_secret !== CLIENT.secret) throw errors.wrongSecret(state.switches.secretCode);
  return p.grant_type === "fb_exchange_token" ? exchange(state, call, p) : redeem(state, call, p);
}

function redeem(state: FacebookState, call: Call, p: Record<string, string>): Response {
  const facts = state.codes.redeem(p.code ?? "");
  const subcode = (written: number) => (state.switches.codesHaveSubcodes ? written : undefined);
  // The declined scopes of a code are kept until it is used, so their presence means that the code has expired.
  if (!facts)
    throw state.declined.get(p.code ?? "") ? errors.expiredCode(subcode(36007)) : errors.usedCode(subcode(36009));
  if (p.redirect_uri !== facts.redirectUri) throw errors.otherAddress(subcode(36008));
  const { account, clientId, scopes } = facts;
  call.get("entry").account = account;
  const token = state.world.transaction(() => {
    const grant = state.grants.create({ account, clientId, scopes });
    state.declined.put(grant.id, state.declined.get(p.code ?? "") ?? []);
    state.declined.delete(p.code ?? "");
    return state.grants.issue(grant, "short", SHORT_SECONDS);
  });
  return call.json({ access_token: token, token_type: "bearer", expires_in: SHORT_SECONDS });
}

function exchange(state: FacebookState, call: Call, p: Record<string, string>): Response {
  const live = state.grants.findToken(p.fb_exchange_token ?? "", "short", "long");
  const grant = live && state.grants.find(live.grant);
  if (!grant) throw errors.invalidToken(463);
  call.get("entry").account = grant.account;
  const death = state.revocations.get(grant.id);
  if (death) throw errors.invalidToken(death);
  const seconds = hasFault(call, "not_extended") ? (call.get("fault")?.afterSeconds ?? DAY_SECONDS) : LONG_SECONDS;
  const token = state.world.transaction(() => state.grants.issue(grant, "long", seconds));
  return call.json({ access_token: token, token_type: "bearer", expires_in: seconds });
}
