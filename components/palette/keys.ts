/** The shortcuts, used by listeners and hints; key-list.tsx lists them all. */
import { shellWords } from "../shell/words";

/** Single-key shortcuts of the calendar, as `KeyboardEvent.key`. */
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

/** For `aria-keyshortcuts`. */
export const paletteShortcut = "Control+K Meta+K";

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Whether an event opens the palette. On Apple keyboards Ctrl+K deletes to the end of a line and keeps doing so. */
export function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed, isApple: boolean): boolean {
  const isHeld = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === paletteKey;
}

/** A key's label on the reader's keyboard. */
export function keyCap(key: string, isApple: boolean): string {
  if (key === "mod") return isApple ? "⌘" : shellWords.palette.ctrl;
  return key === shellWords.palette.alt && isApple ? "⌥" : key;
}
