import type { Schemas } from "@carillon/openapi";

/** Something that is wrong with a body. `rule`, `fix` and `apply` are known for posts only: what `POST /v1/posts/validate` found. */
export type Problem = Pick<Schemas["Problem"], "message"> & Partial<Schemas["Problem"]>;

/** Only problems of posts have fixes. */
type PostBody = Schemas["NewSchedule"] | Schemas["FlatSchedule"];
/** An object or array of a body. Numbers are keys of arrays. */
type Part = { [key: string]: unknown };

type Facts = {
  /** The status of the answer; 0 if there was none. */
  status?: number;
  problems?: Problem[];
  /** The body that the call sent. */
  body?: unknown;
  /** Quote it when you ask an operator about the call. */
  requestId?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** The only error of this package, besides the reason of a signal that was aborted. Its message says what to do. */
export class CarillonError extends Error {
  readonly status: number;
  readonly problems: Problem[];
  readonly body: unknown;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;

  constructor(message: string, { status = 0, problems = [], body, requestId, retryAfterSeconds, cause }: Facts = {}) {
    super(message, { cause });
    this.name = "CarillonError";
    this.status = status;
    this.problems = problems;
    this.body = body;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /**
   * Returns a copy of the body with the fix of one problem. Send it again, because it can have other problems.
   * @param body the body to fix; by default the one that was sent
   * @throws CarillonError if the problem has no fix that can be applied, because a person must decide
   */
  apply<Body = PostBody>(problem: Problem, body = this.body as Body): Body {
    const { apply: patch, fix } = problem;
    if (!patch)
      throw new CarillonError(`“${problem.message}” has no automatic fix. ${fix ?? "Change the body yourself"}`);
    const fixed = structuredClone(body);
    for (const operation of patch) change(fixed as Part, operation);
    return fixed;
  }
}

/** Applies one operation of a JSON Patch (RFC 6902) to a document, which it changes. */
function change(document: Part, { op, path, value }: Schemas["PatchOperation"]): void {
  const keys = path.split("/").map((key) => key.replace(/~1/g, "/").replace(/~0/g, "~"));
  const last = keys.pop() ?? "";
  const parent = keys.slice(1).reduce((part, key) => part[key] as Part, document);
  if (Array.isArray(parent)) {
    const index = last === "-" ? parent.length : Number(last);
    parent.splice(index, op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
  } else if (op === "remove") delete parent[last];
  else parent[last] = value;
}
