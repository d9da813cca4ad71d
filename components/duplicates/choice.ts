import type { Schedule } from "../api/types";

/** The body of `POST /v1/posts/merge`. */
export type Wish = { ids: number[]; keep: number };

/** What is ticked, and which is to stay where that was said. */
export type Choice = { ticked: ReadonlySet<number>; kept: ReadonlySet<number> };

export const nothing: Choice = { ticked: new Set(), kept: new Set() };

/** Ticks these schedules, or takes their ticks away. */
export function tick({ ticked, kept }: Choice, ids: number[], isOn: boolean): Choice {
  const others = [...ticked].filter((id) => !ids.includes(id));
  return { ticked: new Set(isOn ? [...others, ...ids] : others), kept };
}

/** Says which of a group stays; it is ticked with it. */
export function keep(choice: Choice, id: number, group: Schedule[]): Choice {
  const others = [...choice.kept].filter((one) => group.every((schedule) => schedule.id !== one));
  return { ...tick(choice, [id], true), kept: new Set([...others, id]) };
}

/** Which one stays unless another is said: the first that goes out by itself, or the first. */
export function keptOf({ ticked, kept }: Choice, group: Schedule[]): number | undefined {
  const chosen = group.filter(({ id }) => ticked.has(id));
  const said = chosen.find(({ id }) => kept.has(id));
  return (said ?? chosen.find(({ overallStatus }) => overallStatus !== "DRAFT") ?? chosen[0])?.id;
}

/** What is to be merged of a group; undefined where fewer than two are ticked. */
export function wishOf(choice: Choice, group: Schedule[]): Wish | undefined {
  const ids = group.map(({ id }) => id).filter((id) => choice.ticked.has(id));
  const keep = keptOf(choice, group);
  return keep === undefined || ids.length < 2 ? undefined : { ids, keep };
}
