import { type Extract, openApi, type TokenCall, withTokenCalls } from "../../testing";
import extract from "./described.json" with { type: "json" };

/** The description has one schema for each grant, and names `continuous_refresh` only in the text of `oauth/token`. */
const tokenCalls: { [call: string]: TokenCall } = {
  "POST /v5/oauth/token": {
    source: "OauthAccessTokenRequestCode and OauthAccessTokenRequestRefresh of Pinterest's description",
    hasBasic: true,
    grants: [
      { grantType: "authorization_code", required: ["code", "redirect_uri"], optional: ["continuous_refresh"] },
      { grantType: "refresh_token", required: ["refresh_token"], optional: ["scope"] },
    ],
  },
};

/** Not described: the file store, which is Amazon's. */
export const described = withTokenCalls(
  openApi(extract as Extract, { undescribed: ["POST /media-upload/"] }),
  tokenCalls,
);
