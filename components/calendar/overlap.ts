/** Where chips lie that share a time. */
export type Placed<T> = { item: T; minute: number; column: number; columns: number };
/** Chips that found no room, at the minute of the first of them. */
export type Rest = { minute: number; count: number };

/**
 * Places items that overlap side by side. Items of one group share the width equally; what finds no free column is counted.
 * @param items in order of their minutes
 * @param lengthMinutes how long an item is
 * @param most the largest number of columns
 */
export function placed<T extends { minute: number }>(
  items: T[],
  lengthMinutes: number,
  most: number,
): { shown: Placed<T>[]; rests: Rest[] } {
  const shown: Placed<T>[] = [];
  const rests: Rest[] = [];
  let group: Placed<T>[] = [];
  let rest: Rest | undefined;
  /** When each column is free again. */
  let ends: number[] = [];
  function close() {
    for (const one of group) one.columns = ends.length;
    shown.push(...group);
    if (rest) rests.push(rest);
    [group, rest, ends] = [[], undefined, []];
  }
  for (const item of items) {
    const { minute } = item;
    if (ends.every((end) => end <= minute)) close();
    const free = ends.findIndex((end) => end <= minute);
    const column = free < 0 ? ends.length : free;
    if (column === most) {
      rest = { minute: rest?.minute ?? minute, count: (rest?.count ?? 0) + 1 };
      continue;
    }
    ends[column] = minute + lengthMinutes;
    group.push({ item, minute, column, columns: 1 });
  }
  close();
  return { shown, rests };
}
