import { z } from "zod";

/** Bluesky's `platformSettings` contain only `type` (SPEC). */
export const settings = z.strictObject({});

export type BlueskySettings = z.output<typeof settings>;
