/** The mark on a post that somebody wants changed. On its own, for it stands on the calendar too. */

export const asked = "Changes asked for";
/** The same, read aloud before the post's own words where the mark is a sign alone. */
export const askedThen = "Changes asked for, ";
