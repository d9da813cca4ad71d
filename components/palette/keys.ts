/** Keys that do something, in one place: what listens and what shows a hint reads them here; every-key.ts lists them all. */
import { shellWords } from "../shell/words";

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

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether somebody asks for the palette. On Apple's keyboards Ctrl+K deletes to a line's end, and goes on doing so. */
export function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isApple: boolean): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === paletteKey;
}

/** How a key is written on the reader's keyboard. */
export function keyCap(key: string, isApple: boolean): string {
  if (key === "mod") return isApple ? "⌘" : shellWords.palette.ctrl;
  return key === shellWords.palette.alt && isApple ? "⌥" : key;
}
