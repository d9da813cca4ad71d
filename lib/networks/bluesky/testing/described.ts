import { type TokenCall, withTokenCalls } from "../../testing";

const source = "atproto.com/specs/oauth";
/** RFC 7523: only clients with a key. On a local machine there is none. */
const optional = ["client_assertion_type", "client_assertion"];
const CHALLENGE = ["code_challenge", "code_challenge_method"];
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /oauth/par": {
    source,
    grants: [
      {
        grantType: "",
        required: ["client_id", "response_type", "redirect_uri", "scope", "state", ...CHALLENGE],
        optional: [...optional, "login_hint"],
      },
    ],
  },
  "POST /oauth/token": {
    source,
    grants: [
      {
        grantType: "authorization_code",
        required: ["client_id", "code", "redirect_uri", "code_verifier"],
        optional,
      },
      { grantType: "refresh_token", required: ["client_id", "refresh_token"], optional },
    ],
  },
  "POST /oauth/revoke": { source, grants: [{ grantType: "", required: ["client_id", "token"], optional }] },
};

/** The calls of OAuth. All other calls are held against the lexicons before they leave (`validated`). */
export const described = withTokenCalls(() => [], tokenCalls);
