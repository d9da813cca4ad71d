import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate` writes the next migration after a change to the schema. */
export default defineConfig({ dialect: "postgresql", schema: "./lib/db/schema/index.ts", out: "./lib/db/migrations" });
