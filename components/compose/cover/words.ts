/** The texts of a video's cover: beside the video, and in the window. */
export const coverWords = {
  /** The text after it is only read aloud. */
  choose: "Choose a cover {ofVideo}",
  chooseAnother: "Another cover {ofVideo}",
  ofVideo: (video: string) => `for ${video}`,
  hasCover: "Has a cover.",
  underWay: (percent: number) => `Cover: ${percent} %`,
  goesTo: (networks: string) => `Goes to ${networks}.`,
  /** The networks that accept no cover. @param count how many there are */
  chooseThemselves: (networks: string, count: number) =>
    count === 1 ? `${networks} chooses by itself.` : `${networks} choose by themselves.`,

  window: {
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
  },
} as const;
