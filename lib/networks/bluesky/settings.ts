import { z } from "zod";

/** `platformSettings` of Bluesky: `type` and nothing else (SPEC). */
export const settings = z.strictObject({});

export type BlueskySettings = z.output<typeof settings>;
