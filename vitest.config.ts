import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["lib/**/*.test.ts", "cli/**/*.test.ts", "sandbox/**/*.test.ts", "bin/**/*.test.ts"],
    globalSetup: ["e2e/setup/bundle.mjs", "e2e/setup/vitest.ts"],
    setupFiles: ["e2e/setup/vitest-process.ts"],
    pool: "forks",
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
