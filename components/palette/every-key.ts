import * as words from "../words/palette-keys";
import * as opener from "../words/palette-opener";

/** `mod` stands for Ctrl, on Apple's keyboards ⌘. */
type Combination = readonly string[];
type Line = { keys: readonly Combination[]; does: string };

/** Every key that does something. */
export const everyKey: readonly { where: string; lines: readonly Line[] }[] = [
  {
    where: words.everywhere,
    lines: [
      { keys: [["mod", "K"]], does: words.open },
      { keys: [["?"]], does: words.list },
      { keys: [[words.esc]], does: words.leave },
    ],
  },
  {
    where: words.calendar,
    lines: [
      { keys: [["T"]], does: words.today },
      { keys: [["M"], ["W"], ["D"], ["L"]], does: words.views },
      { keys: [["←"], ["→"]], does: words.days },
      { keys: [["N"]], does: words.write },
      { keys: [["mod", "Z"]], does: words.undo },
    ],
  },
  {
    where: words.writing,
    lines: [
      { keys: [["mod", words.enter]], does: words.send },
      { keys: [[opener.alt, words.enter]], does: words.addPart },
      {
        keys: [
          [opener.alt, "↑"],
          [opener.alt, "↓"],
        ],
        does: words.movePart,
      },
    ],
  },
];
