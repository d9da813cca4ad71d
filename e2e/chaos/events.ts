import type { OwnProduct } from "../setup/product";
import type { Seen, Sent } from "./rig";

type Event = { type: string; data: { id?: number; scheduleId?: number; status?: string; overallStatus?: string } };

/** After this time the database ends the transaction of a stopped worker, so its events are in the log. */
const PATIENCE_MS = 45_000;

/**
 * The changes of these schedules that are not in the log exactly once: that each was scheduled, and how each publication
 * and each schedule ended.
 */
export async function missingEvents(product: OwnProduct, sent: Sent[], seen: Map<number, Seen>): Promise<string[]> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const told = new Map<string, Event[]>();
    for (const token of new Set(sent.map((one) => one.token))) told.set(token, await logOf(product, token));
    const untold = sent.flatMap(({ token, scheduleId }) =>
      wrongOf(told.get(token) ?? [], scheduleId, seen.get(scheduleId)),
    );
    if (untold.length === 0 || performance.now() > until) return untold;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

function wrongOf(log: Event[], id: number, seen: Seen | undefined): string[] {
  const ofSchedule = log.filter(({ type, data }) => type.startsWith("post.") && data.id === id).map(({ type }) => type);
  const ofPublication = log.filter(({ type, data }) => type.startsWith("publication.") && data.scheduleId === id);
  const end = `post.${seen?.overallStatus.toLowerCase()}`;
  const status = seen?.publications[0]?.status ?? "";
  const wanted: [what: string, count: number][] = [
    ["post.scheduled", ofSchedule.filter((type) => type === "post.scheduled").length],
    ["post.in_progress", ofSchedule.filter((type) => type === "post.in_progress").length],
    [end, ofSchedule.filter((type) => type === end).length],
    [`its publication's ${status}`, ofPublication.filter(({ data }) => data.status === status).length],
  ];
  return wanted
    .filter(([, count]) => count !== 1)
    .map(([what, count]) => `event missing or doubled: ${what} of schedule ${id} is in the log ${count} times`);
}

/** All events in a person's log. */
export async function logOf<T = Event>(product: OwnProduct, token: string): Promise<T[]> {
  const all: T[] = [];
  for (let since = ""; ; ) {
    const answer = await fetch(`${product.url}/v1/events?limit=100${since}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const page: { items: T[]; nextCursor: string; hasMore: boolean } = await answer.json();
    if (!answer.ok) throw new Error(`the log was answered with ${answer.status}: ${JSON.stringify(page)}`);
    all.push(...page.items);
    if (!page.hasMore) return all;
    since = `&since=${page.nextCursor}`;
  }
}
