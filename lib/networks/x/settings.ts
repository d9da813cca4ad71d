import { z } from "zod";
import { firstComment } from "../comment";

/** SPEC knows no settings of X. */
export const settings = z.strictObject({ firstComment });

export type XSettings = z.output<typeof settings>;
