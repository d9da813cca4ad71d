/** The texts of cropping a picture: beside the picture, and in the window. */
export const cropWords = {
  /** The text after it is only read aloud. */
  undo: "Undo {theCrop}",
  theCropOf: (picture: string) => `the crop of ${picture}`,

  window: {
    title: (picture: string) => `Crop ${picture}`,
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
  },
} as const;
