import { type Extract, openApi, type TokenCall, withTokenCalls } from "../../testing";
import extract from "./described.json" with { type: "json" };

const PAGE = "developers.tiktok.com/doc/oauth-user-access-token-management";
const CREDENTIALS = ["client_key", "client_secret"];
/** Only desktop and mobile applications send `code_verifier`. */
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /v2/oauth/token/": {
    source: PAGE,
    grants: [
      { grantType: "authorization_code", required: [...CREDENTIALS, "code", "redirect_uri"] },
      { grantType: "refresh_token", required: [...CREDENTIALS, "refresh_token"] },
    ],
  },
  "POST /v2/oauth/revoke/": { source: PAGE, grants: [{ grantType: "", required: [...CREDENTIALS, "token"] }] },
};

/**
 * TikTok publishes no machine-readable description, so `described.json` is written by hand from the pages that it names, in the
 * form of the other extracts. Add a parameter there with the page that documents it. Uploads are described in prose.
 */
export const described = withTokenCalls(
  openApi(extract as unknown as Extract, { undescribed: ["PUT /video/"] }),
  tokenCalls,
);
