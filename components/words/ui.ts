/** The texts of buttons and windows that look the same everywhere. */

export const tryAgain = "Try again";
/** Leaves things as they are, where something is to be removed. */
export const keep = "Keep";
export const copy = "Copy";
export const copied = "Copied";
