import { parseArgs } from "node:util";

/**
 * Reads the arguments of a development command, before it installs, builds or starts anything. `--help` prints the usage and exits
 * with 0. A wrong argument prints one sentence and the usage, and exits with 2.
 * @param {{ usage: string, options?: import("node:util").ParseArgsConfig["options"], names?: boolean, passesOn?: boolean, argv?: string[] }} wanted
 *   `names`: it takes arguments that are not options; `passesOn`: unknown options are for another program
 * @returns {{ values: Record<string, any>, positionals: string[], refuse: (problem: string) => never }} `refuse` ends the command
 *   because of a value
 */
export function readArguments({ usage, options = {}, names = false, passesOn = false, argv = process.argv.slice(2) }) {
  const refuse = (problem) => {
    console.error(`${problem}\nUsage: ${usage}`);
    process.exit(2);
  };
  const help = { type: "boolean", short: "h" };
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { ...options, help },
      allowPositionals: true,
      strict: !passesOn,
    });
    if (values.help) {
      console.log(`Usage: ${usage}`);
      process.exit(0);
    }
    if (!names && positionals.length > 0) refuse(`Unexpected argument: ${positionals[0]}`);
    return { values, positionals, refuse };
  } catch (error) {
    if (!error.code?.startsWith("ERR_PARSE_ARGS_")) throw error;
    return refuse(error.message.split(". ")[0]);
  }
}
