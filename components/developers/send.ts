import type { Call } from "./calls";

/** What came back; status 0 where nothing did. */
export type Answered = { status: number; ms: number; requestId?: string; body: string };

type Sent = { url: string; method: string; headers: { [name: string]: string }; body?: BodyInit };

const LONGEST = 100_000;

/** Makes a call with what the form holds, as any program would: the session's cookie stands for a token. */
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

/** The request that a form stands for; what is empty and optional is left out. */
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

/** JSON with a line for each field. */
function shown(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, LONGEST);
  } catch {
    return text.slice(0, LONGEST);
  }
}
