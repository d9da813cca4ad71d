import { consentForm, isReturnAddress, notice, readDecision, withParameters } from "../core/consent";
import type { Call } from "../core/network";
import type { InstagramState } from "./state";

export const CLIENT = { id: "sandbox-instagram", secret: "sandbox-instagram-secret" };
const CODE_SECONDS = 3600;

const SCOPES: Record<string, string> = {
  instagram_business_basic: "see your profile and media",
  instagram_business_content_publish: "post for you",
  instagram_business_manage_comments: "read and write comments",
  instagram_business_manage_messages: "read and write messages",
  instagram_business_manage_insights: "see your insights",
};

/** `GET` and `POST /oauth/authorize`; source: Instagram Platform, business login. */
export async function authorize(state: InstagramState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(/[ ,]+/).filter(Boolean);
  if (query.client_id !== CLIENT.id)
    return notice(
      call,
      "Instagram",
      "Invalid platform app",
      "Invalid Request: Request parameters are invalid: Invalid platform app",
      400,
    );
  if (!isReturnAddress(query.redirect_uri ?? "")) return refused(call, "Invalid redirect_uri");
  if (query.response_type !== "code") return refused(call, "Invalid response_type");
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (scopes.length === 0 || unknown) return refused(call, `Invalid Scopes: ${unknown ?? "none"}`);
  const page = { network: "instagram", name: "Instagram", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  if (call.req.method === "GET") return consentForm(call, page);

  const decision = await readDecision(state.world, "instagram", call);
  if (typeof decision === "string") return consentForm(call, { ...page, problem: decision });
  const { redirect_uri: redirectUri = "" } = query;
  const echoed: Record<string, string> = query.state === undefined ? {} : { state: query.state };
  if (decision.decision === "deny") {
    const error = {
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request",
    };
    return call.body(null, 302, { location: withParameters(redirectUri, { ...error, ...echoed }) });
  }
  call.get("entry").account = decision.person.name;
  const code = state.codes.issue(
    { account: decision.person.name, clientId: CLIENT.id, redirectUri, scopes },
    CODE_SECONDS,
  );
  return call.body(null, 302, { location: withParameters(redirectUri, { code, ...echoed }, "#_") });
}

function refused(call: Call, reason: string) {
  return notice(
    call,
    "Instagram",
    "Sorry, this page isn’t available",
    `Invalid Request: Request parameters are invalid: ${reason}`,
    400,
  );
}
