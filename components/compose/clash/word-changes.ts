/** Text that both have, or the text of each where they differ; either may be empty. */
export type Piece = { same: string } | { mine: string; theirs: string };

/** Limit of word pairs to compare; above it, everything between the common ends counts as one change. */
const MOST_PAIRS = 4_000_000;

/** Compares two texts word by word and returns the smallest change, in order. */
export function wordChanges(mine: string, theirs: string): Piece[] {
  const [a, b] = [wordsOf(mine), wordsOf(theirs)];
  const before = sharedStart(a, b);
  const after = sharedStart(a.slice(before).reverse(), b.slice(before).reverse());
  const [ours, others] = [a.slice(before, a.length - after), b.slice(before, b.length - after)];
  const pieces: Piece[] = [{ same: a.slice(0, before).join("") }];
  pieces.push(...(ours.length * others.length > MOST_PAIRS ? [all(ours, others)] : compared(ours, others)));
  pieces.push({ same: a.slice(a.length - after).join("") });
  return withoutGaps(pieces);
}

/** Splits a text into words and the text between them, also in languages without spaces. */
function wordsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter(undefined, { granularity: "word" }).segment(text), ({ segment }) => segment);
}

function sharedStart(a: string[], b: string[]): number {
  const at = a.findIndex((word, index) => word !== b[index]);
  return at === -1 ? a.length : at;
}

function all(mine: string[], theirs: string[]): Piece {
  return { mine: mine.join(""), theirs: theirs.join("") };
}

/** The longest common subsequence, with a table of common lengths. */
function compared(a: string[], b: string[]): Piece[] {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [mine = "", theirs = ""] = [a[i], b[j]];
    if (i < a.length && j < b.length && mine === theirs) {
      pieces.push({ same: mine });
      i++;
      j++;
    } else if (j === b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ mine, theirs: "" });
      i++;
    } else {
      pieces.push({ mine: "", theirs });
      j++;
    }
  }
  return pieces;
}

/** Joins adjacent pieces of one kind; a single space between two changes becomes part of them. */
function withoutGaps(pieces: Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if ("same" in piece ? piece.same === "" : piece.mine === "" && piece.theirs === "") continue;
    if (last && "same" in last && "same" in piece) last.same += piece.same;
    else if (last && !("same" in last) && !("same" in piece)) add(last, piece.mine, piece.theirs);
    else if (!("same" in piece) && last && "same" in last && last.same.trim() === "" && joined.length > 1) {
      joined.pop();
      const changed = joined.at(-1);
      if (changed && !("same" in changed)) add(changed, last.same + piece.mine, last.same + piece.theirs);
    } else joined.push({ ...piece });
  }
  return joined;
}

function add(to: { mine: string; theirs: string }, mine: string, theirs: string): void {
  to.mine += mine;
  to.theirs += theirs;
}
