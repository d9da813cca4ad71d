/** What every network has. */
const commonNames: { [field: string]: string } = {
  content: "The text",
  attachmentPaths: "A file",
  chatId: "The place",
  thumbnailPath: "The cover",
};

/** The texts of a network's own fields. */
export const targetWords = {
  commonNames,

  tiktok: {
    /** `{name}` is the creator's. */
    postsAs: "Posts as {name}. TikTok works on a post for some minutes before it shows it.",
    madeWithAi: "Made with AI",
    addMusic: "Let TikTok add music to photos",
    sendToDrafts: "Only send it to the drafts in the TikTok app, to publish it there",

    agreeToMusic: "By posting, you agree to TikTok’s {music}.",
    agreeToBoth: "By posting, you agree to TikTok’s {branded} and {music}.",
    brandedPolicy: "Branded Content Policy",
    musicConfirmation: "Music Usage Confirmation",

    whoCanSee: "Who can see it",
    choose: "Choose…",
    brandedNotAlone: "Branded content cannot be seen by yourself alone.",

    /** Above the three that follow: what others may do with the video. */
    letOthers: "Let others",
    comment: "Comment",
    duet: "Duet",
    stitch: "Stitch",
    /** Behind one that the creator's account does not allow. */
    switchedOff: "(switched off)",

    promotes: "It promotes something",
    yourBrand: "Your brand: yourself or your own business",
    brandedContent: "Branded content: somebody else’s business",
    labelledPaid: "It will be labelled as “Paid partnership”.",
    labelledPromotional: "It will be labelled as “Promotional content”.",
  },
} as const;
