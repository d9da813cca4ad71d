import { type Extract, openApi, type RequestCheck } from "../../testing";
import extract from "./described.json" with { type: "json" };

const api = openApi(extract as unknown as Extract, { undescribed: ["POST /oauth/v2/accessToken"] });

/**
 * LinkedIn publishes no machine-readable description, so `described.json` is written by hand from the pages that it names, in the
 * form of the other extracts. Add a parameter there with the page that documents it. Upload URLs are opaque.
 */
export const described: RequestCheck = (sent) => (sent.path.startsWith("/dms-uploads/") ? [] : api(sent));
