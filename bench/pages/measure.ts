import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProduct } from "../../e2e/setup/product";
import { root } from "../../e2e/setup/service";
import { type Form, hasLighthouse, lighthouse } from "./lighthouse";
import { packages, startBareServer, startSandbox } from "./packages";
import { weigh, weighComposer } from "./script";
import { openComposer, type PageBench, SLOWDOWN, switchWeeks, typeText } from "./typing";
import { newVisitor, openBrowser, type Visitor } from "./visit";

/** `bar` and `goal` are limits in `unit`: maximum values, or minimum values for points. */
type Row = { what: string; value: number; unit: "KB" | "ms" | "points"; bar?: number; goal?: number; beside?: string };

/** Measures the pages in a browser: the amount of script, response times and Lighthouse scores. */
export async function measurePages({ short }: { short: boolean }): Promise<void> {
  const product = await startProduct();
  const browser = await openBrowser();
  try {
    const pageBench = { browser, product, visitor: await newVisitor(product) };
    const rows: Row[] = [];
    const show = (row: Row) => {
      rows.push(row);
      console.log(lineOf(row));
    };
    console.log("| what | measured | bar | goal | meets |\n|---|---|---|---|---|");
    for (const row of await packed()) show(row);
    show(await started(short ? 3 : 9));
    for (const row of await scripts(pageBench, short ? 1 : 3)) show(row);
    for (const row of await answers(pageBench, short)) show(row);
    if (hasLighthouse()) for (const row of await audits(pageBench, short ? 1 : 5)) show(row);
    await saveResults(rows);
  } finally {
    await browser.close();
    await product.stop();
  }
}

/** The packages for other people's programs, as npm publishes them. */
async function packed(): Promise<Row[]> {
  const weights = await packages();
  return weights.map(({ what, bytes, maxKb }) => ({
    what,
    value: bytes / 1024,
    unit: "KB" as const,
    beside: `${bytes} bytes`,
    ...(maxKb === undefined ? {} : { bar: maxKb, goal: maxKb }),
  }));
}

/** The median time in which the packed sandbox starts, and that of a bare server, in turns. */
async function started(rounds: number): Promise<Row> {
  const both = await repeat(rounds, async () => ({ bare: await startBareServer(), ms: await startSandbox() }));
  const times = both.map(({ ms }) => ms);
  const ratio = median(both.map(({ ms, bare }) => ms / bare)).toFixed(1);
  const beside = `worst ${Math.round(Math.max(...times))} ms; ${ratio} times a bare node:http server`;
  return { what: "carillon-sandbox, started", value: median(times), unit: "ms", beside, bar: 1_000, goal: 1_000 };
}

const STATIC_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/oauth/connect", "/docs"];
const DASHBOARD_PAGES = ["/", "/compose", "/posts", "/library", "/accounts", "/developers", "/webhooks", "/settings"];

/** Script sizes, which are the same in each round, and the median time of the largest paint. */
async function scripts({ browser, product, visitor }: PageBench, rounds: number): Promise<Row[]> {
  const row = async (what: string, path: string, who: Visitor | undefined, limits: Pick<Row, "bar" | "goal">) => {
    const weights = await repeat(rounds, () => weigh(browser, product, path, who));
    const { kb, files, inline } = weights[0] ?? { kb: Number.NaN, files: 0, inline: 0 };
    const paint = Math.round(median(weights.map(({ paintMs }) => paintMs)));
    const beside = `${files} files, ${inline} in the page; largest paint ${paint} ms`;
    return {
      what: `script on ${what}`,
      value: inline > 0 && files === 0 ? Number.NaN : kb,
      unit: "KB" as const,
      beside,
      ...limits,
    };
  };
  const rows: Row[] = [];
  for (const path of STATIC_PAGES) rows.push(await row(path, path, undefined, { bar: 160, goal: 0 }));
  rows.push(await row("the consent page", visitor.consentPath, visitor, { bar: 160, goal: 0 }));
  for (const path of DASHBOARD_PAGES) rows.push(await row(path, path, visitor, {}));
  rows.push(await row("the calendar, 200 posts", `/calendar?day=${visitor.month}`, visitor, { bar: 260, goal: 200 }));
  const { kb, files } = await weighComposer(browser, product, visitor);
  const beside = `${files} files, an account of every network chosen`;
  return [...rows, { what: "the composer on top of the calendar", value: kb, unit: "KB", bar: 60, goal: 60, beside }];
}

