import { shellWords } from "../shell/words";
import { paletteWords } from "./words";

/** `mod` stands for Ctrl, on Apple's keyboards ⌘. */
type Combination = readonly string[];
type Line = { keys: readonly Combination[]; does: string };

/** Every key that does something. */
export const everyKey: readonly { where: string; lines: readonly Line[] }[] = [
  {
    where: paletteWords.keyList.everywhere,
    lines: [
      { keys: [["mod", "K"]], does: paletteWords.keyList.open },
      { keys: [["?"]], does: paletteWords.keyList.list },
      { keys: [[paletteWords.keyList.esc]], does: paletteWords.keyList.leave },
    ],
  },
  {
    where: paletteWords.keyList.calendar,
    lines: [
      { keys: [["T"]], does: paletteWords.keyList.today },
      { keys: [["M"], ["W"], ["D"], ["L"]], does: paletteWords.keyList.views },
      { keys: [["←"], ["→"]], does: paletteWords.keyList.days },
      { keys: [["N"]], does: paletteWords.keyList.write },
      { keys: [["mod", "Z"]], does: paletteWords.keyList.undo },
    ],
  },
  {
    where: paletteWords.keyList.writing,
    lines: [
      { keys: [["mod", paletteWords.keyList.enter]], does: paletteWords.keyList.send },
      { keys: [[shellWords.palette.alt, paletteWords.keyList.enter]], does: paletteWords.keyList.addPart },
      {
        keys: [
          [shellWords.palette.alt, "↑"],
          [shellWords.palette.alt, "↓"],
        ],
        does: paletteWords.keyList.movePart,
      },
    ],
  },
];
