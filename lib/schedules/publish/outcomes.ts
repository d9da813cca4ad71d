import type { AttemptOutcome } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import type { Claim } from "./claim";

/** Late posts go out up to 24 hours late. */
const LATEST_SECONDS = 86_400;

/** Nothing is sent so late. */
export class TooLate extends PlatformError {
  constructor() {
    super("rejected", "This could not go out within 24 hours of its time, and later would be wrong");
    this.name = "TooLate";
  }
}

/** @throws TooLate */
export function assertInTime({ lateSeconds }: Claim): void {
  if (lateSeconds > LATEST_SECONDS / env.timeFactor) throw new TooLate();
}

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

/**
 * For how many seconds an error asks to be waited; undefined where it names none. A time that the network named passes by the
 * network's clock; one that we chose is divided by `TIME_FACTOR`, as every wait of ours, here and nowhere else.
 */
export function askedWait({
  retryAfterSeconds,
  isTold,
}: Pick<PlatformError, "retryAfterSeconds" | "isTold">): number | undefined {
  return retryAfterSeconds === undefined || isTold ? retryAfterSeconds : retryAfterSeconds / env.timeFactor;
}
