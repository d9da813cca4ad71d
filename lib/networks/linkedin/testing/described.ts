import { type Extract, openApi, type RequestCheck, type TokenCall, withTokenCalls } from "../../testing";
import extract from "./described.json" with { type: "json" };

const CREDENTIALS = ["client_id", "client_secret"];
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /oauth/v2/accessToken": {
    source: "learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow",
    grants: [
      { grantType: "authorization_code", required: [...CREDENTIALS, "code", "redirect_uri"] },
      // …/authentication/programmatic-refresh-tokens
      { grantType: "refresh_token", required: [...CREDENTIALS, "refresh_token"] },
    ],
  },
};

const api = withTokenCalls(openApi(extract as unknown as Extract), tokenCalls);

/**
 * LinkedIn publishes no machine-readable description, so `described.json` is written by hand from the pages that it names, in the
 * form of the other extracts. Add a parameter there with the page that documents it. Upload URLs are opaque.
 */
export const described: RequestCheck = (sent) => (sent.path.startsWith("/dms-uploads/") ? [] : api(sent));
