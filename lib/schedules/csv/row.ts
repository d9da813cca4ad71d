import { listAccounts } from "../../accounts";
import { assertBoundedJson, assertStorableValue } from "../../db/statement";
import { BadRequest, blockingProblems } from "../../errors";
import { networkOf } from "../../networks";
import type { Platform } from "../../platforms";
import { giveWay } from "../../time/give-way";
import { type CheckedInput, checkInputWithFacts } from "../check/check-input";
import { readFacts } from "../check/facts";
import { MAX_PUBLICATIONS, NewSchedule } from "../input";
import { problemsWithFacts, readablePublications } from "../validate";
import { type CsvAccount, parseAccount, parsePlatform, splitEntries } from "./accounts";
import { type Column, type CsvRow, MAX_PARTS, partColumn, type RowProblem, withColumn } from "./columns";
import { readScheduledTime } from "./local-time";
import { parseTable } from "./table";

/** A checked row; `checked` is present if the row can be created. */
export type CheckedRow = {
  number: number;
  /** The content of its column `text`. */
  text?: string;
  body: RowBody;
  problems: RowProblem[];
  checked?: CheckedInput;
};

/**
 * Reads the rows of a file and checks each one. The facts for the checks are read once for all rows.
 * @throws BadRequest if it is not a CSV file of schedules
 */
export async function checkRows(ownerId: string, bytes: Buffer): Promise<CheckedRow[]> {
  const table = await parseTable(bytes);
  const accounts = await listAccounts(ownerId);
  const rows: ReadRow[] = [];
  for (const row of table) {
    await giveWay(); // a row may have 2 MB
    rows.push(readRow(row, accounts));
  }
  const readable: ReturnType<typeof readablePublications>[] = [];
  for (const { body } of rows) {
    await giveWay(); // a row may name 100 accounts
    readable.push(readablePublications(body));
  }
  const facts = await readFacts(
    ownerId,
    readable.flatMap(({ publications }) => publications),
    { isDraft: readable.every(({ isDraft }) => isDraft) },
  );
  const checkedRows: CheckedRow[] = [];
  for (const row of rows) {
    const parsed = row.problems.length === 0 ? NewSchedule.safeParse(row.body) : undefined;
    const checked = parsed?.success ? await checkInputWithFacts(facts, parsed.data) : undefined;
    const problems = mergeProblems(row, checked?.problems ?? (await problemsWithFacts(facts, row.body)));
    const isRight = blockingProblems(problems).length === 0;
    const { number, cells } = row.row;
    const text = cells.get("text");
    checkedRows.push({ number, text, body: row.body, problems, checked: isRight ? checked : undefined });
  }
  return checkedRows;
}

/** Combines the problems of reading a row with those of checking it. A column is reported only once. */
function mergeProblems({ row, problems }: ReadRow, found: CheckedInput["problems"]): RowProblem[] {
  const reported = new Set(problems.flatMap(({ column }) => relatedColumns[column ?? ""] ?? [column]));
  return [
    ...problems,
    ...found.map((problem) => withColumn(problem, row)).filter(({ column }) => !reported.has(column)),
  ];
}

/** If one of these columns cannot be read, the problems of the related columns are consequences and are not reported. */
const relatedColumns: { [column: string]: string[] } = Object.fromEntries(
  ["date", "time", "timeZone", "scheduledTime"].map((name) => [name, ["date", "scheduledTime"]]),
);

/** A row as a body of `POST /v1/posts`, as far as it could be read. It is not checked yet. */
export type RowBody = { scheduledTime?: string; isDraft: boolean; publications: unknown };
export type ReadRow = { row: CsvRow; body: RowBody; problems: RowProblem[] };

type Post = { content: string; attachmentPaths: string[]; chatId?: string };
type ReadValue<T> = { value: T; problems: RowProblem[] };

/** Converts a row to a request body. @param accounts the accounts that a row may name */
export function readRow(row: CsvRow, accounts: CsvAccount[]): ReadRow {
  const { scheduledTime, problems: untimely } = readScheduledTime(row);
  const isDraft = readDraft(row);
  const publications = row.cells.has("publications") ? readPublications(row) : buildPublications(row, accounts);
  const extra: RowProblem[] = row.hasMore
    ? [
        {
          path: "",
          message: "The row has a value in a column without a heading",
          rule: "csv.cells",
          fix: "Remove the value, or give its column a heading",
        },
      ]
    : [];
  return {
    row,
    body: { ...(scheduledTime ? { scheduledTime } : {}), isDraft: isDraft.value, publications: publications.value },
    problems: [...extra, ...untimely, ...isDraft.problems, ...publications.problems],
  };
}

const TRUE = ["true", "yes", "1"];
const FALSE = ["", "false", "no", "0"];

function readDraft({ cells }: CsvRow): ReadValue<boolean> {
  const given = cells.get("isDraft") ?? "";
  const word = given.trim().toLowerCase();
  if (TRUE.includes(word) || FALSE.includes(word)) return { value: TRUE.includes(word), problems: [] };
  const limit = ["true", "false"];
  const problem = { path: "isDraft", column: "isDraft", message: "must be true or false", rule: "choice" } as const;
  return { value: false, problems: [{ ...problem, measured: given, limit }] };
}

/** Reads the column `publications`: JSON for everything that the other columns cannot express. */
function readPublications({ cells }: CsvRow): ReadValue<unknown> {
  const others = [...cells.keys()].filter((name) => /^(accounts|destination|settings|text\d*|media\d*)$/.test(name));
  const value = readJson(cells, "publications");
  if (others.length === 0) return value;
  const message = `cannot be combined with ${others.join(", ")}`;
  const problem = { path: "publications", column: "publications", message, rule: "csv.publications_twice" } as const;
  return { value: value.value, problems: [...value.problems, problem] };
}

