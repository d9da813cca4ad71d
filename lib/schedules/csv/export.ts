import { isDeepStrictEqual } from "node:util";
import { listAccounts } from "../../accounts";
import { networkOf } from "../../networks";
import { withZulu } from "../../time/instant";
import { type Filters, listSchedules, longestOf, type Schedule } from "../read";
import { type KnownAccount, nameFor } from "./accounts";
import { type Column, MAX_PARTS, partColumn, writtenColumns } from "./columns";
import { readRow } from "./row";
import { cellOf } from "./table";

const PAGE = 100;
/** RFC 4180, 2.1; and a mark by which spreadsheets know UTF-8. */
const LINE_END = "\r\n";
const MARK = "\ufeff";

type Cells = Map<Column, string>;

/** The owner's schedules as the file that an import takes, newest first, a page of them at a time. */
export async function* exportSchedules(ownerId: string, filters: Filters): AsyncGenerator<string> {
  const accounts = await listAccounts(ownerId);
  const parts = Math.min(Math.max(await longestOf(ownerId, filters), 1), MAX_PARTS);
  const columns = writtenColumns(parts);
  yield `${MARK}${columns.join(",")}${LINE_END}`;
  let before: number | undefined;
  do {
    const { items, next } = await listSchedules(ownerId, { ...filters, limit: PAGE, before });
    const lines = items.map((schedule) => lineOf(columns, cellsOf(schedule, accounts, columns)));
    if (lines.length > 0) yield lines.join("");
    before = next;
  } while (before !== undefined);
}

function lineOf(columns: Column[], cells: Cells): string {
  return `${columns.map((column) => cellOf(cells.get(column) ?? "")).join(",")}${LINE_END}`;
}

/** A schedule in plain columns where those say all of it, else with `publications` as a whole: either is read back as it was. */
export function cellsOf(
  schedule: Pick<Schedule, "status" | "scheduledTime" | "publications">,
  accounts: KnownAccount[],
  columns: Column[],
): Cells {
  const timing: [Column, string][] = [
    ["scheduledTime", schedule.scheduledTime ? withZulu(schedule.scheduledTime) : ""],
    ["isDraft", String(schedule.status === "DRAFT")],
  ];
  const meant = schedule.publications.map(meantBy);
  const plain = new Map(
    [...timing, ...plainCells(schedule.publications, accounts)].filter(([, value]) => value.trim() !== ""),
  );
  const { body, problems } = readRow({ number: 2, cells: plain, hasMore: false }, accounts);
  const says = Array.isArray(body.publications) ? body.publications.map(withDefaults(accounts)) : [];
  const saysAll = problems.length === 0 && isDeepStrictEqual(says, meant);
  if (saysAll && [...plain.keys()].every((column) => columns.includes(column))) return plain;
  return new Map([...timing, ["publications", JSON.stringify(meant)]]);
}

type Publication = Schedule["publications"][number];
type Meant = ReturnType<typeof meantBy>;

/** A publication as `POST /v1/posts` takes it. */
function meantBy({ accountId, settings, posts }: Publication) {
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

function plainCells(publications: Publication[], accounts: KnownAccount[]): [Column, string][] {
  const on = publications.flatMap(({ accountId }) => accounts.find(({ id }) => id === accountId) ?? []);
  const posts = publications[0]?.posts ?? [];
  const chats = publications.flatMap((one, index) => {
    const platform = on[index]?.platform;
    return platform && networkOf(platform).destinations ? [one.posts[0]?.chatId ?? ""] : [];
  });
  const settings = publications.flatMap(({ settings: { type: _, ...rest } }, index) => {
    const platform = on[index]?.platform;
    return platform && !isDeepStrictEqual(rest, defaultsOf(platform)) ? [[platform, rest] as const] : [];
  });
  return [
    ["accounts", on.map((account) => nameFor(account, accounts)).join("; ")],
    ...posts.flatMap(({ content, attachmentPaths }, part): [Column, string][] => [
      [partColumn("text", part), content],
      [partColumn("media", part), attachmentPaths.join("; ")],
    ]),
    ["destination", chats.some(Boolean) ? chats.join("; ") : ""],
    ["settings", settings.length > 0 ? JSON.stringify(Object.fromEntries(settings)) : ""],
  ];
}

/** What a network makes of no settings at all; undefined where some are needed. */
function defaultsOf(platform: KnownAccount["platform"], given: object = {}): unknown {
  const parsed = networkOf(platform).settings.safeParse(given);
  return parsed.success ? parsed.data : undefined;
}

/** A publication as it will be stored. */
function withDefaults(accounts: KnownAccount[]) {
  return (publication: Meant): unknown => {
    const account = accounts.find(({ id }) => id === publication.socialMediaAccountId);
    const { type, ...rest } = publication.platformSettings;
    const settings = account && defaultsOf(account.platform, rest);
    return { ...publication, platformSettings: { type, ...(settings ?? rest) } };
  };
}
