import type { NamedRoute, Route } from "../route";
import type { Actor } from "./actors";
import type { Call } from "./examples";

/** What was answered, without what differs from one answer to the next whatever it says. */
export type RecordedResponse = { status: number; headers: [string, string][]; text: string };

const CHANGING = ["x-request-id", "ratelimit", "content-length"];

/** How a route is named: `POST /v1/posts`. */
export const nameOf = ({ method, path }: Pick<NamedRoute, "method" | "path">) => `${method.toUpperCase()} ${path}`;

/** Calls a route as somebody; a body that is an object goes out as JSON, text as it is. */
export async function ask(actor: Actor, route: Route, call: Call): Promise<RecordedResponse> {
  const { params = {}, query, body, sendsKey, headers = {} } = call;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? "none"));
  const isForm = body instanceof FormData;
  const answer = await actor.client.request(`${path}${query ? `?${query}` : ""}`, {
    method: route.method.toUpperCase(),
    headers: {
      ...actor.headers,
      ...(body && !isForm ? { "content-type": "application/json" } : {}),
      ...(sendsKey ? { "x-api-key": actor.partner?.clientId ?? "none" } : {}),
      ...headers,
    },
    body: isForm || typeof body === "string" ? body : body && JSON.stringify(body),
  });
  const lasting = [...answer.headers].filter(([name]) => !CHANGING.includes(name));
  return { status: answer.status, headers: lasting, text: await answer.text() };
}

/** Status and body of an answer, as JSON where it is. */
export const statusAndBody = ({ status, text }: Pick<RecordedResponse, "status" | "text">): [number, unknown] => [
  status,
  /^[[{"]/.test(text) ? JSON.parse(text) : text,
];
