import { randomToken } from "../core/ids";
import type { Call } from "../core/network";

type GraphErrorDetail = {
  subcode?: number;
  title?: string;
  advice?: string;
  isTransient?: boolean;
  type?: string;
  /** The offset from which an upload must continue. */
  data?: Record<string, unknown>;
};

/** An error in the Graph API's envelope, usually HTTP 400. Source: Graph API, handling errors. */
export class GraphError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly detail: GraphErrorDetail = {},
    readonly status: 400 | 401 | 403 | 404 | 500 = 400,
  ) {
    super(message);
  }
}

export function errorResponse(call: Call, { message, code, detail, status }: GraphError): Response {
  const error = {
    message,
    type: detail.type ?? "OAuthException",
    code,
    ...(detail.subcode ? { error_subcode: detail.subcode } : {}),
    is_transient: detail.isTransient ?? false,
    ...(detail.title ? { error_user_title: detail.title, error_user_msg: detail.advice ?? detail.title } : {}),
    ...(detail.data ? { error_data: detail.data } : {}),
    fbtrace_id: `A${randomToken(8)}`,
  };
  return call.json({ error }, status);
}

/** Errors with the same text in every part of the Graph API. */
export const graphErrors = {
  badToken: () => new GraphError(190, "Invalid OAuth access token - Cannot parse access token", {}, 401),
  invalidToken: (subcode: number, why: string) =>
    new GraphError(190, `Error validating access token: ${why}`, { subcode }, 401),
  parameter: (text: string, detail: GraphErrorDetail = {}) => new GraphError(100, `(#100) ${text}`, detail),
  noObject: (id: string, verb: string) =>
    new GraphError(
      100,
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
      { subcode: 33, type: "GraphMethodException" },
    ),
  noField: (field: string, node: string) =>
    new GraphError(100, `(#100) Tried accessing nonexisting field (${field}) on node type (${node})`),
  /** The answer to `GET /pages/search`, as people report it: github.com/strohne/Facepager/issues/139. */
  noPublicPages: () =>
    new GraphError(
      10,
      "(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public Content Access' feature or the 'Page Public Metadata Access' feature.",
      {},
      403,
    ),
  noProof: () =>
    new GraphError(100, "API calls from the server require an appsecret_proof argument", {
      type: "GraphMethodException",
    }),
  noCapability: () => new GraphError(3, "(#3) Application does not have the capability to make this API call."),
  internal: () =>
    new GraphError(2, "An unexpected error has occurred. Please retry your request later.", { isTransient: true }, 500),
};

/** All parameters as text. The Graph API accepts them in the query, in either kind of form or as JSON. */
export async function parametersOf(call: Call): Promise<Record<string, string>> {
  return { ...call.req.query(), ...(call.req.method === "GET" ? {} : await bodyParameters(call)) };
}

async function bodyParameters(call: Call): Promise<Record<string, string>> {
  const type = call.req.header("content-type") ?? "";
  if (type.startsWith("application/json")) {
    const body: Record<string, unknown> = await call.req.json().catch(() => ({}));
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  }
  if (!type.startsWith("multipart/form-data") && !type.startsWith("application/x-www-form-urlencoded")) return {};
  const form = await call.req.parseBody();
  return Object.fromEntries(
    Object.entries(form).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

export function isTrue(value: string | undefined): boolean {
  return value === "true" || value === "1";
}

/** `["1","2"]`, `[1,2]` or `1,2`. */
export function listOf(value: string | undefined): string[] {
  // Ids may be JSON numbers above 2^53, so the list is parsed as text.
  return (value ?? "")
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((item) => item.trim().replace(/^"|"$/g, ""))
    .filter(Boolean);
}

/** The names in the `fields` parameter, always with `id`. Modifiers and sub-fields (`picture.width(1){url}`) are dropped. */
export function fieldsOf(call: Call, defaults: string[]): string[] {
  let requested = call.req.query("fields") ?? "";
  for (let before = ""; before !== requested; )
    [before, requested] = [requested, requested.replace(/\{[^{}]*\}|\([^()]*\)/g, "")];
  const names = requested
    .split(",")
    .map((field) => field.trim().replace(/\..*$/, ""))
    .filter(Boolean);
  return names.length > 0 ? ["id", ...names] : defaults;
}

/**
 * The requested fields of a node, without undefined values.
 * @throws GraphError for a field that the node type does not have
 */
export function pick(node: Record<string, unknown>, fields: string[], type: string): Record<string, unknown> {
  const unknown = fields.find((field) => !Object.hasOwn(node, field));
  if (unknown) throw graphErrors.noField(unknown, type);
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => fields.includes(name) && value !== undefined),
  );
}

/** A Page with its address. A Page without coordinates cannot be used as a place. */
type Place = {
  id: string;
  name: string;
  location?: { city: string; country: string; street?: string; zip?: string; latitude?: number; longitude?: number };
};

const ghent = { city: "Ghent", country: "Belgium", zip: "9000" };

const places: Place[] = [
  {
    id: "110506962309835",
    name: "Bell Tower",
    location: { ...ghent, street: "Sint-Baafsplein", latitude: 51.0536, longitude: 3.7249 },
  },
  { id: "110506962309836", name: "Bell Tower Café", location: { ...ghent, latitude: 51.0537, longitude: 3.7251 } },
  { id: "110506962309837", name: "Bell Tower Tours", location: ghent },
  { id: "110506962309838", name: "Friends of the Bell Tower" },
  {
    id: "166793820034304",
    name: "Harbour",
    location: { city: "Menlo Park", country: "United States", latitude: 37.4848, longitude: -122.1484 },
  },
];

export function placesNamed(text: string): Place[] {
  return places.filter(({ name, location }) => `${name} ${location?.city}`.toLowerCase().includes(text.toLowerCase()));
}

/** `GET /pages/search`, after the caller was authenticated. Source: Pages API, search for a Page. */
export function presentPlaces(call: Call): Response {
  const { q } = call.req.query();
  if (!q) throw graphErrors.parameter("The parameter q is required.");
  const fields = fieldsOf(call, ["id", "name"]);
  const data = placesNamed(q).map(({ id, name, location }) => {
    const node = { id, name, location, link: `https://www.facebook.com/${id}`, is_unclaimed: false };
    return pick(node, fields, "Page");
  });
  return call.json({ data });
}

/**
 * Returns one page of a list with its cursors. Only an answer without `next` is the last: Meta leaves objects out, for example for
 * their privacy (developers.facebook.com/docs/graph-api/results).
 */
export function paginate<Item extends { id: string }>(
  call: Call,
  all: Item[],
  present: (item: Item) => object,
  { most = 100, hidden = 0 }: { most?: number; hidden?: number } = {},
): Response {
  const { limit = "25", after } = call.req.query();
  const size = Math.max(1, Math.min(Math.max(Number(limit) || 25, 1), most) - hidden);
  const start = after ? all.findIndex(({ id }) => cursorOf(id) === after) + 1 : 0;
  const shown = all.slice(start, start + size);
  const last = shown.at(-1);
  const isMore = start + size < all.length;
  const next = new URL(call.req.url);
  if (last) next.searchParams.set("after", cursorOf(last.id));
  const cursors = last && { before: cursorOf(shown[0]?.id ?? ""), after: cursorOf(last.id) };
  return call.json({
    data: shown.map(present),
    ...(cursors ? { paging: { cursors, ...(isMore ? { next: next.href } : {}) } } : {}),
  });
}

const cursorOf = (id: string) => Buffer.from(id).toString("base64url");