/** Delays until the next frame. */
async function answers(pageBench: PageBench, short: boolean): Promise<Row[]> {
  const { browser, product, visitor } = pageBench;
  const keys = short ? 100 : 400;
  const [quick, slow] = [await typeText(pageBench, keys, 1), await typeText(pageBench, keys, SLOWDOWN)];
  const weeks = await switchWeeks(browser, product, visitor, short ? 10 : 50);
  const opened = await repeat(short ? 3 : 9, () => openComposer(browser, product, visitor));
  const field = Math.round(median(opened.map(({ fieldMs }) => fieldMs)));
  const first = opened.map(({ delayMs }) => delayMs);
  return [
    delays("a key in the composer, ten networks", quick, { bar: 50, goal: 50 }),
    delays("the same, 4× slower", slow, {}),
    delays("another week, 4× slower", weeks, { bar: 200, goal: 100 }),
    delays(`the composer opened, 4× slower (its field after ${field} ms)`, first, { bar: 200, goal: 100 }),
  ];
}

function delays(what: string, all: number[], limits: Pick<Row, "bar" | "goal">): Row {
  const at = (share: number) => Math.round(nth(all, share));
  const beside = `median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
  return { what: `${what} (${all.length}), p98`, value: nth(all, 0.98), unit: "ms", beside, ...limits };
}

const AUDITS: { what: string; form: Form; bar: number; goal: number }[] = [
  { what: "sign-in", form: "mobile", bar: 95, goal: 100 },
  { what: "sign-in", form: "desktop", bar: 98, goal: 100 },
  { what: "calendar", form: "mobile", bar: 85, goal: 95 },
  { what: "calendar", form: "desktop", bar: 95, goal: 100 },
];

async function audits({ product, visitor }: PageBench, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, form, bar, goal } of AUDITS) {
    const path = what === "sign-in" ? "/sign-in" : `/calendar?day=${visitor.month}`;
    const cookie = what === "sign-in" ? undefined : visitor.cookie;
    const scores = await repeat(rounds, () => lighthouse(product.url + path, form, cookie));
    const of = (pick: (score: (typeof scores)[number]) => number) => median(scores.map(pick));
    const row = (name: string, value: number, limits: Pick<Row, "bar" | "goal">): Row => ({
      what: `Lighthouse, ${what}, ${form}: ${name}`,
      value,
      unit: "points",
      ...limits,
    });
    rows.push(
      row(
        "performance",
        of((score) => score.performance),
        { bar, goal },
      ),
    );
    rows.push(
      row(
        "accessibility",
        of((score) => score.accessibility),
        { bar: 100, goal: 100 },
      ),
    );
    rows.push(
      row(
        "best practices",
        of((score) => score.bestPractices),
        { bar: 100, goal: 100 },
      ),
    );
  }
  return rows;
}

function lineOf({ what, value, unit, bar, goal, beside }: Row): string {
  const written = `${value < 100 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}${beside ? ` (${beside})` : ""}`;
  const meets = (limit: number) => (unit === "points" ? value >= limit : value <= limit);
  const met = bar === undefined || goal === undefined ? "" : meets(goal) ? "goal" : meets(bar) ? "bar" : "**neither**";
  return `| ${what} | ${written} | ${bar ?? ""} | ${goal ?? ""} | ${met} |`;
}

async function repeat<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let n = 0; n < times; n++) results.push(await work());
  return results;
}

function median(values: number[]): number {
  return nth(values, 0.5);
}

/** The smallest value that the given share of all values does not exceed. */
function nth(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

async function saveResults(rows: Row[]): Promise<void> {
  await mkdir(join(root, "bench/results"), { recursive: true });
  const text = JSON.stringify({ at: new Date().toISOString(), node: process.version, rows }, null, 2);
  await writeFile(join(root, "bench/results/pages.json"), text);
}
