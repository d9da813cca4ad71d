// The texts of windows that the composer loads when they are opened. They are not part of its first script.

/** The window that crops a picture. */
export const cropWords = {
  howTo: "The arrow keys move what has the focus, with Shift further. The whole picture stays in the library.",
  leaveIt: "Leave it as it is",
  moves: "It moves, and would stand still when cropped.",
  cannotShow: "This browser cannot show the picture.",
  tooLarge: "This browser cannot write so large a picture.",
  ratio: "Width to height",
  /** Any width to any height. */
  free: "Free",
  /** The picture's own width to height. */
  original: "Original",
  pixels: (width: number, height: number) => `${width} × ${height} pixels`,
  crop: "Crop",
  part: "The part that stays: move it with the arrow keys",
  topLeft: "Top left corner: resize with the arrow keys",
  topRight: "Top right corner: resize with the arrow keys",
  bottomLeft: "Bottom left corner: resize with the arrow keys",
  bottomRight: "Bottom right corner: resize with the arrow keys",
  /** The file name of the cropped part. @param picture the picture's name without the extension */
  fileName: (picture: string, ending: string) => `${picture} cropped.${ending}`,
} as const;

/** The window that chooses a video's cover. */
export const coverWords = {
  title: (video: string) => `Cover of ${video}`,
  letNetworksChoose: "Let each network choose",
  leaveIt: "Leave it as it is",
  ownInstead: (why: string) => `${why} Use a picture of your own.`,
  /** The alternative text of the video's picture. @param at a moment of it, `0:07.3` */
  videoAt: (video: string, at: string) => `${video} at ${at}`,
  noVideo: "This browser cannot show the video.",
  noFrame: "This browser cannot show that frame.",
  moment: "Moment",
  /** Two moments of the video: the one that is chosen, and its end. */
  atOf: (at: string, end: string) => `${at} of ${end}`,
  thisFrame: "Use this frame",
  ownPicture: "Picture for the cover",
  chooseOwn: "Use a picture of your own",
  /** The file name of a frame. @param video the video's name without the extension */
  fileName: (video: string) => `${video} cover.jpg`,
} as const;
