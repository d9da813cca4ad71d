import { type Command, helpOf, listOf, readInput, UsageError, usageLine } from "./cli/command";
import { commands } from "./cli/commands";
import { ConnectError } from "./lib/connect";
import { openData } from "./lib/db/open";
import { ApiError } from "./lib/errors";
import { log } from "./lib/log";
import { PlatformError } from "./lib/networks";

export { env } from "./lib/env";

const HELP = ["--help", "-h", "help"];

/**
 * Runs one command. Prints its JSON object to standard output and messages to standard error. The exit code is 1 if the command
 * failed, and 2 if the arguments are wrong.
 */
export async function main(argv: string[]): Promise<void> {
  const name = [argv.slice(0, 2).join(" "), argv[0] ?? ""].find((words) => Object.hasOwn(commands, words));
  const command = name === undefined ? undefined : commands[name];
  if (!command || name === undefined) return mainList(argv);
  const args = argv.slice(name.split(" ").length);
  if (HELP.includes(args[0] ?? "") || args.includes("--help")) return console.log(helpOf(name, command));
  try {
    const input = readInput(command, args);
    // A person wants the messages and the progress, not a log line for each post.
    if (log.level === "info") log.level = "warn";
    const work = await command.prepare(input);
    console.log(JSON.stringify(await (command.skipsDatabase ? work() : onDatabase(command, work))));
  } catch (error) {
    if (error instanceof UsageError) return fail(2, `${error.message}\nusage: ${usageLine(name, command)}`);
    if (error instanceof ApiError || error instanceof PlatformError) return fail(1, error.message);
    if (error instanceof ConnectError && error.failure !== "fault") return fail(1, error.message);
    throw error;
  }
}

/** Handles everything that is not the name of a command: a request for help, the first word of a command, or a mistake. */
function mainList([first, second]: string[]): void {
  const below = Object.fromEntries(Object.entries(commands).filter(([name]) => name.startsWith(`${first} `)));
  const isGroup = Object.keys(below).length > 0;
  const list = listOf(isGroup ? below : commands);
  const word = isGroup ? second : first;
  if (word && HELP.includes(word)) {
    console.log(list);
    return;
  }
  const what = isGroup ? `${first} ${second ?? ""}`.trim() : first;
  fail(2, `${what ? `unknown command: ${what}` : "command is missing"}\n${list}`);
}

async function onDatabase<T>({ ignoresKeys }: Command, work: () => Promise<T>): Promise<T> {
  const data = await openData("command", { ignoresKeys });
  try {
    return await work();
  } finally {
    await data.close();
  }
}

function fail(code: 1 | 2, message: string): void {
  console.error(message);
  process.exitCode = code;
}
