import { handleOf } from "../accounts/names";
import type { Account, Schedule } from "../api/types";
import type { Media } from "../library/queries";
import { textsOf } from "../posts/facts";
import { best } from "./match";

/** As many of a kind as are shown: who wants another types another word. */
const MOST = 6;

/** The schedules with a text that answers, the nearest in time to `nowMs` first where they answer alike. */
export function findPosts(schedules: readonly Schedule[], query: string, nowMs: number): Schedule[] {
  const each = [...new Map(schedules.map((schedule) => [schedule.id, schedule])).values()];
  const away = ({ scheduledTime }: Schedule) => (scheduledTime ? Math.abs(Date.parse(scheduledTime) - nowMs) : 0);
  const nearest = each.filter((schedule) => textsOf(schedule).length > 0).sort((a, b) => away(a) - away(b));
  return best(nearest, query, textsOf).slice(0, MOST);
}

/** @param networkOf a network's name */
export function findAccounts(accounts: readonly Account[], query: string, networkOf: (account: Account) => string) {
  return best(accounts, query, (one) => [handleOf(one), one.accountDisplayName, networkOf(one)]).slice(0, MOST);
}

/** By name and by alt text. */
export function findFiles(files: readonly Media[], query: string): Media[] {
  return best(files, query, ({ filename, altText = "" }) => [filename, altText]).slice(0, MOST);
}

/** Among which posts was looked, since nobody has the service look through all texts for a word. */
export function lookedAmong({ isAll, newest }: { isAll: boolean; newest: number }): string {
  return isAll ? "among all of yours" : `among the newest ${newest}, drafts, and what the pages have shown`;
}
