import { z } from "zod";

/** What of X depends on the service's own account or on the person's, as `/_control/x/switches` sets it. */
export const NewSwitches = z.strictObject({
  /** The service's account at X has credits left; without any no call is answered. */
  credits: z.boolean().default(true),
  /** What everybody here pays for, as `subscription_type` names it. */
  subscription: z.enum(["None", "Basic", "Premium", "PremiumPlus"]).default("None"),
});

export type XSwitches = z.output<typeof NewSwitches>;
