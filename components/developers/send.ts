import type { Call } from "./calls";

/** The response; status 0 if there was none. */
export type Answered = { status: number; ms: number; requestId?: string; body: string };

type Sent = { url: string; method: string; headers: { [name: string]: string }; body?: BodyInit };

const LONGEST = 100_000;

/** Sends the request that a form describes. The session cookie replaces a token. */
export async function send(call: Call, form: FormData): Promise<Answered> {
  const begun = performance.now();
  const { url, ...init } = requestOf(call, form);
  try {
    const answer = await fetch(url, { ...init, headers: { Accept: "application/json", ...init.headers } });
    const text = await answer.text();
    return {
      status: answer.status,
      ms: Math.round(performance.now() - begun),
      requestId: answer.headers.get("x-request-id") ?? undefined,
      body: shown(text),
    };
  } catch {
    return { status: 0, ms: Math.round(performance.now() - begun), body: "" };
  }
}

/** Builds the request from the form; empty optional values are omitted. */
export function requestOf({ method, path, fields, body, bodyType, files }: Call, form: FormData): Sent {
  const textOf = (name: string) => String(form.get(name) ?? "").trim();
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(textOf(`path ${name}`)));
  const given = fields.filter((field) => field.in === "query" && textOf(`query ${field.name}`) !== "");
  const query = new URLSearchParams(given.map(({ name }) => [name, textOf(`query ${name}`)]));
  const url = query.size > 0 ? `${filled}?${query}` : filled;
  if (files.length > 0) {
    const parts = new FormData();
    for (const part of files) parts.append(part, form.get(`file ${part}`) ?? "");
    return { url, method, headers: {}, body: parts };
  }
  if (body === undefined) return { url, method, headers: {} };
  return { url, method, headers: { "Content-Type": bodyType ?? "application/json" }, body: textOf("body") };
}

/** Pretty-prints JSON. */
function shown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, LONGEST);
  } catch {
    return text.slice(0, LONGEST);
  }
}
