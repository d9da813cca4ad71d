import type { AnyCall, Args, ItemOf, ListPath, Method, PathWith, Result, Schemas } from "./calls";
import { randomKey } from "./crypto";
import { CarillonError, type Problem } from "./problems";
import { type Answer, type Outgoing, retryAfterSeconds, type Sending, send } from "./send";
import { assertFile, multipartOf, nameOf, type UploadOptions } from "./upload";
import { until, untilAborted, type Waiting } from "./wait";

export type ConnectionOptions = {
  /** The address of the Carillon server, such as `https://social.example.com`. */
  baseUrl: string;
  /** How often a request is sent again if its answer is lost, 429 or 5xx (default: 5). */
  retries?: number | undefined;
  /** How long the server may take to answer one try (default: a minute). Uploads have no limit besides `signal`. */
  timeoutMs?: number | undefined;
  /** Another implementation of `fetch`. */
  fetch?: typeof fetch | undefined;
};

/** Returns the token of a call. `refused` is the token that the server has just answered with 401; then return another one. */
export type TokenSource = (refused?: string) => string | Promise<string>;

export type CarillonOptions = ConnectionOptions & {
  /** A personal token, an application's access token, or a function that renews it. */
  token: string | TokenSource;
};

/** A call of the API, and what it needs besides the caller's arguments. */
type Sent = AnyCall & { body?: unknown; file?: Blob; contentType?: string; onProgress?: (sentBytes: number) => void };

/** Calls the API as one person, application or partner. */
export class Carillon {
  readonly #base: string;
  readonly #token: TokenSource;
  readonly #sending: Sending;
  readonly #identity: { [name: string]: string };

  /** @param identity the headers of a partner's user; use `CarillonPartner` */
  constructor(options: CarillonOptions, identity: { [name: string]: string } = {}) {
    const { token } = options;
    if (!token) throw new CarillonError("token is missing. Create one under Developers in the dashboard");
    this.#base = baseOf(options.baseUrl);
    this.#token = typeof token === "string" ? () => token : token;
    this.#sending = sendingOf(options);
    this.#identity = identity;
  }

  get<P extends PathWith<"get">>(path: P, ...[call]: Args<P, "get">): Promise<Result<P, "get">> {
    return this.#call("get", path, call);
  }
  post<P extends PathWith<"post">>(path: P, ...[call]: Args<P, "post">): Promise<Result<P, "post">> {
    return this.#call("post", path, call);
  }
  put<P extends PathWith<"put">>(path: P, ...[call]: Args<P, "put">): Promise<Result<P, "put">> {
    return this.#call("put", path, call);
  }
  patch<P extends PathWith<"patch">>(path: P, ...[call]: Args<P, "patch">): Promise<Result<P, "patch">> {
    return this.#call("patch", path, call);
  }
  delete<P extends PathWith<"delete">>(path: P, ...[call]: Args<P, "delete">): Promise<Result<P, "delete">> {
    return this.#call("delete", path, call);
  }

