import { z } from "zod";

const toggle = (description: string) => z.boolean().default(false).meta({ description });

/** SPEC, "Platform settings". TikTok decides which levels a creator can choose: `accountOptions` reads them. */
export const settings = z.strictObject({
  title: z.string().default("").meta({ description: "The photos' title, or the first line of the video's caption" }),
  privacyLevel: z
    .enum(["PUBLIC_TO_EVERYONE", "FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"])
    .meta({ description: "Who may see it; TikTok decides which of them a creator can choose" }),
  disableDuet: toggle("Nobody may make a duet with it; not sent for photos, which have none"),
  disableComments: toggle("Nobody may comment on it"),
  disableStitch: toggle("Nobody may stitch it; not sent for photos, which have none"),
  brandContent: toggle("A paid partnership: it promotes somebody else's business. Cannot be SELF_ONLY"),
  brandOrganic: toggle("It promotes the creator's own business"),
  aiContent: toggle("Labels the post as made with AI"),
  autoAddMusic: toggle("TikTok adds music of its choice; not sent for videos"),
  hasUsageConfirmation: toggle("The person agreed to TikTok's Music Usage Confirmation; TikTok requires you to ask"),
});

export type TikTokSettings = z.output<typeof settings>;
