import { gzipSync } from "node:zlib";
import type { Fault } from "./faults";
import { fingerprint } from "./ids";
import type { Call, Route, SandboxNetwork } from "./network";
import { tokenForm } from "./network";
import type { World } from "./world";

/**
 * Serves one call of a network: records it, applies faults that replace the handler, runs the handler, then applies faults
 * that change how the response is sent.
 */
export async function serveCall(world: World, id: string, network: SandboxNetwork, route: Route, call: Call) {
  const operation = typeof route.operation === "function" ? await route.operation(call) : route.operation;
  const { entry, finish } = world.calls.start({
    time: new Date(world.clock.now()).toISOString(),
    network: id,
    operation,
    method: call.req.method,
    path: withoutTokens(new URL(call.req.url).pathname),
  });
  call.set("entry", entry);
  const background = route.isBackground?.(call) ?? false;
  const code = operation === "token" ? await codeFingerprint(call) : undefined;
  const account = async () => (await network.accountOf?.(call)) ?? (await accountOfToken(world, id, call));
  const fault = await world.faults.take({ network: id, operation, background, code, account });
  call.set("fault", fault);

  if (fault?.fault === "refuse") {
    finish(0);
    return destroyConnection(call);
  }
  if (fault?.fault === "slow") {
    await world.clock.wait(fault.afterSeconds ?? 2, call.req.raw.signal, world.stopping);
    if (world.stopping.aborted) {
      finish(0);
      return destroyConnection(call);
    }
  }
  const answer = await answerCall(world, network, route, call, fault);
  network.addHeaders?.(call, answer);
  answer.headers.set("date", new Date(world.clock.now()).toUTCString());
  return send(world, call, answer, fault, finish);
}

/** Faults chosen on the consent page are tied to the authorization code. */
async function codeFingerprint(call: Call): Promise<string | undefined> {
  const isMultipart = call.req.header("content-type")?.startsWith("multipart/form-data");
  const form = isMultipart ? await call.req.formData() : await tokenForm(call);
  const code = call.req.query("code") ?? form.get("code")?.toString();
  return code ? fingerprint(code) : undefined;
}

/** The user of the token in a call's header, query or form. */
async function accountOfToken(world: World, id: string, call: Call): Promise<string | undefined> {
  const [, inHeader = ""] = (call.req.header("authorization") ?? "").split(" ");
  const names = ["access_token", "refresh_token", "token"];
  const form = await tokenForm(call);
  const given = [inHeader, ...names.flatMap((name) => [call.req.query(name) ?? "", form.get(name) ?? ""])];
  const grants = world.grants(id);
  return given.filter(Boolean).map(grants.accountOf).find(Boolean);
}

/** Hides Telegram's bot token, which is part of the path. */
function withoutTokens(path: string): string {
  return path.replace(/\/bot[^/]*/, "/bot<token>");
}

async function answerCall(
  world: World,
  network: SandboxNetwork,
  route: Route,
  call: Call,
  fault: Fault | undefined,
): Promise<Response> {
  try {
    return (fault && (await answerFault(world, network, call, fault))) ?? (await route.handle(call));
  } catch (error) {
    return network.onError(call, error instanceof Error ? error : new Error(String(error)));
  }
}

/** Faults that replace the handler. Returns undefined for all others. */
async function answerFault(
  world: World,
  network: SandboxNetwork,
  call: Call,
  fault: Fault,
): Promise<Response | undefined> {
  const { faults } = network;
  switch (fault.fault) {
    case "http_500":
      await world.clock.wait(fault.afterSeconds ?? 0, call.req.raw.signal, world.stopping);
      return faults.internalError(call);
    case "http_502_html":
      return call.html(
        "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>",
        502,
      );
    case "rate_limit":
      return faults.rateLimited(call, fault.afterSeconds ?? 60);
    case "invalid_grant":
      return faults.invalidGrant(call);
    case "duplicate":
      return faults.duplicate?.(call);
    case "operator":
      return faults.operator(call, fault.reason);
    case "revoke_token":
      return faults.revokeToken(call);
    case "redirect_elsewhere":
      return call.body(null, 307, { location: elsewhere(call) });
    default:
      return undefined;
  }
}

