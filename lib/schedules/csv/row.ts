import { listAccounts } from "../../accounts";
import { checkValue } from "../../db/storable";
import { BadRequest, refusalsIn } from "../../errors";
import { networkOf } from "../../networks";
import type { Platform } from "../../platforms";
import { type Examined, examineBy } from "../check/check-input";
import { factsOf } from "../check/facts";
import { NewSchedule } from "../input";
import { problemsBy, soundIn } from "../validate";
import { accountNamed, entriesOf, type KnownAccount, platformNamed } from "./accounts";
import { type Column, inColumn, MAX_PARTS, partColumn, type Row, type RowProblem } from "./columns";
import { whenOf } from "./local-time";
import { tableOf } from "./table";

/** A row that was checked; `examined` where it can be created. */
export type CheckedRow = {
  number: number;
  /** What stands in its column `text`. */
  text?: string;
  body: RowBody;
  problems: RowProblem[];
  examined?: Examined;
};

/**
 * The rows of a file, each with everything that creating it would be refused for. What the checks need is read once for all.
 * @throws BadRequest where it is no file of schedules at all
 */
export async function checkRows(ownerId: string, bytes: Buffer): Promise<CheckedRow[]> {
  const table = tableOf(bytes);
  const accounts = await listAccounts(ownerId);
  const rows = table.map((row) => readRow(row, accounts));
  const sound = rows.map(({ body }) => soundIn(body));
  const facts = await factsOf(
    ownerId,
    sound.flatMap(({ publications }) => publications),
    { isDraft: sound.every(({ isDraft }) => isDraft) },
  );
  return rows.map((row) => {
    const parsed = row.problems.length === 0 ? NewSchedule.safeParse(row.body) : undefined;
    const examined = parsed?.success ? examineBy(facts, parsed.data) : undefined;
    const problems = allProblems(row, examined?.problems ?? problemsBy(facts, row.body));
    const isRight = refusalsIn(problems).length === 0;
    const { number, cells } = row.row;
    return { number, text: cells.get("text"), body: row.body, problems, examined: isRight ? examined : undefined };
  });
}

/** What the row itself said of a column, the checks of what came of it would only repeat. */
function allProblems({ row, problems }: ReadRow, found: Examined["problems"]): RowProblem[] {
  const said = new Set(problems.flatMap(({ column }) => causes[column ?? ""] ?? [column]));
  return [...problems, ...found.map((problem) => inColumn(problem, row)).filter(({ column }) => !said.has(column))];
}

/** Where a column was not understood, others lack something only for that reason. */
const causes: { [column: string]: string[] } = Object.fromEntries(
  ["date", "time", "timeZone", "scheduledTime"].map((name) => [name, ["date", "scheduledTime"]]),
);

/** A row as a body of `POST /v1/posts`, as far as it could be read; whether that can be created is still to be checked. */
export type RowBody = { scheduledTime?: string; isDraft: boolean; publications: unknown };
export type ReadRow = { row: Row; body: RowBody; problems: RowProblem[] };

type Post = { content: string; attachmentPaths: string[]; chatId?: string };
type Read<T> = { value: T; problems: RowProblem[] };

