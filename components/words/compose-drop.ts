/** The texts of files and folders that are dropped on a page, pasted into it or chosen, and of what was not taken of them. */

export const addFiles = "Add pictures or videos";
export const notMedia = (file: string) => `${file}: is neither a picture nor a video`;
export const tooLarge = (file: string, mostMb: number) => `${file}: is too large: the maximum is ${mostMb} MB`;

export const folderUnread = (folder: string, why: string) => `${folder}: could not be read whole: ${why}`;
export const folderHoldsNone = (folder: string) => `${folder}: holds no pictures or videos`;
export const folderHoldsOthers = (folder: string, others: number) =>
  others === 1
    ? `${folder}: 1 file is neither a picture nor a video`
    : `${folder}: ${others} files are neither a picture nor a video`;
/** @param taken how many pictures and videos of it were looked at */
export const folderTooFull = (folder: string, taken: number) => {
  if (taken === 0) return `${folder}: holds more than can be added at once; nothing of it was looked at`;
  return taken === 1
    ? `${folder}: holds more than can be added at once; only the first picture or video was looked at`
    : `${folder}: holds more than can be added at once; only the first ${taken} pictures and videos were looked at`;
};
