/**
 * One value per process, whatever the bundle that asks. The web process holds Carillon's modules twice (the server's own
 * bundle and Next's), so pools, emitters and caches live on `globalThis`.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const key = Symbol.for(`carillon.${name}`);
  const shared = globalThis as { [key: symbol]: unknown };
  if (!(key in shared)) shared[key] = make();
  return shared[key] as T;
}
