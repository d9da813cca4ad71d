import type { NamedRoute, Route } from "../route";
import type { TestActor } from "./actors";
import type { ExampleCall } from "./call-example";

/** A response without the parts that differ every time. */
export type RecordedResponse = { status: number; headers: [string, string][]; text: string };

const CHANGING = ["x-request-id", "ratelimit", "content-length"];

/** The name of a route: `POST /v1/posts`. */
export const routeNameOf = ({ method, path }: Pick<NamedRoute, "method" | "path">) => `${method.toUpperCase()} ${path}`;

/** Calls a route as an actor. An object body is sent as JSON, text unchanged. */
export async function ask(actor: TestActor, route: Route, call: ExampleCall): Promise<RecordedResponse> {
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

/** The status and body of a response, parsed if it is JSON. */
export const statusAndBody = ({ status, text }: Pick<RecordedResponse, "status" | "text">): [number, unknown] => [
  status,
  /^[[{"]/.test(text) ? JSON.parse(text) : text,
];
