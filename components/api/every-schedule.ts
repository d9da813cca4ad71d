import { api } from "./client";
import type { Schedule, SchedulePage } from "./types";

/** Which schedules, as `GET /v1/posts` takes it: `from` and `to` are ISO 8601 and both included. */
export type Wanted = {
  from: string;
  to?: string;
  platform?: string;
  accountId?: string;
  status?: string;
};

/** Schedules, newest first; `isCut` where there were more than were read. */
export type Shown = { items: Schedule[]; isCut: boolean };

const MOST_PAGES = 20;
const PAGE = 100;

/** Every schedule that is wanted, page after page; of more than two thousand the newest. */
export async function everySchedule(wanted: Wanted, signal: AbortSignal): Promise<Shown> {
  const items: Schedule[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const said = Object.entries({ limit: String(PAGE), ...wanted, cursor });
    const query = new URLSearchParams(said.filter((entry): entry is [string, string] => Boolean(entry[1])));
    const answer = await api<SchedulePage>(`/v1/posts?${query}`, { signal });
    items.push(...answer.items);
    cursor = answer.nextCursor;
    if (!cursor) return { items, isCut: false };
  }
  return { items, isCut: true };
}
