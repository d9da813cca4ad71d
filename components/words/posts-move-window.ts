/** The window that asks for another time of a post. */

export const title = "Move to another time";
export const edit = "Edit it";
export const duplicate = "Duplicate it";
export const dateAndTime = "Date and time";
export const readAs = (time: string, zone: string) => `${time}, read in your zone, ${zone}.`;
export const noDate = "Not a date yet.";
export const leave = "Leave it";
export const move = "Move";
