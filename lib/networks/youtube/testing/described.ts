import { type Extract, openApi, type TokenCall, withTokenCalls } from "../../testing";
import extract from "./described.json" with { type: "json" };

const PAGE = "developers.google.com/identity/protocols/oauth2/web-server";
/** Google's OAuth is not in the discovery document. PKCE: …/oauth2/native-app. */
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /token": {
    source: PAGE,
    grants: [
      {
        grantType: "authorization_code",
        required: ["client_id", "client_secret", "code", "redirect_uri"],
        optional: ["code_verifier"],
      },
      { grantType: "refresh_token", required: ["client_id", "client_secret", "refresh_token"] },
    ],
  },
  "POST /revoke": { source: PAGE, grants: [{ grantType: "", required: ["token"] }] },
};

/** Not described: the bytes of a session, whose address is Google's own and which are only described in prose. */
const undescribed = ["PUT /upload/youtube/v3/videos"];
/** The output of `extract-discovery.ts`; JSON imports have no literal types. */
export const described = withTokenCalls(openApi(extract as unknown as Extract, { undescribed }), tokenCalls);
