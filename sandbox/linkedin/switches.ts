import { z } from "zod";

const NewSwitches = z.strictObject({
  /** The application is an approved partner's: its tokens come with a refresh token. */
  refreshTokens: z.boolean().default(false),
  /** This version of the API has come to its end. */
  retired: z.string().optional(),
  /** Members' tokens may not look at their own videos, which is not documented either way. */
  statusForbidden: z.boolean().default(false),
  /** How long an image is worked on after it was sent. */
  imageSeconds: z.number().min(0).default(0),
});

export type Switches = z.output<typeof NewSwitches> & { set(body: unknown): string | undefined; settle(): void };

/** What of LinkedIn depends on the application or is not documented, as `/_control/linkedin/switches` sets it. */
export function settledSwitches(): Switches {
  const switches: Switches = {
    ...NewSwitches.parse({}),
    set(body) {
      const parsed = NewSwitches.safeParse(body);
      if (parsed.success) Object.assign(switches, { retired: undefined }, parsed.data);
      return parsed.success ? undefined : z.prettifyError(parsed.error);
    },
    settle() {
      Object.assign(switches, { retired: undefined }, NewSwitches.parse({}));
    },
  };
  return switches;
}
