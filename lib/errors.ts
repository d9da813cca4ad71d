/**
 * Errors that an answer may show. The class is the status (SPEC, "Errors"); the message is the answer's `error`.
 * Anything else that is thrown is logged whole and answered with one generic sentence.
 */
export class ApiError extends Error {
  constructor(
    readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 411 | 412 | 413 | 415 | 429 | 503,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** What is wrong with one field, as data: programs read the rule and the numbers, people the message. */
export type Problem = {
  /** Where: `publications[0].posts[1].content`. Empty for the body as a whole. */
  path: string;
  /** A sentence of its own (`X takes at most …`), or what the path is the subject of (`cannot be null`). */
  message: string;
  /** A stable name for the rule that is broken. */
  rule: string;
  measured?: number | string;
  limit?: number | string | string[] | { min?: number; max?: number };
  /** The page that states the limit. */
  source?: string;
  /** What to do about it. */
  fix?: string;
  /** What can be done to the field without asking a person, so that this problem is gone. */
  change?: { op: "add" | "replace"; value: unknown } | { op: "remove" };
  /** Only said: the schedule is taken all the same. */
  severity?: "warning";
};

/** The problems for which a schedule is refused; the others are only said. */
export function blockingProblems(problems: Problem[]): Problem[] {
  return problems.filter(({ severity }) => severity !== "warning");
}

/** A problem as one sentence that begins with the field's path. */
export function problemSentence({ path, message }: Problem): string {
  return `${path || "The body"}${/^\p{Lu}/u.test(message) ? ":" : ""} ${message}`;
}

/** 400: everything wrong with the request, each problem a sentence that begins with the field's path. */
export class BadRequest extends ApiError {
  readonly problems: string[];
  /** Those of the problems that are known as data. */
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

/** 403: a missing scope, a suspended account, or a door that is not the caller's. */
export class AccessDenied extends ApiError {
  constructor(message = "Access denied") {
    super(403, message);
  }
}

/** 404, the same words for what is absent and for what belongs to someone else. */
export class NotFound extends ApiError {
  constructor(what: string, id: string | number) {
    super(404, `${what} not found: ${id}`);
  }
}

/** 409: the thing is in a state, or in the middle of something, that the request conflicts with. */
export class Conflict extends ApiError {
  constructor(message: string) {
    super(409, message);
  }
}

/** 410: a connect state that is invalid, expired or spent; one answer for all three. */
export class StateExpired extends ApiError {
  constructor() {
    super(410, "The state of this connect flow is invalid or has expired; start the flow again");
  }
}

/** 412: what the request says it was written for is not what is there any more. */
export class PreconditionFailed extends ApiError {
  constructor(what: string, id: string | number) {
    super(412, `${what} ${id} was changed meanwhile; read it again before you change it`);
  }
}

/** 413, naming the maximum. */
export class TooLarge extends ApiError {
  constructor(what: string, maximum: string) {
    super(413, `${what} is too large: the maximum is ${maximum}`);
  }
}
