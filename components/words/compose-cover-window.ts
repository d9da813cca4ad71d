/** The texts of the window in which a video's cover is chosen. */

export const title = (video: string) => `Cover of ${video}`;
export const letNetworksChoose = "Let each network choose";
export const leaveIt = "Leave it as it is";
export const ownInstead = (why: string) => `${why} Use a picture of your own.`;
/** What the picture of the video shows. @param at a moment of it, `0:07.3` */
export const videoAt = (video: string, at: string) => `${video} at ${at}`;
export const noVideo = "This browser cannot show the video.";
export const noFrame = "This browser cannot show that frame.";
export const moment = "Moment";
/** Two moments of the video: the one that is chosen, and its end. */
export const atOf = (at: string, end: string) => `${at} of ${end}`;
export const thisFrame = "Use this frame";
export const ownPicture = "Picture for the cover";
export const chooseOwn = "Use a picture of your own";
/** What the file of a frame is called. @param video its name without the ending */
export const fileName = (video: string) => `${video} cover.jpg`;
