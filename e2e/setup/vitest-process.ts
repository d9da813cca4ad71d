// Test processes with different numbers run at once, so each number has its own place (`vitest.ts`).
const places = JSON.parse(process.env.PLACES ?? "[]");
Object.assign(process.env, places[Number(process.env.VITEST_POOL_ID) - 1]);
