/** The texts of the palette that every page has: what opens it, and keys as they are written on keyboards. */

/** On the button that opens the palette, and what its field is called. */
export const findOrDo = "Find or do";
/** The palette could not be fetched. */
export const notLoaded = "Not loaded: try again";

export const ctrl = "Ctrl";
export const alt = "Alt";
