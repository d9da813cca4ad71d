/** What the library tells of a file: the names of its facts, and the units of its size. */

export const type = "Type";
export const size = "Size";
export const pixels = "Pixels";
/** How long it plays. */
export const length = "Length";
export const frameRate = "Frames a second";
/** How its pictures are encoded. */
export const video = "Video";
/** How its sound is encoded. */
export const sound = "Sound";
/** When it was added. */
export const added = "Added";

/** Behind the number of a size, each 1,024 of the one before. */
export const units = ["B", "KB", "MB", "GB"];
