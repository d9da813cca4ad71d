import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Reads again what changed. A page's first answer that is still on its way was asked for before the change and is not asked for
 * twice by the cache (later ones are): that one is read again once it is there, or it would stay.
 */
export async function readAnew(cache: QueryClient, ...changed: QueryFilters[]): Promise<void> {
  await Promise.all(
    changed.map(async (filters) => {
      const underWay = cache.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
      const first = underWay.filter(({ state }) => state.data === undefined);
      await cache.invalidateQueries(filters);
      if (first.length > 0) await cache.invalidateQueries({ predicate: (query) => first.includes(query) });
    }),
  );
}
