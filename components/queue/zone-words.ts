import { counted } from "../bulk/words";
import { zoneName } from "../time/zone";
import type { ZoneChange, ZoneMoves } from "./zone-moves";

export function titleWords(moves: number): string {
  if (moves === 0) return "What is planned stays where it is";
  return moves === 1 ? "Move the planned post as well?" : "Move the planned posts as well?";
}

/** How many there are, and what moving does. */
export function foundWords({ moves, past }: ZoneMoves, { from, to }: ZoneChange): string {
  const count = moves.length + past.length;
  const [stand, each] = count === 1 ? ["stands", "it keeps its"] : ["stand", "each keeps its"];
  const what = `${counted(count, "planned post")} ${stand} at this queue’s times as they were in ${zoneName(from)}.`;
  return moves.length === 0 ? what : `${what} Moved, ${each} time of day, but in ${zoneName(to)}.`;
}

/** What else there is to know, a sentence each. */
export function moreWords(count: { moves: number; shared: number; past: number; isCut: boolean }): string[] {
  const { moves, shared, past, isCut } = count;
  const sentences: string[] = [];
  if (shared === 1) sentences.push("1 of them goes to other accounts as well, and moves for those too.");
  if (shared > 1) sentences.push(`${shared} of them go to other accounts as well, and move for those too.`);
  if (past > 0) sentences.push(pastWords(past, past === 1 && moves === 0));
  if (isCut) sentences.push("More is planned than could be looked at: only the latest 2,000 posts were.");
  return sentences;
}

function pastWords(past: number, isOnly: boolean): string {
  if (isOnly) return "Its new time is over already, so it stays where it is.";
  if (past === 1) return "The new time of 1 of them is over already, so that one stays where it is.";
  return `The new times of ${past} of them are over already, so those stay where they are.`;
}

/** The button that moves them. */
export function moveWords(moves: number): string {
  return `Move ${counted(moves, "post")}`;
}

/** How far it has come, for whoever does not see it: now and then, not with each of them. */
export function progressWords(tried: number, moves: number): string {
  return tried < 10 ? `Moving ${counted(moves, "post")}…` : `${tried - (tried % 10)} of ${moves} done.`;
}

/** What came of it. @param untried those that stay because it was stopped */
export function movedWords(moved: number, untried: number, to: string): string {
  const what = moved === 0 ? "Nothing was moved" : `${counted(moved, "post")} moved to ${zoneName(to)}`;
  if (untried === 0) return `${what}.`;
  return `${what}; ${untried === 1 ? "1 stays where it was" : `${untried} stay where they were`}.`;
}

export function movedBackWords(count: number): string {
  return `${counted(count, "post")} moved back.`;
}

export function notMovedWords(notMoved: { isUnknown: boolean }[]): string {
  const unknown = notMoved.filter(({ isUnknown }) => isUnknown).length;
  const stayed = notMoved.length - unknown;
  if (stayed === 0)
    return `Of ${counted(unknown, "post")} nobody knows whether ${unknown === 1 ? "it was" : "they were"} moved:`;
  const what = `${counted(stayed, "post")} ${stayed === 1 ? "was" : "were"} not moved`;
  return unknown === 0 ? `${what}:` : `${what}, and of ${unknown} nobody knows:`;
}
