import { z } from "zod";

/** `platformSettings` of X: `type` and nothing else (SPEC). */
export const settings = z.strictObject({});

export type XSettings = z.output<typeof settings>;
