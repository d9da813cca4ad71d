import { AsyncLocalStorage } from "node:async_hooks";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

// Vitest sets BASE_URL to its bundler's base path "/" in every test process; the product expects an address.
process.env.BASE_URL = `http://localhost:${process.env.PORT}`;

// As in a Next process, so that tests can call pages. Next looks for it when its modules are loaded.
Object.assign(globalThis, { AsyncLocalStorage });

/**
 * The product derives a password with this cost, which takes 80 ms of CPU, and the tests derive hundreds. They get a lower cost,
 * which the stored hash does not show. Other costs stay as they are: lib/users/users.test.ts checks with one of them that the
 * parameters in a stored hash are used. The journeys derive passwords with the real cost.
 */
const PRODUCT_COST = 32_768;
const TEST_COST = 1_024;

// This setup runs before each test file, and the files of a process share the module.
const shared = globalThis as { hasCheapPasswords?: true };
if (!shared.hasCheapPasswords) {
  shared.hasCheapPasswords = true;
  crypto.scrypt = new Proxy(crypto.scrypt, {
    apply: (derive, _, [password, salt, keyBytes, options, done]) =>
      derive(password, salt, keyBytes, options.N === PRODUCT_COST ? { ...options, N: TEST_COST } : options, done),
  });
  syncBuiltinESMExports();
}
