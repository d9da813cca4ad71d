const audiences: { [value: string]: string } = {
  CONNECTIONS: "Connections only",
  GROUP: "Group",
  UNLISTED: "Unlisted",
  PRIVATE: "Private",
  FOLLOWER_OF_CREATOR: "Followers",
  MUTUAL_FOLLOW_FRIENDS: "Friends",
  SELF_ONLY: "Only you",
};

const repliers: { [value: string]: string } = {
  FOLLOWING: "people you follow",
  FOLLOWERS: "your followers",
  MENTIONED: "people you mention",
  SUBSCRIBERS: "your subscribers",
  VERIFIED: "verified accounts",
  NOBODY: "nobody",
};
const warnings: { [value: string]: string } = {
  SEXUAL: "Suggestive",
  NUDITY: "Nudity",
  PORN: "Adult content",
  GRAPHIC_MEDIA: "Graphic media",
};

/** The texts of the previews of posts; most of them as the networks themselves have them. */
export const previewWords = {
  previewFor: (network: string) => `Preview for ${network}`,
  mayDiffer: (network: string) => `${network} decides on cropping, links and where it folds a text, so it may differ.`,

  noText: "No text yet",
  noTitle: "No title yet",
  noMedia: "A picture or a video comes here",
  noVideo: "A video comes here",

  /** How long ago it was posted. */
  now: "now",
  justNow: "Just now",
  madeWithAi: "Made with AI",
  /** Instagram's own name for that. */
  aiInfo: "AI info",
  /** YouTube's, below the description. */
  alteredContent: "Altered or synthetic content",
  /** Where a Pin leads. */
  visit: (host: string) => `Visit ${host}`,
  savedTo: (board: string) => `Saved to ${board}`,
  comment: "First comment",
  replies: (who: string) => `Who can reply: ${who}`,
  repliers,
  /** Bluesky's own names. */
  warnings,
  /** Instead of the audience: the creator chooses it in the TikTok app. */
  draft: "Draft",
  /** Who sees it, in the words of the fields that set it. */
  audiences,

  /** Behind the name of the account that publishes it. */
  and: (names: string[]) => ` and ${names.join(", ")}`,
  tagged: (names: string[]) => `Tagged: ${names.join(", ")}`,
  location: "Location",

  // Opens and closes a long text.
  more: "more",
  seeMore: "See more",
  less: "less",

  video: "Video",
  pictures: "Pictures",
  pictureBefore: "Picture before",
  nextPicture: "Next picture",
  /** Read aloud behind the number of pictures that are not shown: "+3". */
  morePictures: " more",
  /** Of several stories, which one it is. */
  placeOf: (place: number, all: number) => `${place} of ${all}`,
} as const;
