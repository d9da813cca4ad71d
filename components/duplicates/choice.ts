import type { ApiSchedule } from "../api/types";

/** The body of `POST /v1/posts/merge`. */
export type MergeChoice = { ids: number[]; keep: number };

/** The ticked schedules, and the chosen one to keep, if any. */
export type Choice = { ticked: ReadonlySet<number>; kept: ReadonlySet<number> };

export const nothing: Choice = { ticked: new Set(), kept: new Set() };

/** Ticks or unticks schedules. */
export function tick({ ticked, kept }: Choice, ids: number[], isOn: boolean): Choice {
  const others = [...ticked].filter((id) => !ids.includes(id));
  return { ticked: new Set(isOn ? [...others, ...ids] : others), kept };
}

/** Chooses the schedule to keep, and ticks it. */
export function keep(choice: Choice, id: number, group: ApiSchedule[]): Choice {
  const others = [...choice.kept].filter((one) => group.every((schedule) => schedule.id !== one));
  return { ...tick(choice, [id], true), kept: new Set([...others, id]) };
}

/** The schedule to keep by default: the first that is not a draft, or the first. */
export function keptOf({ ticked, kept }: Choice, group: ApiSchedule[]): number | undefined {
  const chosen = group.filter(({ id }) => ticked.has(id));
  const said = chosen.find(({ id }) => kept.has(id));
  return (said ?? chosen.find(({ overallStatus }) => overallStatus !== "DRAFT") ?? chosen[0])?.id;
}

/** The merge of a group; undefined if fewer than two are ticked. */
export function mergeInputFor(choice: Choice, group: ApiSchedule[]): MergeChoice | undefined {
  const ids = group.map(({ id }) => id).filter((id) => choice.ticked.has(id));
  const keep = keptOf(choice, group);
  return keep === undefined || ids.length < 2 ? undefined : { ids, keep };
}
