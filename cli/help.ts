import type { Command, Option } from "./command";

const CALL = "npm run carillon --";

/** `npm run carillon -- users create --email E --password P [--name N]` */
export function usageOf(name: string, { argument, options = {} }: Command): string {
  const words = Object.entries(options).map(([option, { value, required, many }]) => {
    const one = `--${option} ${value}`;
    const more = many ? ` [${one} …]` : "";
    return required ? `${one}${more}` : `[${one}]${more}`;
  });
  return [CALL, name, argument, ...words].filter(Boolean).join(" ");
}

/** Everything about one command. */
export function helpOf(name: string, command: Command): string {
  const { about, options = {}, prints, example } = command;
  const listed = Object.entries(options).map(([option, facts]) => [`--${option} ${facts.value}`, noteOf(facts)]);
  return [
    `${about}\n`,
    `Usage:\n  ${usageOf(name, command)}\n`,
    ...(listed.length > 0 ? [`Options:\n${columns(listed)}\n`] : []),
    `Prints:\n  ${prints}\n`,
    `Example:\n  ${[CALL, name, example].filter(Boolean).join(" ")}`,
  ].join("\n");
}

/** All of these commands, a line each. */
export function listOf(commands: { [name: string]: Command }): string {
  const lines = Object.entries(commands).map(([name, { about }]) => [name, about]);
  return [
    `Usage:\n  ${CALL} <command> [options]\n`,
    `Commands:\n${columns(lines)}\n`,
    `${CALL} <command> --help tells everything about one of them.`,
    "The answer is one JSON object on standard output; messages go to standard error.",
    "Exit codes: 0 done, 1 failed, 2 not a call of this command line.",
  ].join("\n");
}

function noteOf({ about, required }: Option): string {
  return required ? `${about} (required)` : about;
}

function columns(rows: string[][]): string {
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
