/**
 * Returns one value per process, even if several bundles ask for it. The web process has two copies of each module (in the
 * server's bundle and in Next's), so pools, emitters and caches live on `globalThis`.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const key = Symbol.for(`carillon.${name}`);
  const shared = globalThis as { [key: symbol]: unknown };
  if (!(key in shared)) shared[key] = make();
  return shared[key] as T;
}
