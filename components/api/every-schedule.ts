import { callApi } from "./client";
import type { ApiSchedule, SchedulePage } from "./types";

/** Filters of `GET /v1/posts`; `from` and `to` are ISO 8601 and inclusive. */
export type Wanted = {
  from: string;
  to?: string;
  platform?: string;
  accountId?: string;
  status?: string;
  /** Only those that failed because their account needed reconnecting, which has been done since. */
  missed?: "true";
};

/** Schedules, newest first. `isCut`: there were more than the limit. */
export type Shown = { items: ApiSchedule[]; isCut: boolean };

const MOST_PAGES = 20;
const PAGE = 100;

/** Reads all matching schedules page by page, up to the newest 2,000. */
export async function everySchedule(wanted: Wanted, signal: AbortSignal): Promise<Shown> {
  const items: ApiSchedule[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const said = Object.entries({ limit: String(PAGE), ...wanted, cursor });
    const query = new URLSearchParams(said.filter((entry): entry is [string, string] => Boolean(entry[1])));
    const answer = await callApi<SchedulePage>(`/v1/posts?${query}`, { signal });
    items.push(...answer.items);
    cursor = answer.nextCursor;
    if (!cursor) return { items, isCut: false };
  }
  return { items, isCut: true };
}
