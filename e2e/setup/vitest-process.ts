import { AsyncLocalStorage } from "node:async_hooks";

// Vitest sets BASE_URL to its bundler's base path "/" in every test process; the product expects an address.
process.env.BASE_URL = `http://localhost:${process.env.PORT}`;

// As in a Next process, so that tests can call pages. Next looks for it when its modules are loaded.
Object.assign(globalThis, { AsyncLocalStorage });
