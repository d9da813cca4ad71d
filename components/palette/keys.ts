/** Every key that does something, in one place: what listens, what shows a hint and the list of them all read it here. */

/** Single keys of the calendar, as a keyboard event names them. */
export const calendarKeys = {
  today: "t",
  month: "m",
  week: "w",
  day: "d",
  list: "l",
  write: "n",
  earlier: "ArrowLeft",
  later: "ArrowRight",
} as const;

export const listKey = "?";
const paletteKey = "k";

/** For `aria-keyshortcuts`: either, as the keyboard has it. */
export const paletteShortcut = "Control+K Meta+K";

/** `mod` stands for Ctrl, on Apple's keyboards ⌘. */
type Combination = readonly string[];
type Line = { keys: readonly Combination[]; does: string };

export const everyKey: readonly { where: string; lines: readonly Line[] }[] = [
  {
    where: "Everywhere",
    lines: [
      { keys: [["mod", "K"]], does: "Go to, find or do" },
      { keys: [["?"]], does: "This list" },
      { keys: [["Esc"]], does: "Close what is open, and be where you were" },
    ],
  },
  {
    where: "In the calendar",
    lines: [
      { keys: [["T"]], does: "Today" },
      { keys: [["M"], ["W"], ["D"], ["L"]], does: "Month, week, day, list" },
      { keys: [["←"], ["→"]], does: "Earlier, later" },
      { keys: [["N"]], does: "Write a post" },
      { keys: [["mod", "Z"]], does: "Take back a move, for ten seconds" },
    ],
  },
  {
    where: "While you write",
    lines: [
      { keys: [["mod", "Enter"]], does: "Schedule or send" },
      { keys: [["Alt", "Enter"]], does: "Add a part to the thread" },
      {
        keys: [
          ["Alt", "↑"],
          ["Alt", "↓"],
        ],
        does: "Move this part up or down",
      },
    ],
  },
];

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether somebody asks for the palette. On Apple's keyboards Ctrl+K deletes to a line's end, and goes on doing so. */
export function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isApple: boolean): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === paletteKey;
}

/** How a key is written on the reader's keyboard. */
export function keyCap(key: string, isApple: boolean): string {
  if (key === "mod") return isApple ? "⌘" : "Ctrl";
  return key === "Alt" && isApple ? "⌥" : key;
}
