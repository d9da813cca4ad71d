/** Where a chip lies that shares its time with others. `rest`: how many found no room beside it. */
export type Placed<T> = { item: T; minute: number; column: number; columns: number; rest: number };

/**
 * Places items that overlap side by side. Items of one group share the width equally; what finds no free column is counted at the chip in the last one.
 * @param items in order of their minutes
 * @param lengthMinutes how long an item is
 * @param most the largest number of columns
 */
export function placed<T extends { minute: number }>(items: T[], lengthMinutes: number, most: number): Placed<T>[] {
  const shown: Placed<T>[] = [];
  let group: Placed<T>[] = [];
  /** When each column is free again. */
  let ends: number[] = [];
  function close() {
    for (const one of group) one.columns = ends.length;
    shown.push(...group);
    [group, ends] = [[], []];
  }
  for (const item of items) {
    const { minute } = item;
    if (ends.every((end) => end <= minute)) close();
    const free = ends.findIndex((end) => end <= minute);
    const column = free < 0 ? ends.length : free;
    if (column === most) {
      const last = group.findLast((one) => one.column === most - 1);
      if (last) last.rest += 1;
      continue;
    }
    ends[column] = minute + lengthMinutes;
    group.push({ item, minute, column, columns: 1, rest: 0 });
  }
  close();
  return shown;
}
