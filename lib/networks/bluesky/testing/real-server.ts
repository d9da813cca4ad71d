import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { z } from "zod";
import type { App, Network } from "../../network";
import { makeApp } from "../../wire/fetch";
import { bluesky } from "..";
import { validated } from "./lexicon-checks";

/** `npm test` installs it here (bin/pds.mjs). */
const folder = join(import.meta.dirname, "../../../../.cache/pds");
export const isInstalled = existsSync(join(folder, "installed"));

const addresses = z.object({ pds: z.string(), plc: z.string() });
const account = z.object({ did: z.string(), accessJwt: z.string() });

/** Starts Bluesky's reference server for the tests of one file, with an app whose requests all go to it. */
export function realServer() {
  const own: { at?: z.output<typeof addresses>; stop?: () => void } = {};
  beforeAll(async () => {
    if (!isInstalled) return;
    const child = fork(join(import.meta.dirname, "serve-pds.cjs"), [folder], { execArgv: [], stdio: "inherit" });
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
    async person(name: string) {
      const made = { handle: `${name}.test`, email: `${name}@example.com`, password: `main-${name}` };
      const { did, accessJwt } = account.parse(await xrpc("com.atproto.server.createAccount", made));
      const answer = await xrpc("com.atproto.server.createAppPassword", { name: "carillon" }, accessJwt);
      const { password } = z.object({ password: z.string() }).parse(answer);
      const revoke = () => xrpc("com.atproto.server.revokeAppPassword", { name: "carillon" }, accessJwt);
      return { did, handle: made.handle, password, mainPassword: made.password, revoke };
    },
  };
}
