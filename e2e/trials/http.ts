import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type Headers = { [name: string]: string };
export type Asked = { method?: string; headers?: Headers; body?: string | Buffer };
/** An answer as it came over the wire; `ms` from the call to its last byte. */
export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; ms: number };

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const PATIENCE_MS = 30_000;

/**
 * One request, with its target and headers as they are given: `fetch` would tidy up just what a trial wants to send.
 * Redirects are not followed.
 * @throws Error where no whole answer comes within 30 s
 */
export function send(origin: string, target: string, { method = "GET", headers = {}, body }: Asked = {}) {
  const { hostname, port } = new URL(origin);
  const since = performance.now();
  return new Promise<Answer>((resolve, reject) => {
    // Said for every method: Node's client frames the body of a GET or DELETE in no way by itself.
    const framed = body === undefined ? headers : { ...headers, "content-length": String(Buffer.byteLength(body)) };
    const outgoing = request({ hostname, port, path: target, method, headers: framed, agent, timeout: PATIENCE_MS });
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

/** A request with a JSON body. */
export function sendJson(origin: string, method: string, target: string, body: unknown, headers: Headers = {}) {
  const json = { "content-type": "application/json", ...headers };
  return send(origin, target, { method, headers: json, body: JSON.stringify(body) });
}

/** A posted form, as a browser sends it. */
export function sendForm(origin: string, target: string, fields: Headers, headers: Headers = {}) {
  const form = { "content-type": "application/x-www-form-urlencoded", origin, ...headers };
  return send(origin, target, { method: "POST", headers: form, body: new URLSearchParams(fields).toString() });
}

/** A JSON answer that has to be there. The caller names its shape; the trial's own checks find a wrong one. */
export function jsonOf<T>(answer: Answer): T {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
  return JSON.parse(answer.text) as T;
}
