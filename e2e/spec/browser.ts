import type { Fields } from "./client";

/** A browser over HTTP: it keeps cookies, does not follow redirects by itself and submits forms. */
export type Browser = {
  open(url: string, init?: { headers?: Fields; method?: string }): Promise<Response>;
  /** Submits a page's first form with its hidden fields and these fields. */
  submit(page: Page, fields: Fields): Promise<Response>;
  /** Follows redirects until one leads to `end`, submitting every form on the way. Returns the address or the last page. */
  follow(url: string, end: string, fields: Fields): Promise<{ address?: string; page?: Page }>;
  /** The `Cookie` header that it would send to the service. */
  cookie(): string;
};

export type Page = { url: string; status: number; html: string };

const MOST_HOPS = 12;

export function openBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  async function send(url: string, init: Omit<RequestInit, "headers"> & { headers?: Fields } = {}): Promise<Response> {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie ? { cookie } : {}), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    return response;
  }
  function submit({ html, url }: Page, fields: Fields): Promise<Response> {
    const { action, hidden } = formIn(html);
    const body = new URLSearchParams([...hidden, ...Object.entries(fields)]);
    return send(new URL(action || url, url).href, { method: "POST", body });
  }
  return {
    open: (url, init) => send(url, init),
    submit,
    async follow(start, end, fields) {
      let url = start;
      let response = await send(url);
      for (let hop = 0; hop < MOST_HOPS; hop++) {
        const location = response.headers.get("location");
        if (location?.startsWith(end)) return { address: location };
        if (location) {
          url = new URL(location, url).href;
          response = await send(url);
          continue;
        }
        const page = { url, status: response.status, html: await response.text() };
        if (page.status !== 200 || !/<form\b/.test(page.html)) return { page };
        response = await submit(page, fields);
      }
      throw new Error(`too many redirects after ${start}`);
    },
    cookie: () => [...jars.values()].flatMap((jar) => [...jar].map(([name, value]) => `${name}=${value}`)).join("; "),
  };
}

/** The action and the hidden fields of a page's first form. */
export function formIn(html: string): { action: string; hidden: [string, string][] } {
  const inputs = [...html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)];
  return {
    action: attribute(/<form\b[^>]*>/.exec(html)?.[0] ?? "", "action"),
    hidden: inputs.map(([input]) => [attribute(input, "name"), attribute(input, "value")]),
  };
}

/** The decoded value of a tag's attribute. */
function attribute(tag: string, name: string): string {
  const value = tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "";
  return value
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
