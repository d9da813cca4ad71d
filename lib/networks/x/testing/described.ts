import { type Extract, openApi, type TokenCall, withTokenCalls } from "../../testing";
import extract from "./described.json" with { type: "json" };

const PAGE = "docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token";
/** X's OpenAPI description does not include them. A confidential client has no `client_id` in the form. */
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /2/oauth2/token": {
    source: PAGE,
    hasBasic: true,
    grants: [
      { grantType: "authorization_code", required: ["code", "redirect_uri", "code_verifier"] },
      { grantType: "refresh_token", required: ["refresh_token"] },
    ],
  },
  "POST /2/oauth2/revoke": { source: PAGE, hasBasic: true, grants: [{ grantType: "", required: ["token"] }] },
};

export const described = withTokenCalls(openApi(extract as Extract), tokenCalls);
