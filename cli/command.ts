/** One call of the operator's command line (DECISIONS, "Issuing credentials by hand"). */
export type Command = {
  /** What it does, as one sentence. */
  about: string;
  /** What stands after its name without an option. */
  argument?: string;
  options?: { [name: string]: Option };
  /** It asks a running service over HTTP, wherever that is, and needs no database. */
  isRemote?: true;
  /** The JSON object on standard output. */
  prints: string;
  /** What can be typed after its name. */
  example: string;
  run(input: Input): Promise<unknown>;
};

export type Option = { value: string; about: string; required?: true; many?: true };

/** What was typed: everything that is required is there, and what may stand once does. */
export type Input = {
  argument: string;
  /** The value of an option; for one that is not required, undefined where it is not given. */
  get(name: string): string | undefined;
  required(name: string): string;
  all(name: string): string[];
};

/** What was typed is no call of this command line; nothing was done. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** @throws UsageError where the value is none of these */
export function choice<T extends string>(name: string, value: string, values: readonly T[]): T {
  const found = values.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(", ")}, not ${value}`);
  return found;
}