function buildPublications(row: CsvRow, accounts: CsvAccount[]): ReadValue<unknown[]> {
  const named = readAccounts(row, accounts);
  const settings = readSettings(row, named.value);
  const destinations = readDestinations(row, named.value);
  const posts = readPosts(row);
  const value = named.value.map(({ id, platform }) => ({
    socialMediaAccountId: id,
    platformSettings: { type: networkOf(platform).settingsTypes[0], ...settings.value(platform) },
    posts: posts.map((post): Post => ({ ...post, ...chatOf(destinations.value.get(id)) })),
  }));
  return { value, problems: [...named.problems, ...settings.problems, ...destinations.problems] };
}

const chatOf = (chatId: string | undefined) => (chatId ? { chatId } : {});

function readAccounts({ cells }: CsvRow, known: CsvAccount[]): ReadValue<CsvAccount[]> {
  const entries = splitEntries(cells.get("accounts")).filter(Boolean);
  const at = { path: "publications", column: "accounts" } as const;
  if (entries.length === 0) return { value: [], problems: [{ ...at, message: "cannot be null", rule: "required" }] };
  if (entries.length > MAX_PUBLICATIONS) {
    const message = `must have at most ${MAX_PUBLICATIONS} entries`;
    return { value: [], problems: [{ ...at, message, rule: "too_big", limit: { max: MAX_PUBLICATIONS } }] };
  }
  const found = entries.map((entry) => parseAccount(entry, known));
  return {
    value: found.flatMap((one) => ("account" in one ? [one.account] : [])),
    problems: found.flatMap((one) => ("problem" in one ? [{ ...at, ...one.problem }] : [])),
  };
}

type Settings = { [name: string]: unknown };

/**
 * Reads the settings of a row: one object if its accounts are on one network, or an object for each platform.
 */
function readSettings({ cells }: CsvRow, accounts: CsvAccount[]): ReadValue<(platform: Platform) => Settings> {
  const none = () => ({});
  if (!cells.has("settings")) return { value: none, problems: [] };
  const { value, problems } = readJson(cells, "settings");
  const at = { path: "publications", column: "settings" } as const;
  if (problems.length > 0) return { value: none, problems };
  if (!isObject(value)) return { value: none, problems: [{ ...at, message: "must be an object", rule: "type" }] };
  const platforms = new Set(accounts.map(({ platform }) => platform));
  const keys = Object.keys(value);
  const isEach = keys.length > 0 && keys.every((key) => parsePlatform(key) && isObject(value[key]));
  if (!isEach && platforms.size > 1) {
    const message = "must have an object for each platform, because the row has accounts on several networks";
    const fix = 'Write it like {"YOUTUBE": {"title": "Bells"}}';
    return { value: none, problems: [{ ...at, message, rule: "csv.settings", fix }] };
  }
  if (!isEach) return { value: () => value, problems: [] };
  const each = new Map(keys.map((key) => [parsePlatform(key), value[key] as Settings]));
  const surplus = [...each.keys()].filter((platform) => platform && !platforms.has(platform) && accounts.length > 0);
  const message = `contains a network for which the row has no account: ${surplus.join(", ")}`;
  return {
    value: (platform) => each.get(platform) ?? {},
    problems: surplus.length > 0 ? [{ ...at, message, rule: "csv.settings", fix: "Remove it" }] : [],
  };
}

/**
 * Reads the destinations: one entry for each account that has destinations, in the order of `accounts`. Accounts that can be
 * posted to themselves may be left out, all of them at once.
 */
function readDestinations({ cells }: CsvRow, accounts: CsvAccount[]): ReadValue<Map<number, string>> {
  const entries = splitEntries(cells.get("destination"));
  const all = accounts.filter(({ platform }) => networkOf(platform).destinations);
  const needing = all.filter(({ platform }) => !networkOf(platform).destinations?.own);
  const having = entries.length <= needing.length && needing.length > 0 ? needing : all;
  const value = new Map(having.map(({ id }, index) => [id, entries[index] ?? ""]));
  if (!cells.has("destination") || accounts.length === 0 || entries.length <= having.length)
    return { value, problems: [] };
  const message = `has more entries than the row has accounts with destinations: ${entries.length} for ${having.length}`;
  const problem = { path: "publications", column: "destination", message, rule: "csv.destinations" } as const;
  return { value, problems: [{ ...problem, measured: entries.length, limit: { max: having.length } }] };
}

/** Returns one post for each part that has a text or a file; at least one. */
function readPosts({ cells }: CsvRow): Post[] {
  const has = (part: number) => cells.has(partColumn("text", part)) || cells.has(partColumn("media", part));
  const last = Array.from({ length: MAX_PARTS }, (_, part) => part).findLastIndex(has);
  return Array.from({ length: Math.max(last, 0) + 1 }, (_, part) => ({
    content: cells.get(partColumn("text", part)) ?? "",
    attachmentPaths: splitEntries(cells.get(partColumn("media", part))).filter(Boolean),
  }));
}

function readJson(cells: CsvRow["cells"], column: Extract<Column, "settings" | "publications">): ReadValue<unknown> {
  try {
    const text = cells.get(column) ?? "";
    assertBoundedJson(Buffer.from(text));
    const value: unknown = JSON.parse(text);
    assertStorableValue(value);
    return { value, problems: [] };
  } catch (error) {
    const message = error instanceof BadRequest ? `cannot be stored: ${error.message}` : "is not valid JSON";
    return { value: [], problems: [{ path: "publications", column, message, rule: "csv.json" }] };
  }
}

function isObject(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
