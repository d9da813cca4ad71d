import { GAP } from "./prose";

/** Attributes whose texts are seen or read aloud: in markup, as props, and as fields of what is handed on. */
const SHOWN = new Set([
  ...["title", "label", "alt", "placeholder", "hint", "caption", "lead", "text", "says", "summary", "description"],
  ...["empty", "template", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext"],
]);
/** Attributes whose texts are for a browser or for code, though they may look like words. */
const HIDDEN = new Set([
  ...["class", "id", "key", "href", "src", "style", "sizes", "accept", "pattern", "autoComplete", "rel", "sandbox"],
  ...["transform", "media", "colorScheme", "headers", "queryKey", "aria-labelledby", "aria-describedby"],
  ...["aria-controls", "aria-owns", "aria-keyshortcuts"],
]);
/** The name of a header of HTTP. */
const HEADER = /^([A-Z][A-Za-z]*(-[A-Z][A-Za-z]*)+|Authorization|Location|Accept|Host)$/;

/** What becomes of a text: it is shown, nobody reads it, or its looks must tell. */
export type Place = "shown" | "hidden" | "code";

export function placeOfName(name: string): Place {
  if (SHOWN.has(name)) return "shown";
  return HIDDEN.has(name) || /^data-|(^c|C)lassName$|Style$/.test(name) || HEADER.test(name) ? "hidden" : "code";
}

type Read = {
  /** What a reader sees of it, with gaps; an attribute's text by itself. */
  texts: string[];
  /** Where what fills each gap stands. */
  gaps: Place[];
};

/** Reads markup with gaps. @param isInTag it begins within a tag, as where an attribute is put in */
export function readMarkup(markup: string, isInTag: boolean): Read {
  const texts: string[] = [];
  const gaps: Place[] = [];
  const note = (text: string, place: Place) => {
    for (const _ of text.split(GAP).slice(1)) gaps.push(place);
    if (place === "shown") texts.push(text.trim());
  };
  let silent = 0;
  for (const [piece] of (isInTag ? `<${markup}>` : markup).matchAll(/<[^<>]*>|[^<>]+/g)) {
    if (!piece.startsWith("<")) note(piece, silent > 0 ? "hidden" : "shown");
    else {
      if (/^<(code|pre|style|script)\b/.test(piece)) silent += 1;
      if (/^<\/(code|pre|style|script)\b/.test(piece)) silent -= 1;
      for (const [part, name, value] of piece.matchAll(/([\w-]+)="([^"]*)"|[^\s"]+|"/g)) {
        if (name === undefined || value === undefined) note(part, "hidden");
        else note(value, placeOfName(name) === "shown" ? "shown" : "hidden");
      }
    }
  }
  return { texts, gaps };
}
