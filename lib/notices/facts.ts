import { inArray } from "drizzle-orm";
import { z } from "zod";
import { accounts, type Tx } from "../db";
import { accountHandle, networkOf } from "../networks";
import type { WrittenEvent } from "../webhooks";

/** The fields of an event's schedule that a mail needs. */
const Post = z.object({
  id: z.number().int(),
  overallStatus: z.string(),
  publications: z.array(
    z.object({
      socialMediaAccountId: z.number().int(),
      status: z.string(),
      posts: z.array(
        z.object({ content: z.string().nullish(), permalink: z.string().optional(), error: z.string().optional() }),
      ),
    }),
  ),
});
type Post = z.output<typeof Post>;

export function parsePostEvent(data: unknown): Post {
  return Post.parse(data);
}

export function accountIn(data: unknown): number {
  return z.object({ id: z.number().int() }).parse(data).id;
}

/** Returns a schedule's outcome per account: where it was published, and where not and why. */
export function postFacts({ id, overallStatus, publications }: Post, accounts: ReadonlyMap<number, NamedAccount>) {
  const named = publications.map((publication) => ({
    ...publication,
    name: accounts.get(publication.socialMediaAccountId)?.name ?? "An account that is no longer connected",
  }));
  const isOut = ({ status }: { status: string }) => status === "PUBLISHED";
  return {
    scheduleId: id,
    text: publications[0]?.posts[0]?.content ?? "",
    published: named.filter(isOut).map(({ name, posts }) => published(name, posts)),
    missing: named
      .filter((one) => !isOut(one))
      .map(({ name, status, posts }) => ({
        name,
        says: posts.find(({ error }) => error)?.error ?? noReason(status === "UNKNOWN" ? status : overallStatus),
      })),
    /** No network has confirmed or refused it. */
    isUnknown: named.every(({ status }) => status === "UNKNOWN"),
  };
}

function published(name: string, posts: Post["publications"][number]["posts"]) {
  const href = posts.find(({ permalink }) => permalink)?.permalink;
  return href ? { name, says: "View the post", href } : { name, says: "Published" };
}

function noReason(status: string): string {
  if (status === "UNKNOWN") return "The network did not confirm it";
  return status === "MEDIA_IMPORT_FAILED"
    ? "One of its files could not be imported, so it was not published"
    : "It was not published";
}

/** An account with its name for mails and the reason to reconnect it. */
export type NamedAccount = { id: number; name: string; reason: string };

/** Returns the accounts that these events refer to, by ID. */
export async function namedAccounts(tx: Tx, events: WrittenEvent[]): Promise<Map<number, NamedAccount>> {
  const ids = new Set(events.flatMap(idsIn));
  if (ids.size === 0) return new Map();
  const rows = await tx
    .select()
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));
  return new Map(rows.map((row) => [row.id, { id: row.id, name: accountNameOf(row), reason: reasonOf(row) }]));
}

function idsIn({ type, data }: WrittenEvent): number[] {
  if (type === "account.reconnect_required") return [accountIn(data)];
  return parsePostEvent(data).publications.map(({ socialMediaAccountId }) => socialMediaAccountId);
}

type Row = typeof accounts.$inferSelect;

/** Returns an account's name for mails, such as `@ada on X`. */
export function accountNameOf(account: Pick<Row, "username" | "displayName" | "platform">) {
  return `${accountHandle(account)} on ${networkOf(account.platform)?.name ?? account.platform}`;
}

function reasonOf({ stateReason }: Row): string {
  return stateReason ?? "the network asks you to reconnect it.";
}
