import type { RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { TextResponse } from "./json";

type Fetch = (request: Request, surroundings: HttpBindings) => Response | Promise<Response>;

/** Answers a server's requests by a web-standard handler; what is text already is written at once, not through a stream. */
export function listenerFor(fetch: Fetch): RequestListener {
  const answer = async (request: Request, surroundings: HttpBindings) => {
    const response = await fetch(request, surroundings);
    if (!(response instanceof TextResponse)) return response;
    const { content, status, fields } = response;
    const headers = { ...fields, "content-length": Buffer.byteLength(content) };
    surroundings.outgoing.writeHead(status, headers).end(content);
    return RESPONSE_ALREADY_SENT;
  };
  return getRequestListener(async (request, surroundings) => answer(request, surroundings as HttpBindings), {
    overrideGlobalObjects: false,
  });
}
