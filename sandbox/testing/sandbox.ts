import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { CallEntry } from "../core/calls";
import type { Post } from "../core/posts";
import { type RunningSandbox, startSandbox } from "../server";

export type TestSandbox = {
  url: string;
  dir: string;
  control(method: string, path: string, body?: unknown): Promise<Response>;
  posts(network: string): Promise<Post[]>;
  calls(network: string): Promise<CallEntry[]>;
  fault(fault: Record<string, unknown>): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** Stops the server and starts another one on the same state. */
  restart(): Promise<void>;
};

type Running = Pick<RunningSandbox, "url" | "close"> & Partial<Pick<RunningSandbox, "control">>;
const fromSource = (dir: string) => startSandbox({ port: 0, dir });

/**
 * Starts a sandbox for this test file, over real HTTP on a free port, with a temporary directory.
 * @param start starts the networks in another way, such as from their package
 */
export function testSandbox(start: (dir: string) => Promise<Running> = fromSource): TestSandbox {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "sandbox-"));
  let running: Running;
  beforeAll(async () => {
    running = await start(dir);
  });
  afterAll(async () => {
    await running.close();
    fs.rmSync(dir, { recursive: true, force: true });
  });

  function control(method: string, at: string, body?: unknown): Promise<Response> {
    const init = {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    };
    return running.control?.(at, init) ?? fetch(`${running.url}/_control/${at}`, init);
  }
  return {
    get url() {
      return running.url;
    },
    dir,
    control,
    posts: async (network) => (await control("GET", `posts?network=${network}`)).json(),
    calls: async (network) => (await control("GET", `calls?network=${network}`)).json(),
    async fault(fault) {
      const answer = await control("POST", "faults", fault);
      if (answer.status !== 204) throw new Error(await answer.text());
    },
    async advance(seconds) {
      await control("POST", "clock", { advanceSeconds: seconds });
    },
    async restart() {
      await running.close();
      running = await start(dir);
    },
  };
}

/** Submits a consent page. Returns the URL that the browser is redirected to. */
export async function decide(page: string, decision: "allow" | "deny", account = "alice"): Promise<URL> {
  const answer = await fetch(page, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ account, decision }),
  });
  if (answer.status !== 302 && answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "");
}

export function form(fields: Record<string, string>): URLSearchParams {
  return new URLSearchParams(fields);
}
