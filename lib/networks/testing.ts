import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PlatformError } from "./errors";
import { makeApp } from "./fetch";
import type { App, Network, OAuthConnect, OutgoingMedia, Recovery, Run, Session, Tokens } from "./network";

/** What a Run remembers between attempts: results, and intents whose outcome is not known. */
export type Memory = { done: Map<string, unknown>; intents: Map<string, Date> };

export function newMemory(): Memory {
  return { done: new Map(), intents: new Map() };
}

/** A Run in memory, with the rules that `Run` documents; `wait` passes between two polls. */
export function memoryRun(session: Session, memory = newMemory(), wait: () => Promise<unknown> = pause): Run {
  const { done, intents } = memory;
  async function remembered<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (!done.has(name)) done.set(name, JSON.parse(JSON.stringify(await work())));
    return done.get(name) as T; // what was stored under this name by this very call's type
  }
  async function commit<T>(name: string, work: () => Promise<T>, recovery?: Recovery<T>): Promise<T> {
    const since = intents.get(name);
    if (since) {
      const found = await recovery?.find(since);
      if (found !== undefined) return found;
      if (!recovery?.repeatable) throw new PlatformError("unknown", "The outcome is not known");
    }
    intents.set(name, since ?? new Date());
    try {
      return await work();
    } catch (error) {
      if (error instanceof PlatformError && error.refused) intents.delete(name);
      throw error;
    }
  }
  async function poll<T>(check: () => Promise<T | undefined>): Promise<T> {
    for (let round = 0; round < 50; round++) {
      const result = await check();
      if (result !== undefined) return result;
      await wait();
    }
    throw new Error("polled 50 times without a result");
  }
  return {
    ...session,
    step: remembered,
    commit: (name, work, recovery) => remembered(name, () => commit(name, work, recovery)),
    poll: (name, check) => remembered(name, () => poll(check)),
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** The app that a sandbox on some port knows for a network. */
export function sandboxApp(network: Network, sandboxUrl: string, name: string): App {
  const clientSecret = name === "telegram" ? "1000000001:sandbox-telegram-bot" : `sandbox-${name}-secret`;
  const clientId = `sandbox-${name}`;
  return makeApp(network, { mode: "sandbox", clientId, clientSecret, apiUrl: `${sandboxUrl}/${name}` });
}

/** Connects as a person would, by the consent form; answers the tokens. */
export async function connectBy(app: App, connect: OAuthConnect, account: string): Promise<Tokens> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const redirectUri = "http://localhost:3000/oauth/connect/callback";
  const { url, keep = {} } = await connect.begin(app, { state: "some-state", redirectUri, challenge, verifier });
  const answer = await submitConsent(url, { account, decision: "allow" });
  const callback = new URL(answer.headers.get("location") ?? "");
  if (callback.searchParams.get("state") !== "some-state") throw new Error(`the callback lost its state: ${callback}`);
  const code = callback.searchParams.get("code") ?? "";
  return connect.exchange(app, { code, redirectUri, verifier, keep });
}

/** Fills in and sends the one form of a consent page; the answer's redirect is not followed. */
export async function submitConsent(url: string, fields: { account: string; decision: string }): Promise<Response> {
  const page = await (await fetch(url)).text();
  const form = page.match(/<form\b[^>]*>/)?.[0];
  if (!form) throw new Error(`no form at ${url}: ${page.slice(0, 300)}`);
  const hidden = [...page.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(
    ([input]) => [attribute(input, "name"), attribute(input, "value")] as [string, string],
  );
  const action = new URL(attribute(form, "action") || url, url);
  const body = new URLSearchParams([...hidden, ...Object.entries(fields)]);
  return fetch(action, { method: "POST", body, redirect: "manual" });
}

function attribute(tag: string, name: string): string {
  const value = tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "";
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** A small web server for media: what it is given can be opened, and fetched under an address of its own. */
export async function mediaServer() {
  const files = new Map<string, { bytes: Uint8Array; contentType: string }>();
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    if (!file) return void response.writeHead(404).end();
    const head = { "content-type": file.contentType, "content-length": file.bytes.length };
    response.writeHead(200, head).end(request.method === "HEAD" ? undefined : file.bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP, so never a pipe's name
  return {
    file(bytes: Uint8Array, facts: Pick<OutgoingMedia, "kind" | "contentType" | "filename">): OutgoingMedia {
      return {
        ...facts,
        sizeBytes: bytes.length,
        open: async (range) => new Blob([new Uint8Array(bytes.slice(range?.first, range && range.last + 1))]).stream(),
        async publicUrl() {
          const path = `/${randomBytes(8).toString("hex")}/${facts.filename}`;
          files.set(path, { bytes, contentType: facts.contentType });
          return `http://127.0.0.1:${port}${path}`;
        },
      };
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
