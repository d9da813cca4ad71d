/**
 * An error that a response may show. The class determines the status (SPEC, "Errors"), and the message is the response's
 * `error`. Any other error is logged in full, and the response contains one generic sentence.
 */
export class ApiError extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 411 | 412 | 413 | 415 | 429 | 503 | 507,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** A problem with one field, as data: programs read the rule and the numbers, and people read the message. */
export type Problem = {
  /** The path of the field, such as `publications[0].posts[1].content`. Empty for the whole body. */
  path: string;
  /** A full sentence (`X takes at most …`), or the rest of a sentence that starts with the path (`cannot be null`). */
  message: string;
  /** A stable name of the violated rule. */
  rule: string;
  measured?: number | string;
  limit?: number | string | string[] | { min?: number; max?: number };
  /** The page that states the limit. */
  source?: string;
  /** How to fix it. */
  fix?: string;
  /** A change of the field that fixes the problem without further input. */
  change?: { op: "add" | "replace"; value: unknown } | { op: "remove" };
  /** A warning does not prevent the schedule. */
  severity?: "warning";
};

/** Returns the problems for which a schedule is rejected, without warnings. */
export function blockingProblems(problems: Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity !== "warning");
}

/** A response lists at most this many problems. */
export const MAX_PROBLEMS = 50;
const MORE = "problems.more";

/**
 * Returns the first 50 problems, those that block before warnings, and one that says how many more there are: a body can
 * contain a hundred thousand unknown fields. Shorter lists are returned unchanged.
 */
export function capProblems(problems: Problem[]): Problem[] {
  const listed = problems.filter(({ rule }) => rule !== MORE);
  const uncounted = problems.reduce((sum, { rule, measured }) => sum + (rule === MORE ? Number(measured) : 0), 0);
  const more = uncounted + listed.length - MAX_PROBLEMS;
  if (listed.length <= MAX_PROBLEMS) return problems;
  const ordered = [...blockingProblems(listed), ...listed.filter(({ severity }) => severity === "warning")];
  const last: Problem = { path: "", message: `has ${more} more problems`, rule: MORE, measured: more };
  if (!blockingProblems(problems).some((problem) => !ordered.slice(0, MAX_PROBLEMS).includes(problem))) {
    last.severity = "warning"; // only warnings are left out
  }
  return [...ordered.slice(0, MAX_PROBLEMS), last];
}

/** The action at the end of a message of kind `reconnect`: `Reconnect the account and allow everything`, `Do that, then reconnect it`. */
const RECONNECT_ACTION = /\.\s([^.]*\b(?:reconnect (?:the account|it)|connect again)\b[^.]*)\.?$/i;

/**
 * Splits a network's message into the reason and the action that the user must take, both without a full stop. A text that
 * names an action itself uses only the reason, so that no action is stated twice.
 */
export function splitReconnectMessage(message: string): { reason: string; action: string } {
  const [, action = "Reconnect the account"] = RECONNECT_ACTION.exec(message) ?? [];
  return { reason: message.replace(RECONNECT_ACTION, "").replace(/\.$/, ""), action };
}

/** Ends the error of each post that failed because its account needed reconnecting, so that such posts can be found again. */
export const RETRY_AFTER_RECONNECT = ", then try this post again.";

/** Returns a problem as one sentence that begins with the field's path. */
export function problemSentence({ path, message }: Problem): string {
  return `${path || "The body"}${/^\p{Lu}/u.test(message) ? ":" : ""} ${message}`;
}

/** 400: lists every problem of the request, each as a sentence that begins with the field's path. */
export class BadRequest extends ApiError {
  readonly problems: string[];
  /** The problems that were given as data. */
  readonly details: Problem[];
  constructor(...problems: (string | Problem)[]) {
    const sentences = problems.map((problem) => (typeof problem === "string" ? problem : problemSentence(problem)));
    super(400, sentences.join("; "));
    this.problems = sentences;
    this.details = problems.filter((problem) => typeof problem !== "string");
  }
}

/** 401: the access token is missing, expired or invalid, or there is no session. */
export class Unauthorized extends ApiError {
  constructor() {
    super(401, "Unauthorized");
  }
}

/** 402: the social account is connected by another user of the service. */
export class AccountInUse extends ApiError {
  constructor(network: string) {
    super(402, `This ${network} account was already used by another user of this service`);
  }
}

/** 403: a missing scope, a suspended account, or a resource that is not open to the caller. */
export class AccessDenied extends ApiError {
  constructor(message = "Access denied") {
    super(403, message);
  }
}

/** 403: the call needs a session whose person proved who they are in the last minutes. */
export class FreshSignInRequired extends AccessDenied {
  /** The value of `WWW-Authenticate` (RFC 9470), so that the dashboard asks for the password. */
  readonly challenge: string;
  constructor(minutes: number) {
    super(`This action requires a sign-in within the last ${minutes} minutes. Confirm your password and try again`);
    this.challenge = `Bearer error="insufficient_user_authentication", max_age="${minutes * 60}"`;
  }
}

/** 404: the same message whether the row is missing or belongs to someone else, so IDs cannot be probed. */
export class NotFound extends ApiError {
  constructor(what: string, id: string | number) {
    super(404, `${what} not found: ${id}`);
  }
}

/** 409: the request conflicts with the state of the resource or with an operation in progress. */
export class Conflict extends ApiError {
  constructor(message: string) {
    super(409, message);
  }
}

/**
 * 409: a limit per user is reached. Waiting alone does not help: the user must delete or move something, or the operator raises
 * the limit.
 */
export class QuotaExceeded extends Conflict {}

/** 410: a connect state that is invalid, expired or already used; one message for all three. */
export class StateExpired extends ApiError {
  constructor() {
    super(410, "The state of this connect flow is invalid or has expired; start the flow again");
  }
}

/** 412: the resource changed since the version that the request names. */
export class PreconditionFailed extends ApiError {
  constructor(what: string, id: string | number) {
    super(412, `${what} ${id} was changed in the meantime. Read it again before you change it`);
  }
}

/** 413, naming the maximum. */
export class TooLarge extends ApiError {
  constructor(what: string, maximum: string) {
    super(413, `${what} is too large: the maximum is ${maximum}`);
  }
}

/** 507: the disk of the service is nearly full. Uploads are refused before the database has no room left. */
export class InsufficientStorage extends ApiError {
  constructor() {
    super(507, "The service has no space for new files at the moment. Try again later; the operator has to free some");
  }
}
