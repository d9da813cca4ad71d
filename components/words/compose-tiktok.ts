/**
 * The texts of TikTok's own form in the composer. TikTok says what they have to say
 * (developers.tiktok.com/docs/en/content-sharing-guidelines), and names its policies and labels so itself.
 */

/** `{name}` is the creator's. */
export const postsAs = "Posts as {name}. TikTok works on a post for some minutes before it shows it.";
export const madeWithAi = "Made with AI";
export const addMusic = "Let TikTok add music to photos";

export const agreeToMusic = "By posting, you agree to TikTok’s {music}.";
export const agreeToBoth = "By posting, you agree to TikTok’s {branded} and {music}.";
export const brandedPolicy = "Branded Content Policy";
export const musicConfirmation = "Music Usage Confirmation";

export const whoCanSee = "Who can see it";
export const choose = "Choose…";
export const brandedNotAlone = "Branded content cannot be seen by yourself alone.";

/** Above the three that follow: what others may do with the video. */
export const letOthers = "Let others";
export const comment = "Comment";
export const duet = "Duet";
export const stitch = "Stitch";
/** Behind one that the creator's account does not allow. */
export const switchedOff = "(switched off)";

export const promotes = "It promotes something";
export const yourBrand = "Your brand: yourself or your own business";
export const brandedContent = "Branded content: somebody else’s business";
export const labelledPaid = "It will be labelled as “Paid partnership”.";
export const labelledPromotional = "It will be labelled as “Promotional content”.";
