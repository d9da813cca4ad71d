import { parseArgs } from "node:util";
import { NETWORK_NAMES } from "./client.js";
import { SandboxError, startSandbox } from "./index.js";
import type { Network, RunningSandbox, StartOptions } from "./types.js";

const DEFAULT_PORT = 3010;

const HELP = `Usage: carillon-sandbox [--port N] [--host H] [--dir D]

Starts ten simulated social networks that speak the networks' own APIs. Nothing leaves this computer.

  --port N   the port; 0 picks a free one (default: ${DEFAULT_PORT})
  --host H   the address to listen on (default: this computer only). With 0.0.0.0,
             everybody who reaches this computer can also read and control the sandbox
  --dir D    a folder for posts, people and tokens, which outlive a restart there
             (default: a temporary folder that is deleted at the end)
  --help     shows this text

Documentation: https://www.npmjs.com/package/@carillon/sandbox
`;

// A closed output pipe must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const options = readOptions(process.argv.slice(2));
if (options === undefined) process.stdout.write(HELP);
else await run(options);

/** Returns undefined if the help is asked for. */
function readOptions(args: string[]): StartOptions | undefined {
  const known = {
    port: { type: "string" },
    host: { type: "string" },
    dir: { type: "string" },
    help: { type: "boolean" },
  } as const;
  try {
    const { port = String(DEFAULT_PORT), host, dir, help } = parseArgs({ args, options: known }).values;
    if (help) return undefined;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      exitWith(`--port must be a number from 0 to 65535, not "${port}".`);
    return { port: Number(port), host, dir };
  } catch (error) {
    if (error instanceof TypeError) exitWith(error.message.split(". ")[0] ?? error.message);
    throw error;
  }
}

async function run(options: StartOptions): Promise<void> {
  const starting = startSandbox(options);
  const stop = async () => {
    await starting.then((sandbox) => sandbox.close());
    process.exit(0);
  };
  // From the start, so that no temporary folder stays behind.
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  const sandbox = await starting.catch((error: unknown) => {
    if (error instanceof SandboxError) exitWith(error.message);
    throw error;
  });
  process.stdout.write(greeting(sandbox));
}

function greeting({ url, urls }: RunningSandbox): string {
  const width = Math.max(...Object.values(NETWORK_NAMES).map(({ length }) => length));
  const line = (name: string, address: string) => `  ${name.padEnd(width)}  ${address}\n`;
  const networks = (Object.keys(urls) as Network[]).map((network) => line(NETWORK_NAMES[network], urls[network]));
  return `The sandbox networks run at ${url}, where a browser shows their posts.

${networks.join("")}
Stop them with Ctrl+C, or with: kill ${process.pid}
`;
}

function exitWith(message: string): never {
  process.stderr.write(`${message}\nRun carillon-sandbox --help to see the options.\n`);
  process.exit(2);
}
