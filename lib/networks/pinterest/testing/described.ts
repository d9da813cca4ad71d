import { type Extract, openApi } from "../../testing";
import extract from "./described.json" with { type: "json" };

/** Not described: the file store (Amazon's), and fields of the token call such as `continuous_refresh`, new in 5.28. */
export const described = openApi(extract as Extract, { undescribed: ["POST /v5/oauth/token", "POST /media-upload/"] });
