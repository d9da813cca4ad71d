/** The texts of the window in which a picture is cropped. */

export const title = (picture: string) => `Crop ${picture}`;
export const howTo = "The arrow keys move what has the focus, with Shift further. The whole picture stays under Media.";
export const leaveIt = "Leave it as it is";
export const moves = "It moves, and would stand still when cropped.";
export const cannotShow = "This browser cannot show the picture.";
export const tooLarge = "This browser cannot write so large a picture.";
export const ratio = "Width to height";
/** Any width to any height. */
export const free = "Free";
/** The picture's own width to height. */
export const original = "Original";
export const pixels = (width: number, height: number) => `${width} × ${height} pixels`;
export const crop = "Crop";
export const part = "The part that stays: move it with the arrow keys";
export const topLeft = "Top left corner: resize with the arrow keys";
export const topRight = "Top right corner: resize with the arrow keys";
export const bottomLeft = "Bottom left corner: resize with the arrow keys";
export const bottomRight = "Bottom right corner: resize with the arrow keys";
/** What the file of the part is called. @param picture its name without the ending */
export const fileName = (picture: string, ending: string) => `${picture} cropped.${ending}`;
