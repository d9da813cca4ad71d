import { z } from "zod";

/** What of LinkedIn depends on the application or is not documented, as `/_control/linkedin/switches` sets it. */
export const NewSwitches = z.strictObject({
  /** The application is an approved partner's: its tokens come with a refresh token. */
  refreshTokens: z.boolean().default(false),
  /** This version of the API has come to its end. */
  retired: z.string().default(""),
  /** Members' tokens may not look at their own videos, which is not documented either way. */
  statusForbidden: z.boolean().default(false),
  /** How long an image is worked on after it was sent. */
  imageSeconds: z.number().min(0).default(0),
});

export type LinkedInSwitches = z.output<typeof NewSwitches>;
