import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import type { App, Network, NetworkSession, OutgoingMedia, Published, Tokens } from "../../network";
import { memoryRun, newMemory } from "../../testing";
import { makeApp, makeSession } from "../../wire/fetch";
import { bluesky } from "..";
import { publishPost } from "../publish";
import type { BlueskySettings } from "../settings";
import { validated } from "./lexicon-checks";
import { connect } from "./sandbox";

/** Where `npm test` installs the versions of the server (bin/pds.mjs). */
const folder = join(import.meta.dirname, "../../../../.cache/bluesky-servers");
/** The names of the packages. */
const PACKAGES = { pds: "@atproto/pds", "pds-2024": "pds-2024" };

const addresses = z.object({ pds: z.string(), plc: z.string() });
const account = z.object({ did: z.string(), accessJwt: z.string() });
const recordSchema = z.object({ uri: z.string(), cid: z.string(), value: z.record(z.string(), z.unknown()) });

type Person = { did: string; handle: string; password: string; mainPassword: string; revoke: () => Promise<unknown> };

/** Starts Bluesky's reference server for the tests of one file, with an app whose requests all go to it. */
export function realServer(version: keyof typeof PACKAGES) {
  const isInstalled = existsSync(join(folder, "installed"));
  const own: { at?: z.output<typeof addresses>; stop?: () => void } = {};
  beforeAll(async () => {
    if (!isInstalled) return;
    const child = fork(join(import.meta.dirname, "serve-pds.cjs"), [folder, PACKAGES[version]], {
      execArgv: [],
      stdio: "inherit",
    });
    own.stop = () => child.disconnect();
    own.at = await new Promise((resolve, reject) => {
      child.once("message", (message) => resolve(addresses.parse(message)));
      child.once("exit", (code) => reject(new Error(`Bluesky's server ended with ${code}`)));
    });
  }, 60_000);
  afterAll(() => own.stop?.());

  const up = () => {
    if (!own.at) throw new Error("Bluesky's server is not running");
    return own.at;
  };
  async function xrpc(nsid: string, body: object, token?: string): Promise<unknown> {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${up().pds}/xrpc/${nsid}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${nsid}: ${answer.status} ${await answer.text()}`);
    return answer.headers.get("content-type")?.includes("json") ? answer.json() : undefined;
  }
  return {
    isInstalled,
    get url() {
      return up().pds;
    },
    /** The network definition with this server and directory as its hosts. */
    network(): Network {
      const { pds, plc } = up();
      return { ...bluesky, hosts: { api: pds, entrance: pds, appview: pds, plc, video: pds } };
    },
    app(): App {
      const app = makeApp(this.network(), {
        mode: "real",
        clientId: "https://carillon.example/client",
        clientSecret: "",
      });
      return { ...app, fetch: validated(app.fetch) };
    },
    /** Creates an account with an app password. */
    async person(name: string): Promise<Person> {
      const made = { handle: `${name}.test`, email: `${name}@example.com`, password: `main-${name}` };
      const { did, accessJwt } = account.parse(await xrpc("com.atproto.server.createAccount", made));
      const answer = await xrpc("com.atproto.server.createAppPassword", { name: "carillon" }, accessJwt);
      const { password } = z.object({ password: z.string() }).parse(answer);
      const revoke = () => xrpc("com.atproto.server.revokeAppPassword", { name: "carillon" }, accessJwt);
      return { did, handle: made.handle, password, mainPassword: made.password, revoke };
    },
    /** Returns a session with these tokens, for the account that they belong to. */
    async session(tokens: Tokens): Promise<NetworkSession> {
      const sessionOf = (whose: { accountId: string; username: string }) => {
        const session = makeSession(this.network(), this.app(), { ...whose, tokens });
        return { ...session, fetch: validated(session.fetch) };
      };
      return sessionOf(await bluesky.profile(sessionOf({ accountId: "", username: "" })));
    },
    /** Connects an account with its app password. */
    async signedIn({ handle, password }: Pick<Person, "handle" | "password">): Promise<NetworkSession> {
      const tokens = await connect.password?.signIn(this.app(), { account: handle, password });
      if (!tokens) throw new Error("Bluesky has no app passwords");
      return this.session(tokens);
    },
    /** Reads a post without authentication. */
    async readBack(uri: string) {
      const [repo = "", collection = "", rkey = ""] = uri.replace("at://", "").split("/");
      const query = new URLSearchParams({ repo, collection, rkey });
      const answer = await fetch(`${up().pds}/xrpc/com.atproto.repo.getRecord?${query}`);
      return recordSchema.parse(await answer.json());
    },
  };
}

/** Returns a PNG image, either of one colour or of noise, which cannot be compressed. */
export async function image(width: number, height: number, noise = false): Promise<OutgoingMedia> {
  const plain = { create: { width, height, channels: 3 as const, background: "#3366cc" } };
  const raw = { raw: { width, height, channels: 3 as const } };
  const picture = noise ? sharp(randomBytes(width * height * 3), raw) : sharp(plain);
  const bytes = new Uint8Array(await picture.png().toBuffer());
  const open = async () => new Blob([bytes]).stream();
  const facts = { kind: "image", contentType: "image/png", filename: "picture.png", sizeBytes: bytes.length } as const;
  return { ...facts, width, height, open, publicUrl: () => Promise.reject(new Error("not fetched by address")) };
}

export function publishOnServer(
  session: NetworkSession,
  content: string,
  media: OutgoingMedia[] = [],
  after?: { id: string },
  settings: BlueskySettings = {},
  memory = newMemory(),
): Promise<Published> {
  return publishPost({ content, media, settings, after }, memoryRun(session, memory));
}

/**
 * Signs in on the consent page of the server of 2024 and allows the request, as a browser would.
 * @returns the address of the callback
 */
export async function consentOf2024(url: string, { did, handle, mainPassword }: Person): Promise<URL> {
  const { origin, searchParams } = new URL(url);
  const asked = { client_id: searchParams.get("client_id") ?? "", request_uri: searchParams.get("request_uri") ?? "" };
  const cookies = new Map<string, string>();
  const visit = async (address: string, headers: { [name: string]: string }, body?: object) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await ask(address, { ...headers, cookie }, body);
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  await visit(url, { ...navigation, "sec-fetch-site": "none" });
  const csrf_token = [...cookies].find(([name]) => name.startsWith("csrf-"))?.[1] ?? "";
  const script = { "sec-fetch-mode": "same-origin", "sec-fetch-site": "same-origin", origin, referer: url };
  const credentials = { username: handle, password: mainPassword };
  const signedIn = await visit(`${origin}/oauth/authorize/sign-in`, script, { ...asked, csrf_token, credentials });
  if (signedIn.statusCode !== 200) throw new Error(`the sign-in answered ${signedIn.statusCode}`);
  const decision = new URLSearchParams({ ...asked, csrf_token, account_sub: did });
  const headers = { ...navigation, "sec-fetch-site": "same-origin", referer: url };
  const { headers: answered } = await visit(`${origin}/oauth/authorize/accept?${decision}`, headers);
  return new URL(answered.location ?? "");
}

/** Sends a request with the headers of a browser, which `fetch` does not allow. */
function ask(address: string, headers: { [name: string]: string }, body?: object): Promise<IncomingMessage> {
  const sent = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request(address, {
      method: sent ? "POST" : "GET",
      headers: { ...headers, ...(sent ? { "content-type": "application/json" } : {}) },
    });
    call.once("error", reject);
    call.once("response", (answer) => {
      answer.resume();
      resolve(answer);
    });
    call.end(sent);
  });
}