/** Another origin of this server. A client that follows the redirect is recorded as the operation `elsewhere`. */
function elsewhere(call: Call): string {
  const url = new URL(call.req.url);
  const host = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `http://${host}:${url.port}/_elsewhere${url.pathname}`;
}

/** Faults that change how a finished response is sent. */
async function send(
  world: World,
  call: Call,
  answer: Response,
  fault: Fault | undefined,
  finish: (status: number) => void,
) {
  switch (fault?.fault) {
    case "drop_response":
      finish(0);
      return destroyConnection(call);
    case "late_response":
      await world.clock.wait(fault.afterSeconds ?? 5, call.req.raw.signal, world.stopping);
      if (!world.stopping.aborted) break;
      finish(0);
      return destroyConnection(call);
    case "cut_body":
      finish(0);
      return sendHalfOfBody(call, answer);
    case "no_refresh_token":
      finish(answer.status);
      return rewritten(answer, withoutRefreshToken);
    case "unknown_fields":
      finish(answer.status);
      return rewritten(answer, withUnknownFields);
    case "late_permalink":
      finish(answer.status);
      return rewritten(answer, withoutPermalinks);
    case "gzip":
      finish(answer.status);
      return compressed(answer);
  }
  finish(answer.status);
  return answer;
}

/** Closes the connection without sending another byte. */
function destroyConnection(call: Call): Promise<Response> {
  call.env.incoming.socket.destroy();
  return alreadySent();
}

/** Announces the full length, sends the first half of the body and closes the connection. */
async function sendHalfOfBody(call: Call, answer: Response): Promise<Response> {
  const body = Buffer.from(await answer.arrayBuffer());
  const { outgoing } = call.env;
  outgoing.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "content-length": String(Math.max(body.length, 2)),
  });
  outgoing.flushHeaders();
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.socket?.destroy());
  return alreadySent();
}

/** Tells the adapter not to write an answer. Its module creates a `Response`, which loads Node's `fetch`. */
async function alreadySent(): Promise<Response> {
  return (await import("@hono/node-server/utils/response")).RESPONSE_ALREADY_SENT;
}

/** Compresses the body whatever the request's `Accept-Encoding`, as some gateways do. */
async function compressed(answer: Response): Promise<Response> {
  if (answer.body === null) return answer;
  const body = gzipSync(new Uint8Array(await answer.arrayBuffer()));
  const headers = new Headers(answer.headers);
  headers.set("content-encoding", "gzip");
  headers.delete("content-length");
  return new Response(body, { status: answer.status, headers });
}

/** Changes the body of a JSON answer. Other answers stay as they are. */
async function rewritten(answer: Response, change: (body: unknown) => unknown): Promise<Response> {
  if (answer.body === null || !answer.headers.get("content-type")?.includes("json")) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  return Response.json(change(await answer.json()), { status: answer.status, headers });
}

/** Removes OAuth's refresh token, or that of an app-password session (`com.atproto.server.createSession`). */
function withoutRefreshToken(body: unknown): unknown {
  return withoutKeys(body, ["refresh_token", "refreshJwt"]);
}

/** The keys of these objects are data: a client must send all of them in its form. */
const MAPS = ["upload_parameters"];

/** Adds fields to every object, as networks do between two versions of their documentation. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (!isObject(value)) return value;
  const known = Object.entries(value).map(([key, inner]) => [
    key,
    MAPS.includes(key) ? inner : withUnknownFields(inner),
  ]);
  return { ...Object.fromEntries(known), new_flag: true, newList: [{ value: 1 }], new_object: { value: null } };
}

/** For some moments after a post was published, Meta's networks answer without its permalink, and without the ID of a video's post. */
function withoutPermalinks(body: unknown): unknown {
  return withoutKeys(body, ["permalink", "permalink_url", "post_id"]);
}

function withoutKeys(body: unknown, names: string[]): unknown {
  if (!isObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
