/** The field for what a file shows, in the composer and in the library. */
import type { AltTextState } from "../library/use-alt-text";

export const label = "Alt text";
/** Read aloud behind the label. */
export const ofFile = (name: string) => ` of ${name}`;
export const placeholder = "What it shows";
export const states: { [state in AltTextState]: string } = {
  unchanged: "",
  saving: "Saving…",
  saved: "Saved.",
  failed: "Not saved. It is tried again when you leave the field.",
};
