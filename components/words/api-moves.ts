/** The texts of why a post could not be given another time. */

export const deleted = "It was deleted meanwhile.";
export const begun = "It has begun to go out.";
export const timeOver = "Its new time is over.";
export const unknown = "Nobody knows whether it was moved: look at it.";
export const movedAlready = "It has another time by now.";
