/** The texts of the previews of posts; most of them as the networks themselves have them. */

export const previewFor = (network: string) => `Preview for ${network}`;
export const mayDiffer = (network: string) =>
  `${network} decides on cropping, links and where it folds a text, so it may differ.`;

export const noText = "No text yet";
export const noTitle = "No title yet";
export const noMedia = "A picture or a video comes here";
export const noVideo = "A video comes here";

/** How long ago it was posted. */
export const now = "now";
export const justNow = "Just now";
export const madeWithAi = "Made with AI";
/** Instagram's own name for that. */
export const aiInfo = "AI info";
/** Where a Pin leads. */
export const visit = (host: string) => `Visit ${host}`;
export const savedTo = (board: string) => `Saved to ${board}`;
/** Who sees it, in the words of the fields in which that is chosen. */
export const audiences: { [value: string]: string } = {
  CONNECTIONS: "Connections only",
  GROUP: "Group",
  UNLISTED: "Unlisted",
  PRIVATE: "Private",
  FOLLOWER_OF_CREATOR: "Followers",
  MUTUAL_FOLLOW_FRIENDS: "Friends",
  SELF_ONLY: "Only you",
};

// What opens and folds a long text.
export const more = "more";
export const seeMore = "See more";
export const less = "less";

export const video = "Video";
export const pictures = "Pictures";
export const pictureBefore = "Picture before";
export const nextPicture = "Next picture";
/** Read aloud behind the number of pictures that are not shown: "+3". */
export const morePictures = " more";
/** Of several stories, which one it is. */
export const placeOf = (place: number, all: number) => `${place} of ${all}`;
