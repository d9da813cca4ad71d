import type { AttemptOutcome } from "../db";

/** Not now, and nothing is wrong: come back after so many seconds. Uses up no attempt. */
export class ComeBack extends Error {
  constructor(
    readonly seconds: number,
    readonly outcome: Extract<AttemptOutcome, "WAITING" | "LOOKING">,
    says: string,
  ) {
    super(says);
    this.name = "ComeBack";
  }
}

const UNANSWERED = "did not answer the final call, and cannot tell whether it took effect";
/** What a network does that took the final call and is not done with it after the longest time that is waited. */
export const UNDECIDED = "took the final call, and has not said within an hour what became of it";

/** The final call was sent, and the network cannot tell what became of it. Never sent again by itself. */
export class Unresolved extends Error {
  /** @param isReadable whether a later look at the network may still tell */
  constructor(
    network: string,
    readonly isReadable: boolean,
    what = UNANSWERED,
  ) {
    super(
      `${network} ${what}: the post may be live. ` +
        "Look there before you send it again; Carillon will not by itself.",
    );
    this.name = "Unresolved";
  }
}
