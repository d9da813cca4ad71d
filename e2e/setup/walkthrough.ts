import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root, surroundings } from "./service";

/** A block of commands of a document, and what the document says that it prints. */
export type Step = { heading: string; commands: string; prints?: { language: string; text: string } };

/** The shell blocks of a Markdown file, in order; a block of output right after one belongs to it. */
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

/** One shell that a reader would paste the blocks into; `type` is what the reader types while a block waits for it. */
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
  shell.once("exit", () => fail(new Error(`the shell ended: ${errors}`)));
  shell.stderr.on("data", (data: Buffer) => {
    errors += data;
  });
  return {
    /** Runs a block as it is and answers what it printed. */
    async run(commands: string, type = ""): Promise<string> {
      output = "";
      shell.stdin.write(`${commands}${type}${type && "\n"}echo "${DONE}"\n`);
      await new Promise<void>((resolve, reject) => {
        heard = () => output.includes(DONE) && resolve();
        fail = reject;
      });
      if (errors !== "") throw new Error(`${commands}\nsaid: ${errors}`);
      return output.slice(0, output.indexOf(DONE)).trim();
    },
    close: () => shell.kill(),
  };
}

const CHANGING: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}/g, "<time>"],
  [/"(accountId|accountAvatarUrl)": "[^"]*"/g, '"$1": "<the network\'s>"'],
  [/"(id|socialMediaAccountId)": \d+/g, '"$1": <number>'],
];

/** A text in which what differs from run to run (ids, times of making, the network's own names) reads the same. */
export function steady(text: string, language: string): string {
  const even = language === "json" ? JSON.stringify(JSON.parse(text), null, 1) : text.trim();
  return CHANGING.reduce((all, [pattern, word]) => all.replace(pattern, word), even);
}
