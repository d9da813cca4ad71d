import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../../e2e/setup/service";
import type { Load, Loaded } from "./load";

function start(script: string, args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const stdio: ["pipe", "pipe", "inherit"] = ["pipe", "pipe", "inherit"];
  return spawn(process.execPath, ["--import", "tsx", join(root, "bench/api", script), ...args], { env, stdio });
}

/** Waits until a child process ends and parses the JSON that it printed. */
async function outputOf(child: ChildProcess): Promise<unknown> {
  if (!child.stdout) throw new Error("The process has no stdout");
  const printed = await text(child.stdout);
  return JSON.parse(printed);
}

export async function load(wanted: Load): Promise<Loaded> {
  const child = start("load.ts", []);
  child.stdin?.end(JSON.stringify(wanted));
  return (await outputOf(child)) as Loaded;
}

export type Inside = { plain: number; withKey: number; tokenMicroseconds: number };

export async function inside(args: string[], settings: { [name: string]: string }): Promise<Inside> {
  return (await outputOf(start("inside.ts", args, { ...process.env, ...settings }))) as Inside;
}

/** A server under load. */
export type Side = { port: number; pid: number };

/** Starts the reference server, which verifies each token `once` or `always`. */
export async function startReference(databaseUrl: string, baseUrl: string, verifies: "once" | "always") {
  const child = start("reference.ts", [databaseUrl, baseUrl, verifies]);
  const port = await new Promise<number>((resolve, reject) => {
    child.on("exit", () => reject(new Error("The reference server did not start")));
    child.stdout?.on("data", (data) => {
      const listening = /listening on (\d+)/.exec(String(data));
      if (listening) resolve(Number(listening[1]));
    });
  });
  return { port, pid: child.pid ?? 0, stop: () => child.kill() };
}
