/** The texts of a video's cover beside the video, in the composer; those of its window are in `compose-cover-window.ts`. */

/** What stands behind it is read aloud only. */
export const choose = "Choose a cover {ofVideo}";
export const chooseAnother = "Another cover {ofVideo}";
export const ofVideo = (video: string) => `for ${video}`;
export const hasCover = "Has a cover.";
export const underWay = (percent: number) => `Cover: ${percent} %`;
export const goesTo = (networks: string) => `Goes to ${networks}.`;
/** Which networks take no cover of ours. @param count how many they are */
export const chooseThemselves = (networks: string, count: number) =>
  count === 1 ? `${networks} chooses by itself.` : `${networks} choose by themselves.`;
