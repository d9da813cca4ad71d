import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
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
  return askConsent(state.world, call, {
    page,
    denied: {
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request",
    },
    allow: (account) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "", scopes },
        CODE_SECONDS,
      ),
    }),
    fragment: "#_",
  });
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
