import { isReturnAddress, notice } from "../core/consent";
import { askConsent, goBack } from "../core/consent-flow";
import type { Call } from "../core/network";
import type { LinkedInState } from "./state";

export const CLIENT = { id: "sandbox-linkedin", secret: "sandbox-linkedin-secret" };
const CODE_SECONDS = 1800;

/** What the two self-serve products allow. */
const SCOPES: Record<string, string> = {
  openid: "know who you are",
  profile: "see your name and photo",
  email: "see your e-mail address",
  w_member_social: "post, comment and react for you",
};

/** `GET` and `POST /oauth/v2/authorization`; source: learn.microsoft.com, authorization code flow. */
export async function authorize(state: LinkedInState, call: Call): Promise<Response> {
  const query = call.req.query();
  const { redirect_uri: redirectUri = "" } = query;
  const scopes = (query.scope ?? "").split(" ").filter(Boolean);
  if (query.client_id !== CLIENT.id)
    return notice(call, "LinkedIn", "Bummer, something went wrong", "Client_id doesn't match.", 400);
  if (!isReturnAddress(redirectUri) || redirectUri.includes("#")) {
    return notice(
      call,
      "LinkedIn",
      "Bummer, something went wrong",
      "Redirect_uri doesn't match the registered value.",
      400,
    );
  }
  const foreign = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (query.response_type !== "code") return goBack(call, error("invalid_request", "The response type must be code"));
  if (foreign !== undefined || scopes.length === 0) {
    return goBack(
      call,
      error("unauthorized_scope_error", `Scope "${foreign ?? ""}" is not authorized for your application`),
    );
  }
  const page = { network: "linkedin", name: "LinkedIn", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  return askConsent(state.world, call, {
    page,
    denied: error("user_cancelled_authorize", "The user cancelled the authorization"),
    allow: (account) => ({
      code: state.codes.issue({ account, clientId: CLIENT.id, redirectUri, scopes }, CODE_SECONDS),
    }),
  });
}

const error = (name: string, description: string) => ({ error: name, error_description: description });
