import { type Extract, openApi } from "../../testing";
import extract from "./described.json" with { type: "json" };

/** X's OpenAPI description, which does not include the token calls. */
export const described = openApi(extract as Extract, {
  undescribed: ["POST /2/oauth2/token", "POST /2/oauth2/revoke"],
});
