import { consentForm, isReturnAddress, notice, readDecision, withParameters } from "../core/consent";
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
  const { redirect_uri: redirectUri = "", state: echoed } = query;
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
  const back = (parameters: Record<string, string>) => {
    const all: Record<string, string> = echoed === undefined ? parameters : { ...parameters, state: echoed };
    return call.body(null, 302, { location: withParameters(redirectUri, all) });
  };
  const foreign = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (query.response_type !== "code") return back(error("invalid_request", "The response type must be code"));
  if (foreign !== undefined || scopes.length === 0) {
    return back(error("unauthorized_scope_error", `Scope "${foreign ?? ""}" is not authorized for your application`));
  }
  const page = { network: "linkedin", name: "LinkedIn", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  if (call.req.method === "GET") return consentForm(call, page);

  const decision = await readDecision(state.world, "linkedin", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  if (decision.decision === "deny") {
    return back(error("user_cancelled_authorize", "The user cancelled the authorization"));
  }
  const account = decision.person.name;
  call.get("entry").account = account;
  return back({ code: state.codes.issue({ account, clientId: CLIENT.id, redirectUri, scopes }, CODE_SECONDS) });
}

const error = (name: string, description: string) => ({ error: name, error_description: description });
