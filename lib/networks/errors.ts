import { believable, retryAfter } from "../http/retry-after";

/**
 * What a network's refusal means for us:
 * - `reconnect`: the credential is dead; only the person can help.
 * - `rejected`: a final no to this post.
 * - `later`: not now; waiting helps.
 * - `unknown`: nobody can tell whether the call took effect.
 */
export type ErrorKind = "reconnect" | "rejected" | "later" | "unknown";

/** A network said no, or said nothing. The message is a sentence that a person understands. */
export class PlatformError extends Error {
  /** True where it is certain that the call had no effect. */
  readonly refused: boolean;
  /** How long to wait. `isTold`: the network named the time itself, by its own clock; else it is our choice. */
  readonly retryAfterSeconds?: number;
  readonly isTold: boolean;
  /** Too much was asked for, whatever the status: a wait for the whole account, and no attempt at anything. */
  readonly throttled: boolean;
  /** The network says that it has this very post already: after an unclear attempt, evidence that that one went out. */
  readonly duplicate: boolean;
  /** The network says that nothing came of what it took before: another try may begin from the start. */
  readonly undone: boolean;
  /** The network's own answer, secrets removed, for whoever looks closer. */
  readonly answer?: NetworkAnswer;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    facts: {
      refused?: boolean;
      retryAfterSeconds?: number;
      isTold?: boolean;
      throttled?: boolean;
      duplicate?: boolean;
      undone?: boolean;
      answer?: NetworkAnswer;
    } = {},
  ) {
    super(message);
    this.name = "PlatformError";
    this.refused = facts.refused ?? kind !== "unknown";
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.isTold = facts.isTold ?? false;
    this.throttled = facts.throttled ?? facts.answer?.status === 429;
    this.duplicate = facts.duplicate ?? false;
    this.undone = facts.undone ?? false;
    this.answer = facts.answer;
  }
}

/** Status 0: no answer came; `code` then names what ended the call. */
export type NetworkAnswer = { status: number; code?: string; message?: string };

/** What an adapter reads out of an answer that is not 2xx; seconds only where the network names them. */
export type ErrorFacts = { code?: string; message?: string; retryAfterSeconds?: number };

export type ErrorRule = {
  /** All that is given must match: the status, the code (whole, as `read` gives it), a pattern within the message. */
  when: { status?: number; code?: string | RegExp; message?: RegExp };
  kind: ErrorKind;
  /** A sentence for a person; the network's own words are kept beside it. */
  says: string;
  /** For `unknown`: whether it is nevertheless certain that nothing took effect. */
  refused?: boolean;
  /** How long we wait where the network names no time. */
  retryAfterSeconds?: number;
  duplicate?: true;
  /** The network is asked for too much, in this minute or in this day. Every 429 says so without a rule. */
  throttled?: true;
};

/** The network's documented codes as data, first match wins; statuses that no rule names fall back to `byStatus`. */
export type ErrorTable = {
  read(body: unknown, response: { status: number; headers: Headers }): ErrorFacts;
  rules: ErrorRule[];
};

/** Turns an answer that is not 2xx into a PlatformError, by the network's table. */
export function errorOf(
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
  const told = facts.retryAfterSeconds ?? retryAfter(response.headers);
  const isTold = told !== undefined;
  const wait = { retryAfterSeconds: isTold ? believable(told) : rule?.retryAfterSeconds, isTold };
  if (rule) {
    const { refused, duplicate, throttled } = rule;
    return new PlatformError(rule.kind, rule.says, { refused, duplicate, throttled, ...wait, answer });
  }
  return byStatus(network, answer, wait);
}

type Wait = Pick<PlatformError, "retryAfterSeconds" | "isTold">;

/** The server did not take the request up (RFC 8470, section 5.2). */
const TOO_EARLY = 425;
/** It gave up waiting for the request (RFC 9110, section 15.5.9); gateways say so of their own waiting too, whatever came of it. */
const REQUEST_TIMEOUT = 408;

function byStatus(network: string, answer: NetworkAnswer, wait: Wait): PlatformError {
  const said = answer.message ? `: ${answer.message}` : ` (status ${answer.status})`;
  if (answer.status === 401)
    return new PlatformError("reconnect", `${network} no longer accepts this account's permission`, { answer });
  if (answer.status === 429) return new PlatformError("later", `${network} asks us to slow down`, { ...wait, answer });
  if (answer.status === TOO_EARLY)
    return new PlatformError("later", `${network} was not ready for this call`, { ...wait, answer });
  if (answer.status >= 400 && answer.status < 500 && answer.status !== REQUEST_TIMEOUT)
    return new PlatformError("rejected", `${network} refused${said}`, { answer });
  return new PlatformError("unknown", `${network} had a fault of its own${said}`, { ...wait, answer });
}
