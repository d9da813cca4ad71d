import { z } from "zod";

/** X's `platformSettings` contain only `type` (SPEC). */
export const settings = z.strictObject({});

export type XSettings = z.output<typeof settings>;
