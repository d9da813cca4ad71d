import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, surroundings } from "./service";

/** A block of commands in a document and the output that the document shows for it. */
export type Step = { heading: string; commands: string; prints?: { language: string; text: string } };

/** The shell blocks of a Markdown file in order, each with the output block that directly follows it. */
export async function readSteps(file: string): Promise<Step[]> {
  const text = await readFile(join(root, file), "utf8");
  const steps: Step[] = [];
  let heading = "";
  let end = 0;
  for (const match of text.matchAll(/^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const [whole, title, language, block = ""] = match;
    const last = steps.at(-1);
    if (title) heading = title;
    else if (language === "sh") steps.push({ heading, commands: block });
    else if (language && last && text.slice(end, match.index).trim() === "") last.prints = { language, text: block };
    end = match.index + whole.length;
  }
  return steps;
}

const DONE = "-- done --";

/** A shell into which a reader would paste the blocks. `type` is what the reader types when a block waits for input. */
export function openShell(settings: { [name: string]: string }) {
  const shell = spawn("bash", ["--noprofile", "--norc"], {
    cwd: root,
    env: { ...surroundings, ...settings },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  let heard = () => {};
  let fail = (_: Error) => {};
  shell.stdout.on("data", (data: Buffer) => {
    output += data;
    heard();
  });
  shell.once("exit", () => fail(new Error(`The shell ended: ${errors}`)));
  shell.stderr.on("data", (data: Buffer) => {
    errors += data;
  });
  return {
    /** Runs a block unchanged and returns what it printed. @throws Error if it printed to standard error or the shell ended */
    async run(commands: string, type = ""): Promise<string> {
      output = "";
      shell.stdin.write(`${commands}${type}${type && "\n"}echo "${DONE}"\n`);
      await new Promise<void>((resolve, reject) => {
        heard = () => output.includes(DONE) && resolve();
        fail = reject;
      });
      if (errors !== "") throw new Error(`${commands}\nprinted to standard error: ${errors}`);
      return output.slice(0, output.indexOf(DONE)).trim();
    },
    close: () => shell.kill(),
  };
}

const CHANGING: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g, "<time>"],
  [/\/status\/\d+/g, "/status/<number>"],
  [/"(accountId|accountAvatarUrl)": "[^"]*"/g, '"$1": "<the network\'s>"'],
  [/"(id|socialMediaAccountId)": \d+/g, '"$1": <number>'],
];

/** Replaces everything that differs between runs (IDs, creation times, network account IDs) with placeholders. */
export function steady(text: string, language: string): string {
  const even = language === "json" ? JSON.stringify(JSON.parse(text), null, 1) : text.trim();
  return CHANGING.reduce((all, [pattern, word]) => all.replace(pattern, word), even);
}
