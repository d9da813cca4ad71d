import type { Carillon } from "../../sdk/src";

/** The command line is wrong, so nothing was sent. The exit code is 2. */
export class UsageError extends Error {}

/** The command could not do its work. The exit code is 1. */
export class Failure extends Error {
  /** @param data what `--json` prints about it */
  constructor(
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** How one option is given: without a value, with one, or with one each time. */
export type Option = { type: "boolean" | "string"; multiple?: true; value?: string; about: string };

export type Input = {
  /** The arguments that are not options. */
  words: string[];
  flag: (name: string) => boolean;
  /** Returns the value, which is undefined if the option was not given. */
  get: (name: string) => string | undefined;
  all: (name: string) => string[];
  /** Connects with the login, the settings or the options. */
  client: () => Promise<Carillon>;
  /** Prints an object for programs with `--json`, and otherwise lines for people. */
  print: (data: unknown, lines: string[]) => void;
  /** Tells people what is happening; not part of the result. */
  note: (line: string) => void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
};

export type Command = {
  about: string;
  /** What the help shows for the words. */
  words?: string;
  /** How many words there may be (default: none). */
  maxWords?: number;
  options?: { [name: string]: Option };
  run: (input: Input) => Promise<void>;
};

/** Returns text from a server on one line, without characters that could control the terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
}

/** Returns a fix of the API in words for the command line. */
export function spoken(fix: string): string {
  const own = fix
    .replace(
      "an id from GET /v1/accounts/{id}/chats",
      "--account ACCOUNT/ID. carillon-cli accounts ACCOUNT lists the IDs",
    )
    .replace("an id from GET /v1/accounts", "an id that carillon-cli accounts lists");
  return plain(own);
}

/** Returns lines of columns that are aligned. The last column is not padded. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
