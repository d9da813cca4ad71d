import type { AttemptOutcome } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import type { Claim } from "./claim";

/** A post goes out at most 24 hours after its time. */
const MAX_LATE_SECONDS = 86_400;

/** Thrown instead of sending a post more than 24 hours late. */
export class TooLate extends PlatformError {
  constructor() {
    super("rejected", "This post could not be published within 24 hours of its scheduled time, so it was not sent");
    this.name = "TooLate";
  }
}

/** @throws TooLate */
export function assertInTime({ lateSeconds }: Claim): void {
  if (lateSeconds > MAX_LATE_SECONDS / env.timeFactor) throw new TooLate();
}

/** Thrown to continue after `seconds`, without counting a failed attempt. */
export class Postponed extends Error {
  constructor(
    readonly seconds: number,
    readonly outcome: Extract<AttemptOutcome, "WAITING" | "LOOKING">,
    message: string,
  ) {
    super(message);
    this.name = "Postponed";
  }
}

/** Thrown to publish a post from the beginning, because the user allowed it while its outcome stays unknown. */
export class StartOver extends Error {
  constructor() {
    super("the user allowed sending the post again");
    this.name = "StartOver";
  }
}

const UNANSWERED = "did not answer the final call, and cannot tell whether it took effect";
/** The network accepted the final call but did not report a result within the longest wait. */
export const UNDECIDED = "accepted the final call, but did not report a result within an hour";

/** The final call was sent and its outcome is unknown. It is never sent again automatically. */
export class OutcomeUnknown extends Error {
  /** @param isReadable whether reading the network later may still reveal the outcome */
  constructor(
    network: string,
    readonly isReadable: boolean,
    what = UNANSWERED,
  ) {
    super(
      `${network} ${what}: the post may be live. ` +
        "Look there before you send it again; Carillon will not by itself.",
    );
    this.name = "OutcomeUnknown";
  }
}

/**
 * Returns how many seconds to wait before the next call; undefined if the error does not say. A wait that the network stated
 * is in real seconds. A wait that we chose is divided by `TIME_FACTOR` here, and nowhere else.
 */
export function requestedWaitSeconds({
  retryAfterSeconds,
  isWaitStated,
}: Pick<PlatformError, "retryAfterSeconds" | "isWaitStated">): number | undefined {
  return retryAfterSeconds === undefined || isWaitStated ? retryAfterSeconds : retryAfterSeconds / env.timeFactor;
}
