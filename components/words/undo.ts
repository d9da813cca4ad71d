/** The button that takes back what was just done. */

export const undo = "Undo";
