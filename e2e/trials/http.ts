import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type Headers = { [name: string]: string };
export type Asked = { method?: string; headers?: Headers; body?: string | Buffer };
/** A response; `ms` is the time from the request to its last byte. */
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

const PATIENCE_MS = 30_000;
/**
 * Closes its idle connections long before the product does (after 65 s). Otherwise a busy trial can send a request on a connection
 * that the product has just closed.
 */
const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: PATIENCE_MS });
/** As much as browsers accept of the headers of a response, which may repeat the address of the request. */
const MAX_HEADER_BYTES = 262_144;

/**
 * Sends one request with target and headers unchanged, because `fetch` would normalise what a trial wants to send.
 * Redirects are not followed.
 * @throws Error if no complete response arrives within 30 s
 */
export function send(origin: string, target: string, { method = "GET", headers = {}, body }: Asked = {}) {
  const { hostname, port } = new URL(origin);
  const since = performance.now();
  return new Promise<Answer>((resolve, reject) => {
    // Set for every method: Node's client sends no content-length for the body of a GET or DELETE.
    const framed = body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) };
    const bounds = { timeout: PATIENCE_MS, maxHeaderSize: MAX_HEADER_BYTES };
    const outgoing = request({ hostname, port, path: target, method, headers: framed, agent, ...bounds });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const { statusCode = 0, headers } = incoming;
        resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString(), ms: performance.now() - since });
      });
    });
    outgoing.end(body);
  });
}

/** Sends a request with a JSON body. */
export function sendJson(origin: string, method: string, target: string, body: unknown, headers: Headers = {}) {
  const json = { "content-type": "application/json", ...headers };
  return send(origin, target, { method, headers: json, body: JSON.stringify(body) });
}

/** Posts a form as a browser does. */
export function sendForm(origin: string, target: string, fields: Headers, headers: Headers = {}) {
  const form = { "content-type": "application/x-www-form-urlencoded", origin, ...headers };
  return send(origin, target, { method: "POST", headers: form, body: new URLSearchParams(fields).toString() });
}

/** The JSON of a successful response. The caller names its type; the trial's checks find a wrong shape. @throws Error for status 300 or more */
export function jsonOf<T>(answer: Answer): T {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
  return JSON.parse(answer.text) as T;
}
