import { type Extract, openApi } from "../../testing";
import extract from "./described.json" with { type: "json" };

/**
 * TikTok publishes no machine-readable description, so `described.json` is written by hand from the pages that it names, in the
 * form of the other extracts. Add a parameter there with the page that documents it. Uploads and tokens are described in prose.
 */
export const described = openApi(extract as unknown as Extract, {
  undescribed: ["PUT /video/", "POST /v2/oauth/token/", "POST /v2/oauth/revoke/"],
});
