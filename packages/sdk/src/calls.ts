import type { Schemas } from "@carillon/openapi";

export type { Schemas };
export type Method = "get" | "post" | "put" | "patch" | "delete";
type Calls = Schemas["Calls"];

/** The paths that have a method. */
export type PathWith<M extends Method> = {
  [P in keyof Calls]: Calls[P] extends { [K in M]: unknown } ? P : never;
}[keyof Calls];

type Operation<P extends keyof Calls, M extends Method> = Calls[P] extends { [K in M]: infer O } ? O : never;

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Further headers, such as `If-Match`. An `Idempotency-Key` here is the key of the call. */
  headers?: { [name: string]: string } | undefined;
  /**
   * The key of a call that creates something. By default, each call has a new one. Null sends none: an import then compares its
   * rows with those of earlier imports, and any other call is not sent again after a lost answer or 5xx.
   */
  idempotencyKey?: string | null | undefined;
  /** Receives the headers of the answer, such as `ETag`. */
  onHeaders?: ((headers: Headers) => void) | undefined;
};

/** The names in braces in a path. */
type NameIn<P> = P extends `${string}{${infer N}}${infer Rest}` ? N | NameIn<Rest> : never;
type PathOf<P> = [NameIn<P>] extends [never] ? object : { path: { [N in NameIn<P>]: string | number } };

/** What a call takes. */
export type Call<P extends keyof Calls, M extends Method> = PathOf<P> & Omit<Operation<P, M>, "result"> & CallOptions;

/** The arguments after the path. They can be left out if the call needs none. */
export type Args<P extends keyof Calls, M extends Method> =
  object extends Call<P, M> ? [call?: Call<P, M>] : [call: Call<P, M>];

/** What a call returns: the body of its answer. */
export type Result<P extends keyof Calls, M extends Method> =
  Operation<P, M> extends { result: infer R } ? R : undefined;

type Page = { items: unknown[]; nextCursor: string | null };
/** The lists that have pages. The log of events has no last page. */
export type ListPath = Exclude<
  { [P in PathWith<"get">]: Result<P, "get"> extends Page ? P : never }[PathWith<"get">],
  "/v1/events"
>;

export type ItemOf<P extends ListPath> = Result<P, "get"> extends { items: (infer T)[] } ? T : never;

/** The arguments of any call, as the implementation reads them. */
export type AnyCall = CallOptions & {
  path?: { [name: string]: string | number };
  query?: { [name: string]: unknown };
  body?: unknown;
};
