/** The texts of the list of keys. */

export const title = "Keyboard shortcuts";
export const close = "Close";
export const singleKeys = "Keys without Ctrl do something";
export const singleKeysHint =
  "Never while you type. Switch them off where speech or a slip of the hand sets them off; this browser keeps it.";

// Keys as they are written on keyboards.
export const enter = "Enter";
export const esc = "Esc";

// Keys as they are read aloud.
export const ctrlSpoken = "Control or Command";
export const escSpoken = "Escape";
export const questionMark = "Question mark";
export const left = "Left arrow";
export const right = "Right arrow";
export const up = "Up arrow";
export const down = "Down arrow";

// Where keys do something, and what they do there.
export const everywhere = "Everywhere";
export const open = "Go to, find or do";
export const list = "This list";
export const leave = "Close what is open, and be where you were";
export const calendar = "In the calendar";
export const today = "Today";
export const views = "Month, week, day, list";
export const days = "Earlier, later";
export const write = "Write a post";
export const undo = "Take back a move, for ten seconds";
export const writing = "While you write";
export const send = "Schedule or send";
export const addPart = "Add a part to the thread";
export const movePart = "Move this part up or down";
