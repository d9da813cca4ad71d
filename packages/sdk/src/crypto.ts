/**
 * Returns Web Crypto, which is not a global in Node 18. The name of Node's module is put together, because bundlers for browsers would
 * otherwise look for the module.
 */
export async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  const name = ["node", "crypto"].join(":");
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)).webcrypto;
}

/** Returns 128 random bits as hex. `crypto.randomUUID` exists on secure pages only. */
export async function randomKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
