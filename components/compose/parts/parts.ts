import type { Part } from "../draft/draft";

/** Separates parts for a network that takes one text. */
const BETWEEN = "\n\n";

export function joined(texts: string[]): string {
  return texts.filter((text) => text.trim() !== "").join(BETWEEN);
}

/** Returns parts with these texts and distinct IDs. */
export function partsWith(texts: string[]): Part[] {
  return texts.map((text, index) => ({ id: `p${index + 1}`, text }));
}

/** Adds an empty part after the one with this ID. */
export function withPartAfter(parts: Part[], id: string): { parts: Part[]; added: Part } {
  const added = { id: freshId(parts), text: "" };
  return { parts: parts.toSpliced(indexOf(parts, id) + 1, 0, added), added };
}

/** Removes a part unless it is the only one; also returns the neighbour that takes over its files. */
export function withoutPart(parts: Part[], id: string): { parts: Part[]; heir: Part | undefined } {
  const index = indexOf(parts, id);
  const heir = parts[index - 1] ?? parts[index + 1];
  return heir ? { parts: parts.toSpliced(index, 1), heir } : { parts, heir: parts[0] };
}

export function withPartMoved(parts: Part[], id: string, by: -1 | 1): Part[] {
  const [from, to] = [indexOf(parts, id), indexOf(parts, id) + by];
  const part = parts[from];
  return !part || to < 0 || to >= parts.length ? parts : parts.toSpliced(from, 1).toSpliced(to, 0, part);
}

/** Replaces one part by several. */
export function withPartSplit(parts: Part[], index: number, texts: string[]): Part[] {
  const before = parts.slice(0, index);
  const after = parts.slice(index + 1);
  const kept = parts[index];
  const pieces: Part[] = [];
  for (const text of texts) {
    const id = pieces.length === 0 && kept ? kept.id : freshId([...parts, ...pieces]);
    pieces.push({ id, text });
  }
  return [...before, ...pieces, ...after];
}

function indexOf(parts: Part[], id: string): number {
  return parts.findIndex((part) => part.id === id);
}

function freshId(parts: Part[]): string {
  return `p${Math.max(0, ...parts.map(({ id }) => Number(id.slice(1)) || 0)) + 1}`;
}
