import { z } from "zod";
import { firstComment } from "../comment";

/** SPEC knows no settings of Bluesky. */
export const settings = z.strictObject({ firstComment });

export type BlueskySettings = z.output<typeof settings>;
