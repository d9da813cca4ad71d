import { ApiError } from "../errors";
import { type NetworkAnswer, PlatformError } from "../networks";
import type { Platform } from "../platforms";
import type { Language } from "./languages";

/** Why a connect did not come about, and the status of the page that says so; its words are chosen by it. */
export const failureStatuses = {
  /** The person said no. */
  denied: 403,
  "missing permission": 403,
  /** The network did not answer, not as it should, or with a refusal. */
  network: 502,
  "account in use": 402,
  /** It was begun in another browser. */
  "wrong browser": 403,
  /** Past its time, used already, or no link of ours at all. */
  expired: 410,
  /** The user is suspended, or the partner. */
  suspended: 403,
  /** The network is not set up here. */
  unavailable: 400,
  /** Something broke on our side. */
  fault: 500,
} as const;

export type Failure = keyof typeof failureStatuses;

export function isFailure(text: string): text is Failure {
  return Object.hasOwn(failureStatuses, text);
}

/** Whose connect it was, as far as that is known: for the look of the page and its way on. */
export type Whose = {
  owner: string;
  platform: Platform;
  redirectUri: string;
  /** Whose account it was to be, where the person was asked. */
  account?: string;
  language?: Language;
  /** Only where the page is certain to be seen by the browser that began it. */
  canRestart?: boolean;
};

/** A connect attempt ended without an account. `traceCode` finds it again. */
export class ConnectFailed extends Error {
  readonly status: (typeof failureStatuses)[Failure];
  readonly traceCode?: string;
  readonly whose?: Whose;
  /** What the network said, secrets removed. */
  readonly network?: NetworkAnswer;

  constructor(
    readonly failure: Failure,
    says: string,
    facts: { traceCode?: string; whose?: Whose; network?: NetworkAnswer } = {},
  ) {
    super(says);
    this.name = "ConnectFailed";
    this.status = failureStatuses[failure];
    this.traceCode = facts.traceCode;
    this.whose = facts.whose;
    this.network = facts.network;
  }
}

const BY_STATUS: { [status: number]: Failure } = { 400: "unavailable", 402: "account in use", 403: "suspended" };

/** Whatever was thrown on the way, as the failure that its page tells of. */
export function asFailure(error: unknown, facts: { traceCode?: string; whose?: Whose } = {}): ConnectFailed {
  if (error instanceof ConnectFailed) return error;
  if (error instanceof PlatformError)
    return new ConnectFailed("network", error.message, { ...facts, network: error.answer });
  if (error instanceof ApiError) return new ConnectFailed(BY_STATUS[error.status] ?? "expired", error.message, facts);
  if (isUniqueViolation(error)) return new ConnectFailed("expired", "Another tab finished first", facts);
  return new ConnectFailed("fault", "Something went wrong on our side", facts);
}

/** PostgreSQL's 23505, however deep the query layer wraps it. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "23505") || isUniqueViolation(error.cause);
}
