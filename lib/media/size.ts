import { TooLarge } from "../errors";

/** 100 MB, on every way in (SPEC, "Limits"). */
export const MAX_BYTES = 100 * 1_048_576;

/** The refusal that names the maximum. */
export const tooLarge = () => new TooLarge("file", "100 MB");
