import { isReturnAddress, notice } from "../core/consent";
import { askConsent } from "../core/consent-flow";
import type { Answer, Call } from "../core/network";
import type { PinterestState } from "./state";

export const CLIENT = { id: "sandbox-pinterest", secret: "sandbox-pinterest-secret" };
const CODE_SECONDS = 600;

const SCOPES: Record<string, string> = {
  "boards:read": "see your public boards",
  "boards:read_secret": "see your secret boards",
  "boards:write": "make and change boards",
  "boards:write_secret": "make and change secret boards",
  "pins:read": "see your public Pins",
  "pins:read_secret": "see your secret Pins",
  "pins:write": "make and change Pins",
  "pins:write_secret": "make and change Pins on secret boards",
  "user_accounts:read": "see your account",
};

/** `GET` and `POST /oauth/` of www.pinterest.com; source: developers.pinterest.com, set up authentication. */
export async function authorize(state: PinterestState, call: Call): Promise<Response> {
  const query = call.req.query();
  const scopes = (query.scope ?? "").split(",").filter(Boolean);
  const problem = problemOf(query, scopes);
  if (problem) return refused(call, problem);
  const page = { network: "pinterest", name: "Pinterest", asks: scopes.map((scope) => SCOPES[scope] ?? scope) };
  return askConsent(state.world, call, {
    page,
    denied: { error: "access_denied" },
    allow: (account) => ({
      code: state.codes.issue(
        { account, clientId: CLIENT.id, redirectUri: query.redirect_uri ?? "", scopes },
        CODE_SECONDS,
      ),
    }),
  });
}

function problemOf(query: Record<string, string>, scopes: string[]): string | undefined {
  if (query.client_id !== CLIENT.id) return "The application is not known.";
  if (query.response_type !== "code") return "The response type must be code.";
  if (!isReturnAddress(query.redirect_uri ?? "")) return "The redirect URI is not one of the application's.";
  const unknown = scopes.find((scope) => !Object.hasOwn(SCOPES, scope));
  if (unknown !== undefined) return `The scope ${unknown} is not known.`;
  return scopes.length === 0 ? "No scope was asked for." : undefined;
}

function refused(call: Call, problem: string): Answer {
  return notice(call, "Pinterest", "Something went wrong", problem, 400);
}
