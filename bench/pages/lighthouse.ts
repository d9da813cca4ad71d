import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { root } from "../../e2e/setup/service";

const FOLDER = join(root, ".cache/lighthouse");
const TIMEOUT_MS = 180_000;

const Score = z.object({ score: z.number() });
const Report = z.object({
  categories: z.object({ performance: Score, accessibility: Score, "best-practices": Score }),
});

/** From 0 to 100. */
export type Scores = { performance: number; accessibility: number; bestPractices: number };
export type Form = "mobile" | "desktop";

/** Whether `bin/bench.mjs` has installed Lighthouse. */
export function hasLighthouse(): boolean {
  return existsSync(join(FOLDER, "installed"));
}

/**
 * Lighthouse's scores of a page, with its own network and CPU throttling for each form factor.
 * @param cookie session cookie of the visitor, if signed in
 */
export async function lighthouse(url: string, form: Form, cookie?: string): Promise<Scores> {
  const flags = ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])].join(" ");
  const args = [
    join(FOLDER, "node_modules/lighthouse/cli/index.js"),
    url,
    "--quiet",
    "--output=json",
    "--only-categories=performance,accessibility,best-practices",
    `--chrome-flags=${flags}`,
    ...(form === "desktop" ? ["--preset=desktop"] : []),
    ...(cookie ? ["--disable-storage-reset", `--extra-headers=${JSON.stringify({ Cookie: cookie })}`] : []),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: TIMEOUT_MS,
    maxBuffer: 64 * 1_048_576,
  });
  const { categories } = Report.parse(JSON.parse(stdout));
  const of = (name: keyof typeof categories) => Math.round(categories[name].score * 100);
  return { performance: of("performance"), accessibility: of("accessibility"), bestPractices: of("best-practices") };
}
