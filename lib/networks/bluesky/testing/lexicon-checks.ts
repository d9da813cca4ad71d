import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonToLex, type LexiconDoc, Lexicons } from "@atproto/lexicon";
import type { NetworkCall, NetworkFetch } from "../../network";
import { POSTS } from "../api";

const folder = join(import.meta.dirname, "lexicons");
const lexicons = new Lexicons(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as LexiconDoc), // `Lexicons` checks each of them
);

/** The methods that were called and validated against their lexicon. */
export const validatedMethods = new Set<string>();

/** Validates each call against its lexicon before it is sent. */
export function validated(fetch: NetworkFetch): NetworkFetch {
  return async (path, call = {}) => {
    const [, nsid, query = ""] = /\/xrpc\/([\w.]+)(?:\?(.*))?$/.exec(path) ?? [];
    if (nsid) assertAsDescribed(nsid, new URLSearchParams(query), call);
    return fetch(path, call);
  };
}

function assertAsDescribed(
  nsid: string,
  query: URLSearchParams,
  { method = "GET", headers = {}, body }: NetworkCall,
): void {
  const description = lexicons.getDefOrThrow(nsid, ["query", "procedure"]);
  const isQuery = description.type === "query";
  if (method !== (isQuery ? "GET" : "POST")) throw new Error(`${nsid} is not called by ${method}`);
  const known =
    description.type === "query" || description.type === "procedure" ? (description.parameters?.properties ?? {}) : {};
  const stray = [...query.keys()].filter((name) => !known[name]);
  // Two parameters of `uploadVideo` are documented in the video tutorial but missing in the lexicon.
  if (stray.length > 0 && nsid !== "app.bsky.video.uploadVideo") throw new Error(`${nsid} has no ${stray.join(", ")}`);
  const typed = [...query].map(([name, text]) => [name, typedParameter(known[name]?.type, text)]);
  lexicons.assertValidXrpcParams(nsid, Object.fromEntries(typed));
  if (description.type === "procedure" && description.input) {
    const { encoding } = description.input;
    const type = headers["content-type"] ?? "";
    if (encoding !== "*/*" && type !== encoding) throw new Error(`${nsid} takes ${encoding}, not ${type}`);
    if (encoding === "application/json") assertInput(nsid, JSON.parse(String(body)));
  }
  validatedMethods.add(nsid);
}

function typedParameter(type: string | undefined, text: string): string | number | string[] {
  return type === "integer" ? Number(text) : type === "array" ? [text] : text;
}

type Input = { collection?: string; record?: unknown; writes?: { collection: string; value: unknown }[] };

function assertInput(nsid: string, input: Input): void {
  lexicons.assertValidXrpcInput(nsid, jsonToLex(input));
  const { input: described } = lexicons.getDefOrThrow(nsid, ["procedure"]);
  const stray = strayFields(described?.schema, input);
  if (input.collection === POSTS && input.record) stray.push(...assertRecord(POSTS, input.record));
  for (const { collection, value } of input.writes ?? []) stray.push(...assertRecord(collection, value));
  if (stray.length > 0) throw new Error(`${nsid} has no ${stray.join(", ")}`);
}

function assertRecord(collection: string, record: unknown): string[] {
  lexicons.assertValidRecord(collection, jsonToLex(record));
  return strayFields(lexicons.getDefOrThrow(collection, ["record"]).record, record);
}

/** A definition of a lexicon, as far as it names fields. */
type Definition = { type: string; ref?: string; items?: Definition; properties?: { [name: string]: Definition } };
type Fields = { [name: string]: unknown };

/** Returns the fields that no lexicon defines. Bluesky's own validation accepts them, because a newer lexicon may define them. */
function strayFields(definition: Definition | undefined, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => strayFields(definition?.items, item));
  if (!definition || typeof value !== "object" || value === null) return [];
  const { $type, ...fields } = value as Fields;
  if (definition.type === "ref") return strayFields(definitionOf(definition.ref), value);
  if (definition.type === "union") return strayFields(definitionOf($type), value);
  if (definition.type !== "object") return []; // a blob, a link, or anything
  return Object.entries(fields).flatMap(([name, field]) => {
    const known = definition.properties?.[name];
    return known ? strayFields(known, field) : [name];
  });
}

function definitionOf(uri: unknown): Definition {
  return lexicons.getDefOrThrow(String(uri)) as Definition;
}
