import { CarillonError } from "./problems";
import { pause } from "./wait";

/** One request as it goes out, without its token. */
export type Outgoing = {
  method: string;
  url: string;
  headers: { [name: string]: string };
  body?: string | Blob;
  signal?: AbortSignal;
  onProgress?: (sentBytes: number) => void;
  /** A POST that may be sent twice without an Idempotency-Key, because the second one then creates nothing that matters. */
  isHarmless?: boolean;
};

export type Answer = { status: number; headers: Headers; text: string };

export type Sending = {
  fetch: typeof fetch;
  /** How often a request is sent again. */
  retries: number;
  /** How long one try of a request without a file may take. */
  timeoutMs: number;
};

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A timer with a longer time, such as Infinity, ends at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A server that asks for a longer pause is not waited for. */
const MAX_RETRY_AFTER_SECONDS = 300;

/**
 * Sends a request until it is answered, and returns the answer. A lost answer, 429 and 5xx are tried again, after Retry-After or
 * growing random pauses. So is 409 while another request with the same key still runs. Nothing is done twice: a POST without
 * an Idempotency-Key is not repeated after a lost answer or 5xx, because its first try may have created something, and
 * neither is a request with If-Match, whose first try may have changed the version.
 * @throws CarillonError if no try was answered; the signal's reason
 */
export async function send(request: Outgoing, sending: Sending): Promise<Answer> {
  const names = Object.keys(request.headers).map((name) => name.toLowerCase());
  const isOnce = request.method !== "POST" || names.includes("idempotency-key") || request.isHarmless;
  const mayRepeat = isOnce && !names.includes("if-match");
  let wasLost = false;
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(request, sending);
    const isLast = tries >= sending.retries;
    let seconds: number | undefined;
    if (outcome instanceof CarillonError) {
      if (isLast || !mayRepeat) throw outcome;
      wasLost = true;
    } else {
      const { status } = outcome;
      // The first try has deleted it.
      if (wasLost && status === 404 && request.method === "DELETE") return { ...outcome, status: 204, text: "" };
      const isStillRunning = status === 409 && outcome.text.includes("still running");
      const isTemporary = status === 429 || isStillRunning || (status >= 500 && mayRepeat);
      seconds = retryAfterSeconds(outcome.headers);
      if (isLast || !isTemporary || (seconds ?? 0) > MAX_RETRY_AFTER_SECONDS) return outcome;
      wasLost ||= status >= 500;
    }
    const delay = Math.min(FIRST_DELAY_MS * 2 ** tries, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
    await pause(seconds === undefined ? delay : 1_000 * seconds + delay / 2, request.signal);
  }
}

/** Returns the seconds of `Retry-After`, which can also be a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Sends a request once and reads the whole answer. Returns an error if the answer was lost. @throws the signal's reason */
async function attempt(request: Outgoing, sending: Sending): Promise<Answer | CarillonError> {
  const { signal, url } = request;
  signal?.throwIfAborted();
  const tried = new AbortController();
  const abort = () => tried.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const isFile = typeof request.body === "object";
  const timer = isFile
    ? undefined
    : setTimeout(() => tried.abort("timeout"), Math.min(sending.timeoutMs, MAX_TIMER_MS));
  try {
    if (isFile && request.onProgress && typeof XMLHttpRequest === "function") return await sendWithXhr(request, tried);
    const init: RequestInit & { duplex?: "half" } = {
      ...{ method: request.method, headers: request.headers, signal: tried.signal, redirect: "manual" },
      body: request.body,
    };
    if (isFile && request.onProgress) Object.assign(init, counted(request));
    const answer = await sending.fetch(url, init);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    const { origin } = new URL(url);
    if (tried.signal.aborted)
      return new CarillonError(`${origin} did not answer within ${sending.timeoutMs} ms. Try again later`, { cause });
    const { code, message } = (cause as { cause?: { code?: string; message?: string } }).cause ?? {};
    return new CarillonError(
      `${origin} cannot be reached (${code ?? message ?? cause}). Check baseUrl, and that the server is running`,
      { cause },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Sends a file as a stream that counts what is read. The size is announced, because stores refuse files without one. */
function counted({ headers, body, onProgress }: Outgoing): RequestInit & { duplex: "half" } {
  const file = body as Blob;
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      controller.enqueue(part);
      sentBytes += part.byteLength;
      onProgress?.(sentBytes);
    },
  });
  const withSize = { ...headers, "content-length": String(file.size) };
  return { headers: withSize, body: file.stream().pipeThrough(counter), duplex: "half" };
}

/** `fetch` of browsers reports no progress. */
function sendWithXhr({ method, url, headers, body, onProgress }: Outgoing, tried: AbortController): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded }) => onProgress?.(loaded);
    xhr.onerror = xhr.onabort = () => reject(new TypeError("the connection failed"));
    xhr.onload = () => {
      const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
      const pairs = lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]);
      resolve({ status: xhr.status, headers: new Headers(pairs), text: xhr.responseText });
    };
    tried.signal.addEventListener("abort", () => xhr.abort());
    xhr.send(body as Blob);
  });
}
