import { parseArgs } from "node:util";
import { type Command, type Input, UsageError } from "./command";

/**
 * Reads what was typed after a command's name.
 * @throws UsageError for an unknown option, a missing one, one that is given twice, and for what is too much or too little
 */
export function readInput({ argument, options = {} }: Command, args: string[]): Input {
  const names = Object.keys(options);
  // An id may begin with a hyphen; without options there is nothing that it could be taken for.
  const { values, positionals } =
    argument && names.length === 0 ? { values: {} as Values, positionals: args } : parsed(args, names);
  const problems = Object.entries(options).flatMap(([name, { required, many }]) => {
    const given = values[name] ?? [];
    if (required && !given.some(Boolean)) return [`--${name} is missing`];
    return given.length > 1 && !many ? [`--${name} is given twice`] : [];
  });
  const [first = "", ...rest] = positionals;
  if (argument && !first) problems.push(`${argument} is missing`);
  for (const word of argument ? rest : positionals) problems.push(`unexpected argument: ${word}`);
  if (problems.length > 0) throw new UsageError(problems.join("; "));
  return {
    argument: first,
    get: (name) => values[name]?.[0],
    required: (name) => values[name]?.[0] ?? "",
    all: (name) => values[name] ?? [],
  };
}

type Values = { [name: string]: string[] };

function parsed(args: string[], names: string[]): { values: Values; positionals: string[] } {
  const options = Object.fromEntries(names.map((name) => [name, { type: "string", multiple: true }] as const));
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const given = Object.entries(values).map(([name, value]) => [name, (value ?? []).map(String)] as const);
    return { values: Object.fromEntries(given), positionals };
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    throw new UsageError(error.message.split(". ")[0] ?? error.message);
  }
}
