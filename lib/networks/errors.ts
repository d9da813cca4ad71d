import { plausibleWaitSeconds, retryAfterSeconds } from "../http/headers";

/**
 * What an error from a network means for us:
 * - `reconnect`: the credential is no longer valid; the user must reconnect the account.
 * - `rejected`: the network refuses this post for good.
 * - `operator`: the service's own application is the cause: its credentials, its plan, its review or its quota. Only the operator
 *   of this service can change that, so no account is disconnected, and the post is tried again.
 * - `later`: not possible now; trying again later can succeed.
 * - `unknown`: we cannot tell whether the call took effect.
 */
export type ErrorKind = "reconnect" | "operator" | "rejected" | "later" | "unknown";

/** An error from a network, or a call without an answer. The message is a sentence for the user. */
export class PlatformError extends Error {
  /** True if the call certainly had no effect. */
  readonly refused: boolean;
  /** How long to wait. `isWaitStated` is true if the network stated the time, and false if we chose it. */
  readonly retryAfterSeconds?: number;
  readonly isWaitStated: boolean;
  /** We sent too many requests, whatever the status. The whole account waits, and no attempt is counted. */
  readonly throttled: boolean;
  /** The network already has this post. After an attempt with an unknown outcome, this shows that the post went out. */
  readonly duplicate: boolean;
  /** The network discarded what it had accepted, so the next attempt can start from the beginning. */
  readonly undone: boolean;
  /** For `operator`: what the operator of this service must do, and where. A sentence without its full stop. */
  readonly fix?: string;
  /** The network's own answer, with secrets removed. */
  readonly answer?: NetworkAnswer;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    facts: {
      refused?: boolean;
      retryAfterSeconds?: number;
      isWaitStated?: boolean;
      throttled?: boolean;
      duplicate?: boolean;
      undone?: boolean;
      fix?: string;
      answer?: NetworkAnswer;
    } = {},
  ) {
    super(message);
    this.name = "PlatformError";
    this.refused = facts.refused ?? kind !== "unknown";
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.isWaitStated = facts.isWaitStated ?? false;
    this.throttled = facts.throttled ?? facts.answer?.status === 429;
    this.duplicate = facts.duplicate ?? false;
    this.undone = facts.undone ?? false;
    this.fix = facts.fix;
    this.answer = facts.answer;
  }
}

/** Thrown by a lookup that can never show whether a call took effect, now or later. */
export class ReadBackImpossible extends PlatformError {
  constructor(message: string) {
    super("unknown", message);
    this.name = "ReadBackImpossible";
  }
}

/** Status 0 means that no answer was received; `code` then names the cause. */
export type NetworkAnswer = { status: number; code?: string; message?: string };

/** What an adapter reads from a non-2xx answer. `retryAfterSeconds` is set only if the network states a time. */
export type ErrorFacts = { code?: string; message?: string; retryAfterSeconds?: number };

export type ErrorRule = {
  /** All given conditions must match: the status, the code as returned by `read`, a pattern within the message. */
  when: { status?: number; code?: string | RegExp; message?: RegExp };
  /** A sentence for the user; the network's own message is stored next to it. */
  message: string;
  /** For `unknown`: true if the call nevertheless certainly had no effect. For others: false if it may have had one. */
  refused?: boolean;
  /** How long we wait if the network states no time. */
  retryAfterSeconds?: number;
  duplicate?: true;
  /** A rate or daily limit of the network. Implied for every 429. */
  throttled?: true;
} & RuleKind;

/** `fix`: what the operator of this service must do, and where (`PlatformError.fix`). */
type RuleKind = { kind: "operator"; fix: string } | { kind: Exclude<ErrorKind, "operator">; fix?: undefined };

/** The network's documented error codes as data. The first matching rule wins; other answers fall back to `byStatus`. */
export type ErrorTable = {
  read(body: unknown, response: { status: number; headers: Headers }): ErrorFacts;
  rules: ErrorRule[];
};

/** Turns a non-2xx answer into a PlatformError, using the network's error table. */
export function platformErrorFrom(
  network: string,
  table: ErrorTable,
  body: unknown,
  response: { status: number; headers: Headers },
) {
  const facts = table.read(body, response);
  const answer = { status: response.status, code: facts.code, message: facts.message?.slice(0, 500) };
  const rule = table.rules.find(({ when }) => {
    if (when.status !== undefined && when.status !== response.status) return false;
    if (typeof when.code === "string" && when.code !== facts.code) return false;
    if (when.code instanceof RegExp && !when.code.test(facts.code ?? "")) return false;
    return !when.message || when.message.test(facts.message ?? "");
  });
  const stated = facts.retryAfterSeconds ?? retryAfterSeconds(response.headers);
  const isWaitStated = stated !== undefined;
  const wait = {
    retryAfterSeconds: isWaitStated ? plausibleWaitSeconds(stated) : rule?.retryAfterSeconds,
    isWaitStated,
  };
  if (rule) {
    const { refused, duplicate, throttled, fix } = rule;
    return new PlatformError(rule.kind, rule.message, { refused, duplicate, throttled, fix, ...wait, answer });
  }
  return byStatus(network, answer, wait);
}

type Wait = Pick<PlatformError, "retryAfterSeconds" | "isWaitStated">;

/** Too Early: the server did not process the request (RFC 8470, section 5.2). */
const TOO_EARLY = 425;
/** Request Timeout (RFC 9110, section 15.5.9). Gateways also send it for their own timeouts, so the call may have taken effect. */
const REQUEST_TIMEOUT = 408;

function byStatus(network: string, answer: NetworkAnswer, wait: Wait): PlatformError {
  const said = answer.message ? `: ${answer.message}` : ` (status ${answer.status})`;
  if (answer.status === 401)
    return new PlatformError("reconnect", `${network} no longer accepts this account's permission`, { answer });
  if (answer.status === 429) return new PlatformError("later", `${network} asks us to slow down`, { ...wait, answer });
  if (answer.status === TOO_EARLY)
    return new PlatformError("later", `${network} was not ready for this request`, { ...wait, answer });
  if (answer.status >= 400 && answer.status < 500 && answer.status !== REQUEST_TIMEOUT)
    return new PlatformError("rejected", `${network} refused${said}`, { answer });
  return new PlatformError("unknown", `${network} had an internal error${said}`, { ...wait, answer });
}
