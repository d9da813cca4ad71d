import { type Extract, openApi } from "../../testing";
import extract from "./described.json" with { type: "json" };

/** Not described: Google's OAuth, and the bytes of a session, which are only described in prose. */
const undescribed = ["POST /token", "POST /revoke", "PUT /upload/youtube/v3/videos"];
/** The output of `extract-discovery.ts`; JSON imports have no literal types. */
export const described = openApi(extract as unknown as Extract, { undescribed });
