import { isDeepStrictEqual } from "node:util";
import { listAccounts } from "../../accounts";
import { networkOf } from "../../networks";
import { withZulu } from "../../time/instant";
import { type Filters, maxPostsPerPublication, type Schedule } from "../read";
import { readAllSchedules } from "../read-all";
import { type CsvAccount, csvAccountName } from "./accounts";
import { type Column, exportColumns, MAX_PARTS, partColumn } from "./columns";
import { readRow } from "./row";
import { escapeCell } from "./table";

/** Line ends follow RFC 4180, 2.1. The byte order mark tells spreadsheets that the file is UTF-8. */
const LINE_END = "\r\n";
const BYTE_ORDER_MARK = "\ufeff";

type Cells = Map<Column, string>;

/** Yields the owner's schedules as a CSV file that can be imported again, newest first, one page at a time. */
export async function* exportSchedules(ownerId: string, filters: Filters): AsyncGenerator<string> {
  const accounts = await listAccounts(ownerId);
  const parts = Math.min(await maxPostsPerPublication(ownerId, filters), MAX_PARTS);
  const columns = exportColumns(parts);
  yield `${BYTE_ORDER_MARK}${columns.join(",")}${LINE_END}`;
  for await (const schedules of readAllSchedules(ownerId, filters)) {
    yield schedules.map((schedule) => toLine(columns, toCells(schedule, accounts, columns))).join("");
  }
}

function toLine(columns: Column[], cells: Cells): string {
  return `${columns.map((column) => escapeCell(cells.get(column) ?? "")).join(",")}${LINE_END}`;
}

/**
 * Returns a schedule in plain columns if they can express all of it, otherwise with its `publications` as JSON. Both are imported
 * as the same schedule.
 */
export function toCells(
  schedule: Pick<Schedule, "status" | "scheduledTime" | "publications">,
  accounts: CsvAccount[],
  columns: Column[],
): Cells {
  const timing: [Column, string][] = [
    ["scheduledTime", schedule.scheduledTime ? withZulu(schedule.scheduledTime) : ""],
    ["isDraft", String(schedule.status === "DRAFT")],
  ];
  const meant = schedule.publications.map(publicationInput);
  const plain = new Map(
    [...timing, ...plainCells(schedule.publications, accounts)].filter(([, value]) => value.trim() !== ""),
  );
  const { body, problems } = readRow({ number: 2, cells: plain, hasMore: false }, accounts);
  const read = Array.isArray(body.publications) ? body.publications.map(withDefaults(accounts)) : [];
  const isComplete = problems.length === 0 && isDeepStrictEqual(read, meant);
  if (isComplete && [...plain.keys()].every((column) => columns.includes(column))) return plain;
  return new Map([...timing, ["publications", JSON.stringify(meant)]]);
}

type Publication = Schedule["publications"][number];
type PublicationInput = ReturnType<typeof publicationInput>;

/** Returns a publication in the form that `POST /v1/posts` takes. */
function publicationInput({ accountId, settings, posts }: Publication) {
  return {
    socialMediaAccountId: accountId,
    platformSettings: settings,
    posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
      content,
      attachmentPaths,
      ...(chatId ? { chatId } : {}),
      ...(thumbnailPath ? { thumbnailPath } : {}),
    })),
  };
}

function plainCells(publications: Publication[], accounts: CsvAccount[]): [Column, string][] {
  const on = publications.flatMap(({ accountId }) => accounts.find(({ id }) => id === accountId) ?? []);
  const posts = publications[0]?.posts ?? [];
  const chats = publications.flatMap((one, index) => {
    const platform = on[index]?.platform;
    return platform && networkOf(platform).destinations ? [one.posts[0]?.chatId ?? ""] : [];
  });
  const settings = publications.flatMap(({ settings: { type: _, ...rest } }, index) => {
    const platform = on[index]?.platform;
    return platform && !isDeepStrictEqual(rest, settingDefaults(platform)) ? [[platform, rest] as const] : [];
  });
  return [
    ["accounts", on.map((account) => csvAccountName(account, accounts)).join("; ")],
    ...posts.flatMap(({ content, attachmentPaths }, part): [Column, string][] => [
      [partColumn("text", part), content],
      [partColumn("media", part), attachmentPaths.join("; ")],
    ]),
    ["destination", chats.some(Boolean) ? chats.join("; ") : ""],
    ["settings", settings.length > 0 ? JSON.stringify(Object.fromEntries(settings)) : ""],
  ];
}

/** Returns a network's settings with defaults; undefined if required settings are missing. */
function settingDefaults(platform: CsvAccount["platform"], given: object = {}): unknown {
  const parsed = networkOf(platform).settings.safeParse(given);
  return parsed.success ? parsed.data : undefined;
}

/** Returns a publication with the default settings that would be stored. */
function withDefaults(accounts: CsvAccount[]) {
  return (publication: PublicationInput): unknown => {
    const account = accounts.find(({ id }) => id === publication.socialMediaAccountId);
    const { type, ...rest } = publication.platformSettings;
    const settings = account && settingDefaults(account.platform, rest);
    return { ...publication, platformSettings: { type, ...(settings ?? rest) } };
  };
}
