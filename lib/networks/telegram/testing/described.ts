import { botApi, type Methods } from "../../testing";
import extract from "./methods.json" with { type: "json" };

/** Validates requests against the description of the Bot API; the parts used here did not change between 10.1 and 10.3. */
export const described = botApi(extract as Methods);
