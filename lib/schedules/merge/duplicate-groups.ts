/** What a schedule says, each of its texts as the rule of `lib/schedules/near-duplicates.ts` compares them. `at`: undefined for a draft without a time. */
export type Said = { id: number; at: number | undefined; texts: string[] };

/**
 * Schedules that have a text in common, directly or by way of others; pure. Each schedule is in one group at most, groups
 * and what is in them keep the order of `all`.
 * @param all the soonest first, those without a time last
 * @param withinMs how far apart two may be; however far where nothing is said. What has no time is near the soonest.
 */
export function groupsOf(all: Said[], withinMs = Number.POSITIVE_INFINITY): number[][] {
  const groupOf = new Map(all.map(({ id }) => [id, [id]]));
  const join = (one: number, other: number) => {
    const [into, from] = [groupOf.get(one) ?? [], groupOf.get(other) ?? []];
    if (into === from) return;
    into.push(...from);
    for (const id of from) groupOf.set(id, into);
  };
  const saying = new Map<string, { soonest: Said; last: Said }>();
  for (const one of all) {
    for (const text of new Set(one.texts)) {
      const others = saying.get(text);
      if (!others) saying.set(text, { soonest: one, last: one });
      else if (one.at === undefined) join(others.soonest.id, one.id);
      else {
        if (one.at - (others.last.at ?? 0) <= withinMs) join(others.last.id, one.id);
        others.last = one;
      }
    }
  }
  const places = new Map(all.map(({ id }, index) => [id, index]));
  const placeOf = (id: number) => places.get(id) ?? 0;
  return [...new Set(groupOf.values())]
    .filter((ids) => ids.length > 1)
    .map((ids) => ids.toSorted((a, b) => placeOf(a) - placeOf(b)));
}