  /** Yields every item of a list, and reads a page when it is needed. */
  async *list<P extends ListPath>(path: P, ...[call]: Args<P, "get">): AsyncGenerator<ItemOf<P>, void> {
    type Page = { items: ItemOf<P>[]; nextCursor: string | null };
    const { query, ...rest }: AnyCall = call ?? {};
    let cursor: unknown = query?.cursor;
    do {
      const page: Page = await this.#call("get", path, { ...rest, query: { limit: 100, ...query, cursor } });
      if (!Array.isArray(page.items))
        throw new CarillonError(`GET ${path} was answered with 200: no items. ${CHECK_BASE}`);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /** Uploads a file through the API, and returns its path for `attachmentPaths`. */
  async upload(file: Blob | ArrayBuffer | Uint8Array, options: UploadOptions = {}): Promise<string> {
    assertFile(file);
    const { body, contentType } = multipartOf(file, options.filename);
    const sent = { ...uploadOf(options, body.size), file: body, contentType };
    return (await this.#call<{ path: string }>("post", "/v1/media/upload", sent)).path;
  }

  /** Uploads a file straight to the store, which spares the server large files, and returns its path for `attachmentPaths`. */
  async uploadToStore(
    file: Blob,
    { contentType = file.type, ...options }: UploadOptions & { contentType?: string | undefined } = {},
  ) {
    assertFile(file, true);
    if (!contentType)
      throw new CarillonError("contentType is missing. The file has no type, so name one, such as image/jpeg");
    const { signal } = options;
    const filename = options.filename ?? nameOf(file, contentType);
    const asked = { body: { filename, contentType, sizeBytes: file.size }, signal };
    const { url, headers, key } = await this.post("/v1/media/upload/urls", asked);
    const { onProgress } = uploadOf(options, file.size);
    // A blob with a type of its own would replace the one in the grant's headers.
    const answer = await send({ method: "PUT", url, headers, body: file, signal, onProgress }, this.#sending);
    if (answer.status < 200 || answer.status >= 300) throw refusalOfStore(url, answer);
    const { path } = await this.post("/v1/media/upload/confirm", { body: { key }, signal });
    return path;
  }

  /** Lets the server fetch a file, waits for it, and returns its path for `attachmentPaths`. @throws CarillonError if it fails */
  async uploadFromUrl(url: string, options: UploadOptions & Waiting = {}): Promise<string> {
    const { signal, filename, onProgress } = options;
    const { id } = await this.post("/v1/media/upload/import", { body: { url, filenameHint: filename }, signal });
    const job = await until(
      async () => {
        const one = await this.get("/v1/media/upload/import/{id}", { path: { id }, signal });
        onProgress?.({ bytes: one.bytesDownloaded, totalBytes: one.totalBytes });
        return one;
      },
      ({ state }) => state === "READY" || state === "FAILED_PERMANENT",
      ({ state }) => `The import of ${url} is still ${state}`,
      options,
    );
    if (!job.s3Key) throw new CarillonError(`${url} was not imported: ${job.errorMessage}`);
    return job.s3Key;
  }

  /**
   * Waits until the outcome of a post is known on every account: published, failed or unknown. A failure is not an error here, so read
   * `publications`. A post whose files could not be fetched (`MEDIA_IMPORT_FAILED`) has ended too.
   * @throws CarillonError for a draft, and if the post has not ended after `timeoutMs` (default: 10 minutes)
   */
  waitFor({ id }: Pick<Schemas["Schedule"], "id">, options: WaitOptions = {}): Promise<Schemas["Schedule"]> {
    const { signal, onChange } = options;
    let seen = "";
    return until(
      async () => {
        const post = await this.get("/v1/posts/{id}", { path: { id }, signal });
        if (post.overallStatus === "DRAFT")
          throw new CarillonError(`Post ${id} is a draft. Schedule it before you wait for it`);
        const now = JSON.stringify(post);
        if (now !== seen) onChange?.(post);
        seen = now;
        return post;
      },
      ({ overallStatus, publications }) =>
        overallStatus === "MEDIA_IMPORT_FAILED" || publications.every(({ status }) => ENDED.includes(status)),
      ({ overallStatus }) => `Post ${id} is still ${overallStatus}`,
      options,
      // Somebody can change the time meanwhile, so look at least once a minute.
      ({ scheduledTime }) => Math.min(Date.parse(scheduledTime ?? "") - Date.now() || 0, 60_000),
    );
  }

  async #call<T>(method: Method, path: string, call: Sent = {}): Promise<T> {
    const { body, signal, onProgress, file } = call;
    const headers: Outgoing["headers"] = { Accept: "application/json", ...this.#identity, ...call.headers };
    const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
    if (method === "post" && call.idempotencyKey !== null && !hasKey)
      headers["Idempotency-Key"] = call.idempotencyKey ?? (await randomKey());
    for (const [name, value] of Object.entries(headers))
      if (/[^\t\x20-\x7e\x80-\xff]/.test(String(value).trim()))
        throw new CarillonError(`The header ${name} ${NO_HEADER}`);
    // Without a key, the server compares the rows of an import with those of earlier imports.
    const isHarmless = path === "/v1/posts/import";
    if (file) headers["Content-Type"] = call.contentType ?? "";
    else if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/csv" : "application/json";
    const sent = file ?? (body === undefined || typeof body === "string" ? body : JSON.stringify(body));
    const url = this.#base + addressOf(path, call);
    const request: Outgoing = {
      method: method.toUpperCase(),
      url,
      headers,
      body: sent,
      signal,
      onProgress,
      isHarmless,
    };
    const answer = await this.#sendSigned(request);
    call.onHeaders?.(answer.headers);
    const name = `${request.method} ${path}`;
    if (answer.status >= 200 && answer.status < 300) return parsed(name, answer) as T;
    throw errorOf(name, answer, body, await this.#problemsOf(method, path, call, answer));
  }

  /** Sends a request with a token, and once more with another one if the server refuses the first. */
  async #sendSigned(request: Outgoing): Promise<Answer> {
    const withToken = (token: string) => {
      if (/[^\x21-\x7e]/.test(String(token).trim())) throw new CarillonError(NO_TOKEN);
      return { ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } };
    };
    const token = await untilAborted(this.#token(), request.signal);
    const answer = await send(withToken(token), this.#sending);
    if (answer.status !== 401) return answer;
    const other = await untilAborted(this.#token(token), request.signal);
    return other === token ? answer : send(withToken(other), this.#sending);
  }

  /** Returns what is wrong with a post, with rules and fixes. The answer to the call itself has sentences only. */
  async #problemsOf(method: Method, path: string, call: Sent, { status }: Answer): Promise<Problem[] | undefined> {
    const isPost = /^\/v1\/posts(\/\{id\})?$/.test(path) && (method === "post" || method === "put");
    if (!isPost || status !== 400) return undefined;
    const { body, signal } = call as { body: Schemas["NewSchedule"]; signal?: AbortSignal };
    const verdict = await this.post("/v1/posts/validate", { body, signal }).catch(() => undefined);
    return verdict?.problems.filter(({ severity }) => !severity);
  }
}

export type WaitOptions = Waiting & {
  /** Called with each state of the post that differs from the one before. */
  onChange?: ((post: Schemas["Schedule"]) => void) | undefined;
};

const ENDED: Schemas["PublicationStatus"][] = ["PUBLISHED", "FAILED", "UNKNOWN"];
const NO_HEADER = "cannot carry its value. Use letters without accents, digits and punctuation, on one line";
const NO_TOKEN = "token has characters that no token has, such as spaces or line breaks. Copy the whole token again";

export function sendingOf({ retries = 5, timeoutMs = 60_000, fetch: own }: ConnectionOptions): Sending {
  return { retries, timeoutMs, fetch: own ?? ((...args) => fetch(...args)) };
}

/** Returns the address without a slash at its end, and without spaces around it, as in a file. */
export function baseOf(baseUrl: string): string {
  const url = String(baseUrl ?? "")
    .trim()
    .replace(/\/+$/, "");
  if (!/^https?:\/\/[^\s?#]+$/i.test(url) || !isUrl(url) || /\/v1$/.test(url))
    throw new CarillonError(
      `baseUrl is ${baseUrl || "missing"}. It must be like https://social.example.com, without /v1`,
    );
  return url;
}

/** Not `URL.canParse`: after some thousand calls, Node 20 answers false for a host with a letter such as ü. */
function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

function addressOf(path: string, { path: values, query = {} }: AnyCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values?.[name];
    if (value === undefined || value === "") throw new CarillonError(`path.${name} is missing. ${path} needs it`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${filled}?${search}` : filled;
}

function uploadOf({ onProgress, ...options }: UploadOptions, totalBytes: number) {
  return { ...options, onProgress: onProgress && ((bytes: number) => onProgress({ bytes, totalBytes })) };
}

/** Returns the body of an answer. @throws CarillonError if no Carillon server answers like this */
export function parsed(name: string, answer: Answer): unknown {
  if (answer.text === "" && answer.status !== 200) return undefined;
  if (typeOf(answer).includes("text/csv")) return answer.text;
  const body = jsonIn(answer);
  if (body === undefined) throw errorOf(name, answer, undefined);
  return body;
}

const typeOf = ({ headers }: Answer) => headers.get("content-type") ?? "";

/** Undefined if it is not JSON, or null, which the API never answers. */
function jsonIn(answer: Answer): unknown {
  try {
    return typeOf(answer).includes("json") ? (JSON.parse(answer.text) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** A store answers with XML. */
function refusalOfStore(url: string, { status, text }: Answer): CarillonError {
  const said = /<Message>([^<]+)/.exec(text)?.[1] ?? "the store refused the file";
  return new CarillonError(`PUT ${new URL(url).origin} was answered with ${status}: ${said}. Try again`, { status });
}

/** Returns the error for an answer. @param problems what validation found; by default the sentences of the answer */
export function errorOf(name: string, answer: Answer, body: unknown, problems?: Problem[]): CarillonError {
  const { status, headers, text } = answer;
  const seconds = retryAfterSeconds(headers);
  const said = saidIn(text);
  const facts = {
    ...{ status, body, retryAfterSeconds: seconds, requestId: headers.get("x-request-id") ?? undefined },
    problems: problems?.length
      ? problems
      : status === 400 && said
        ? said.split("; ").map((message) => ({ message }))
        : [],
  };
  return new CarillonError(`${name} was answered with ${status}: ${adviceOn(answer, said, seconds)}`, facts);
}

export const CHECK_BASE = "Check that baseUrl is the address of a Carillon server, such as https://social.example.com";

function adviceOn(answer: Answer, said: string, seconds: number | undefined): string {
  const { status, headers } = answer;
  if (status === 0 || (status >= 300 && status < 400))
    return `a redirect${headers.has("location") ? ` to ${headers.get("location")}` : ""}. Use the address that it leads to as baseUrl`;
  if (status === 429)
    return `${said || "too many requests"}. Wait ${Math.ceil(seconds ?? 60)} seconds, or make fewer calls at once`;
  const isForeign = status < 500 && jsonIn(answer) === undefined;
  if (isForeign && status === 413)
    return "a proxy in front of the server takes no body of this size. Use uploadToStore, or ask the operator";
  if (isForeign) return `${/html/.test(typeOf(answer)) ? "a web page instead of" : "no"} JSON. ${CHECK_BASE}`;
  if (status === 401)
    return `${said || "Unauthorized"}. The token is wrong, expired or revoked. Create another one under Developers in the dashboard, and pass it as token`;
  if (status >= 500) return `${said || "the server has a problem"}. Try again later`;
  return said || `the answer has no text. ${CHECK_BASE}`;
}

/** Returns the sentences in the body of an error: of the API, its rate limit, or OAuth. Other services may send objects. */
function saidIn(text: string): string {
  try {
    const { error_description, error, message } = JSON.parse(text);
    const said = error_description ?? error ?? message;
    return typeof said === "string" ? said : "";
  } catch {
    return "";
  }
}