/** @param accounts the owner's; whatever else an entry names is unknown */
export function readRow(row: Row, accounts: KnownAccount[]): ReadRow {
  const { scheduledTime, problems: untimely } = whenOf(row);
  const isDraft = draftOf(row);
  const publications = row.cells.has("publications") ? wholeOf(row) : publicationsOf(row, accounts);
  const extra: RowProblem[] = row.hasMore
    ? [
        {
          path: "",
          message: "The row has a cell below no heading",
          rule: "csv.cells",
          fix: "Empty it, or give its column a heading",
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

function draftOf({ cells }: Row): Read<boolean> {
  const given = cells.get("isDraft") ?? "";
  const word = given.trim().toLowerCase();
  if (TRUE.includes(word) || FALSE.includes(word)) return { value: TRUE.includes(word), problems: [] };
  const limit = ["true", "false"];
  const problem = { path: "isDraft", column: "isDraft", message: "must be true or false", rule: "choice" } as const;
  return { value: false, problems: [{ ...problem, measured: given, limit }] };
}

/** `publications` as `POST /v1/posts` takes them, for what the other columns cannot say. */
function wholeOf({ cells }: Row): Read<unknown> {
  const others = [...cells.keys()].filter((name) => /^(accounts|destination|settings|text\d*|media\d*)$/.test(name));
  const value = jsonIn(cells, "publications");
  if (others.length === 0) return value;
  const message = `cannot stand beside ${others.join(", ")}`;
  const problem = { path: "publications", column: "publications", message, rule: "csv.publications_twice" } as const;
  return { value: value.value, problems: [...value.problems, problem] };
}

function publicationsOf(row: Row, accounts: KnownAccount[]): Read<unknown[]> {
  const named = accountsIn(row, accounts);
  const settings = settingsIn(row, named.value);
  const destinations = destinationsIn(row, named.value);
  const posts = postsIn(row);
  const value = named.value.map(({ id, platform }) => ({
    socialMediaAccountId: id,
    platformSettings: { type: networkOf(platform).settingsTypes[0], ...settings.value(platform) },
    posts: posts.map((post): Post => ({ ...post, ...chatOf(destinations.value.get(id)) })),
  }));
  return { value, problems: [...named.problems, ...settings.problems, ...destinations.problems] };
}

const chatOf = (chatId: string | undefined) => (chatId ? { chatId } : {});

function accountsIn({ cells }: Row, known: KnownAccount[]): Read<KnownAccount[]> {
  const entries = entriesOf(cells.get("accounts")).filter(Boolean);
  const at = { path: "publications", column: "accounts" } as const;
  if (entries.length === 0) return { value: [], problems: [{ ...at, message: "cannot be null", rule: "required" }] };
  const found = entries.map((entry) => accountNamed(entry, known));
  return {
    value: found.flatMap((one) => ("account" in one ? [one.account] : [])),
    problems: found.flatMap((one) => ("problem" in one ? [{ ...at, ...one.problem }] : [])),
  };
}

type Settings = { [name: string]: unknown };

/**
 * The settings of a row: one object where its accounts are on one network, or one for each platform.
 * @throws nothing; what is no JSON object is a problem
 */
function settingsIn({ cells }: Row, accounts: KnownAccount[]): Read<(platform: Platform) => Settings> {
  const none = () => ({});
  if (!cells.has("settings")) return { value: none, problems: [] };
  const { value, problems } = jsonIn(cells, "settings");
  const at = { path: "publications", column: "settings" } as const;
  if (problems.length > 0) return { value: none, problems };
  if (!isObject(value)) return { value: none, problems: [{ ...at, message: "must be an object", rule: "type" }] };
  const platforms = new Set(accounts.map(({ platform }) => platform));
  const keys = Object.keys(value);
  const isEach = keys.length > 0 && keys.every((key) => platformNamed(key) && isObject(value[key]));
  if (!isEach && platforms.size > 1) {
    const message = "must name the platform of each: the row has accounts on several networks";
    const fix = 'Write it like {"YOUTUBE": {"title": "Bells"}}';
    return { value: none, problems: [{ ...at, message, rule: "csv.settings", fix }] };
  }
  if (!isEach) return { value: () => value, problems: [] };
  const each = new Map(keys.map((key) => [platformNamed(key), value[key] as Settings]));
  const surplus = [...each.keys()].filter((platform) => platform && !platforms.has(platform) && accounts.length > 0);
  const message = `names a network that the row has no account on: ${surplus.join(", ")}`;
  return {
    value: (platform) => each.get(platform) ?? {},
    problems: surplus.length > 0 ? [{ ...at, message, rule: "csv.settings", fix: "Remove it" }] : [],
  };
}

/** Where each account's posts go: one entry for each account that has destinations, in the order of `accounts`. */
function destinationsIn({ cells }: Row, accounts: KnownAccount[]): Read<Map<number, string>> {
  const entries = entriesOf(cells.get("destination"));
  const having = accounts.filter(({ platform }) => networkOf(platform).destinations);
  const value = new Map(having.map(({ id }, index) => [id, entries[index] ?? ""]));
  if (!cells.has("destination") || accounts.length === 0 || entries.length <= having.length)
    return { value, problems: [] };
  const message = `has more entries than the row has accounts with destinations: ${entries.length} for ${having.length}`;
  const problem = { path: "publications", column: "destination", message, rule: "csv.destinations" } as const;
  return { value, problems: [{ ...problem, measured: entries.length, limit: { max: having.length } }] };
}

/** As many posts as there is a text or a file for; at least one. */
function postsIn({ cells }: Row): Post[] {
  const has = (part: number) => cells.has(partColumn("text", part)) || cells.has(partColumn("media", part));
  const last = Array.from({ length: MAX_PARTS }, (_, part) => part).findLastIndex(has);
  return Array.from({ length: Math.max(last, 0) + 1 }, (_, part) => ({
    content: cells.get(partColumn("text", part)) ?? "",
    attachmentPaths: entriesOf(cells.get(partColumn("media", part))).filter(Boolean),
  }));
}

function jsonIn(cells: Row["cells"], column: Extract<Column, "settings" | "publications">): Read<unknown> {
  try {
    const value: unknown = JSON.parse(cells.get(column) ?? "");
    checkValue(value);
    return { value, problems: [] };
  } catch (error) {
    const message = error instanceof BadRequest ? `cannot be stored: ${error.message}` : "is not valid JSON";
    return { value: [], problems: [{ path: "publications", column, message, rule: "csv.json" }] };
  }
}

function isObject(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
