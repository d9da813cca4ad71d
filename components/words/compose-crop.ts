/** The texts of cropping beside a picture, in the composer; those of its window are in `compose-crop-window.ts`. */

/** What stands behind it is read aloud only. */
export const crop = "Crop {name}";
export const undo = "Undo {theCrop}";
export const theCropOf = (picture: string) => `the crop of ${picture}`;
