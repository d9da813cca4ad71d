import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { CarillonError } from "../../sdk/src";
import { version } from "../package.json";
import { accountsCommand } from "./accounts";
import { type Command, Failure, type Input, type Option, plain, spoken, UsageError } from "./command";
import { listenCommand, logsCommand } from "./events";
import { importCommand, listCommand } from "./lists";
import { checkedLogin, clientOf, forget, store } from "./login";
import { postCommand, validateCommand } from "./post";

const loginCommand: Command = {
  about: "Stores a personal token, which it reads from standard input, after checking it",
  async run({ get, print }) {
    const { login, person } = await checkedLogin({ url: get("url"), token: get("token") });
    const file = await store(login);
    print({ url: login.url, user: person, file }, [`Logged in to ${login.url} as ${plain(person.name)}.`]);
  },
};

const logoutCommand: Command = {
  about: "Deletes the stored token from this computer",
  async run({ print }) {
    const loggedOut = await forget();
    const note = "Revoke the token under Developers in the dashboard, so that copies of it stop working too.";
    print({ loggedOut }, [loggedOut ? `Logged out. ${note}` : "You were not logged in."]);
  },
};

const commands: { [name: string]: Command } = {
  login: loginCommand,
  logout: logoutCommand,
  accounts: accountsCommand,
  post: postCommand,
  validate: validateCommand,
  import: importCommand,
  list: listCommand,
  logs: logsCommand,
  listen: listenCommand,
};

const everywhere: { [name: string]: Option } = {
  url: {
    type: "string",
    value: "URL",
    about: "the address of the server (default: CARILLON_URL, or that of the login)",
  },
  token: { type: "string", value: "TOKEN", about: "a personal token (default: CARILLON_TOKEN, or that of the login)" },
  json: { type: "boolean", about: "prints JSON; logs and listen print one object on each line" },
  help: { type: "boolean", about: "shows this text" },
};

/**
 * Node would optimize the parser of `fetch`, which is WebAssembly, at the first request. That takes a quarter of the CPU of most
 * commands, and ends after they do.
 */
setFlagsFromString("--wasm-tiering-budget=1000000000");

const EXIT = { failed: 1, usage: 2 };

/** Aborted by Ctrl-C, and when nothing reads the output any more, as after `| head`. */
const stopping = new AbortController();

// A closed output pipe must not end the process with an error.
process.stdout.on("error", () => stopping.abort());
process.stderr.on("error", () => {});

await main(process.argv.slice(2));

async function main([name = "--help", ...args]: string[]): Promise<void> {
  if (name === "--version") return write(version);
  if (name === "--help" || name === "help") return write(overview());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const isJson = args.includes("--json");
  try {
    if (!command) throw new UsageError(`There is no command ${name}. Run carillon-cli --help to see the commands`);
    await run(name, command, args);
  } catch (error) {
    report(error, isJson);
  }
}

async function run(name: string, command: Command, args: string[]): Promise<void> {
  const options = { ...command.options, ...everywhere };
  const { values, positionals } = parsedArgs(args, options, name);
  if (values.help) return write(helpOf(name, command));
  if (positionals.length > (command.maxWords ?? 0)) {
    const surplus = positionals[command.maxWords ?? 0];
    throw new UsageError(
      `Unexpected argument ${surplus}. Put quotes around a text, and see carillon-cli ${name} --help`,
    );
  }
  const get = (option: string) => values[option] as string | undefined;
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const isLines = name === "logs" || name === "listen";
  const input: Input = {
    ...{ words: positionals, get, signal: stopping.signal },
    flag: (option) => values[option] !== undefined,
    all: (option) => (values[option] as string[] | undefined) ?? [],
    client: () => clientOf({ url: get("url"), token: get("token") }),
    print: (data, lines) => write(values.json ? JSON.stringify(data, null, isLines ? 0 : 2) : lines.join("\n")),
    note: (line) => void process.stderr.write(`${values.json ? JSON.stringify({ note: line }) : line}\n`),
  };
  try {
    await command.run(input);
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
    throw new Failure("Stopped");
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

type Values = { [option: string]: string | boolean | string[] | undefined };

/** The cast: `parseArgs` infers the types of options only from a literal. */
function parsedArgs(args: string[], options: { [name: string]: Option }, name: string) {
  const known = Object.entries(options).map(([option, { type, multiple = false }]) => [option, { type, multiple }]);
  try {
    const { values, positionals } = parseArgs({ args, options: Object.fromEntries(known), allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${mistakeOf(error.message)}. See carillon-cli ${name} --help`);
  }
}

/** Returns what is wrong with the arguments, from the words of `parseArgs`. */
function mistakeOf(said: string): string {
  const [, option] = /^Option '(--[\w-]+).*(?:argument missing|is ambiguous)/.exec(said) ?? [];
  if (option) return `${option} needs a value`;
  const [first] = said.split(". ");
  return /^Unknown option '-\w/.test(said) ? `${first}. Put -- before a text that begins with a dash` : `${first}`;
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the one sentence that says what to do, and sets the exit code. */
function report(error: unknown, isJson: boolean): void {
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  const message = messageOf(error);
  const { status, problems } = error instanceof CarillonError ? error : { status: undefined, problems: undefined };
  const data = error instanceof Failure ? error.data : undefined;
  if (isJson) process.stderr.write(`${JSON.stringify({ error: message, status, problems, data })}\n`);
  else process.stderr.write(`${message}\n`);
}

/** The SDK's errors are for programmers and name its own options, so this rewrites them. */
function messageOf(error: unknown): string {
  if (!(error instanceof CarillonError)) return error instanceof Error ? error.message : String(error);
  const { status, message, problems } = error;
  if (status === 401 && !message.includes("baseUrl"))
    return "The token is wrong, expired or revoked. Create another one under Developers in the dashboard, and run carillon-cli login (or set CARILLON_TOKEN)";
  if (status === 403 && !message.includes("baseUrl"))
    return `${plain(message)}. The token may lack a permission. Create one with more under Developers in the dashboard, and run carillon-cli login`;
  const lines = problems.map(({ path, message: said, fix }) =>
    plain([path, said, fix && `(${spoken(fix)})`].filter(Boolean).join(" ")),
  );
  if (lines.length > 0) return lines.join("\n");
  const said = message
    .replaceAll("baseUrl", "--url")
    .replace("Wait longer with timeoutMs", "Look again later with carillon-cli list")
    .replace(". Use uploadToStore, or ask", ". Ask");
  const text = plain(said);
  // The commands call only routes that every server has.
  if (status === 404 && !text.includes("--url")) return `${text}. Check that --url is the address of a Carillon server`;
  return text.includes("(ERR_SSL_") ? `${text}. If the server has no certificate, use http:// in its address` : text;
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return `Usage: carillon-cli COMMAND [options]

Posts to ten social networks through Carillon.

${lines.join("\n")}

carillon-cli COMMAND --help shows the options of a command. The guide is at /docs/cli on your server.
Exit codes: 0 done, 1 refused or failed, 2 wrong command line.`;
}

function helpOf(name: string, { about, words, options }: Command): string {
  const all = Object.entries({ ...options, ...everywhere }).map(([option, { value, multiple, about: text }]) => [
    `--${option}${value ? ` ${value}` : ""}${multiple ? " …" : ""}`,
    text,
  ]);
  const width = Math.max(...all.map(([option = ""]) => option.length));
  const lines = all.map(([option = "", text]) => `  ${option.padEnd(width)}  ${text}`);
  return `Usage: carillon-cli ${name}${words ? ` ${words}` : ""} [options]\n\n${about}.\n\n${lines.join("\n")}`;
}
