import { parseArgs } from "node:util";

/** A command of the operator's command line. */
export type Command = {
  /** What the command does, in one sentence. */
  about: string;
  /** The name of its positional argument, if it has one. In brackets, as in `[NETWORK]`: it may be left out. */
  argument?: string;
  options?: { [name: string]: Option };
  /** The database is not opened for the command: it calls a running service over HTTP, or migrates the database. */
  skipsDatabase?: true;
  /** The command works, or at least reports, with other keys than those of the installation. */
  ignoresKeys?: true;
  /** The JSON object that it prints to standard output. */
  prints: string;
  /** Example arguments. */
  example: string;
  /**
   * Checks the values of the arguments and options, and returns the work. The database is not open yet.
   * @throws UsageError for a wrong value
   */
  prepare(input: Input): Work | Promise<Work>;
};

/** The work of a command. Returns the object to print. */
type Work = () => Promise<unknown>;

/** An option with a value, or one that is only given or not (`isFlag`). */
type Option =
  | { value: string; about: string; required?: true; many?: true; isFlag?: undefined }
  | { isFlag: true; about: string; value?: undefined; required?: undefined; many?: undefined };

/** The parsed arguments. All required ones are present, and only repeatable options are repeated. */
export type Input = {
  argument: string;
  /** Returns the value of an option, or undefined if it is not given. */
  get(name: string): string | undefined;
  required(name: string): string;
  all(name: string): string[];
  /** True if the flag is given. */
  has(flag: string): boolean;
};

/** The arguments are wrong. The command did not run. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Returns the value. @throws UsageError if it is not one of `values` */
export function choice<T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(", ")}, not ${value}`);
  return found;
}

/**
 * Parses the arguments of a command.
 * @throws UsageError for unknown, missing or repeated options, and for missing or additional arguments
 */
export function readInput({ argument, options = {} }: Command, args: string[]): Input {
  const names = Object.keys(options);
  // An ID may begin with a hyphen. If the command has no options, it cannot be mistaken for one.
  const { values, positionals } =
    argument && names.length === 0 ? { values: {} as Values, positionals: args } : parsed(args, options);
  const problems = Object.entries(options).flatMap(([name, { required, many }]) => {
    const given = values[name] ?? [];
    if (required && !given.some(Boolean)) return [`--${name} is missing`];
    return given.length > 1 && !many ? [`--${name} is given twice`] : [];
  });
  const [first = "", ...rest] = positionals;
  if (argument && !first && !isOptional(argument)) problems.push(`${argument} is missing`);
  for (const word of argument ? rest : positionals) problems.push(`unexpected argument: ${word}`);
  if (problems.length > 0) throw new UsageError(problems.join("; "));
  return {
    argument: first,
    get: (name) => values[name]?.[0],
    required: (name) => values[name]?.[0] ?? "",
    all: (name) => values[name] ?? [],
    has: (flag) => values[flag] !== undefined,
  };
}

const isOptional = (argument: string) => argument.startsWith("[");

type Values = { [name: string]: string[] };

function parsed(args: string[], known: { [name: string]: Option }): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { isFlag }]) => {
      const type: "boolean" | "string" = isFlag ? "boolean" : "string";
      return [name, { type, multiple: true }] as const;
    }),
  );
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const given = Object.entries(values).map(([name, value]) => [name, (value ?? []).map(String)] as const);
    return { values: Object.fromEntries(given), positionals };
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    throw new UsageError(error.message.split(". ")[0] ?? error.message);
  }
}

const CALL = "npm run carillon --";

/** `npm run carillon -- users create --email E --password P [--name N]` */
export function usageLine(name: string, { argument, options = {} }: Command): string {
  const words = Object.entries(options).map(([option, { value, required, many }]) => {
    const one = nameAndValue(option, value);
    const more = many ? ` [${one} …]` : "";
    return required ? `${one}${more}` : `[${one}]${more}`;
  });
  return [CALL, name, argument, ...words].filter(Boolean).join(" ");
}

/** The help text of one command. */
export function helpOf(name: string, command: Command): string {
  const { about, options = {}, prints, example } = command;
  const listed = Object.entries(options).map(([option, facts]) => [nameAndValue(option, facts.value), noteOf(facts)]);
  return [
    `${about}\n`,
    `Usage:\n  ${usageLine(name, command)}\n`,
    ...(listed.length > 0 ? [`Options:\n${columns(listed)}\n`] : []),
    `Prints:\n  ${prints}\n`,
    `Example:\n  ${[CALL, name, example].filter(Boolean).join(" ")}`,
  ].join("\n");
}

/** The list of commands, one per line. */
export function listOf(commands: { [name: string]: Command }): string {
  const lines = Object.entries(commands).map(([name, { about }]) => [name, about]);
  return [
    `Usage:\n  ${CALL} <command> [options]\n`,
    `Commands:\n${columns(lines)}\n`,
    `${CALL} <command> --help describes one command.`,
    "A command prints one JSON object to standard output, and messages to standard error.",
    "Exit codes: 0 success, 1 failure, 2 wrong arguments.",
  ].join("\n");
}

const nameAndValue = (option: string, value?: string) => `--${option}${value ? ` ${value}` : ""}`;

function noteOf({ about, required }: Option): string {
  return required ? `${about} (required)` : about;
}

function columns(rows: string[][]): string {
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
