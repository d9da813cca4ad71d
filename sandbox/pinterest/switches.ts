import { z } from "zod";

/** What of Pinterest depends on the application or on the weather, as `/_control/pinterest/switches` sets it. */
export const NewSwitches = z.strictObject({
  /** The application waits to be activated. */
  pending: z.boolean().default(false),
  /** Trial access: 300 writes and 1,000 calls a day for the whole application, Pins that only their creator sees. */
  trial: z.boolean().default(false),
  /** The spam guard answers every new Pin. */
  spam: z.boolean().default(false),
  /** How long a new Pin is missing from its board's list. */
  listedAfterSeconds: z.number().min(0).default(0),
  /** Whether Pins of several images are still taken, of which there are reports both ways. */
  carousels: z.boolean().default(true),
  /** Whether `cover_image_key_frame_time` alone counts as a cover, which is not documented. */
  keyFrameIsCover: z.boolean().default(true),
});

export type PinterestSwitches = z.output<typeof NewSwitches>;
