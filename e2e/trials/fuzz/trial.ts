import fc from "fast-check";
import { z } from "zod";
import { routes } from "../../../lib/api/app";
import { type Answer, send } from "../http";
import type { Size, Trial, TrialContext } from "../trial";
import { type Door, feedSettings, openDoors, serveFeed } from "./doors";
import { curated, type Plan, planFor } from "./plan";
import { placesIn, requestOf, summaryOf } from "./request";
import type { Schema } from "./schema";
import { problemsOf } from "./verdict";

const GENERATED = { short: 2, whole: 1000 } satisfies Record<Size, number>;
/** A short run tries each curated input on some routes only, always the same ones. */
const CURATED_EVERY = { short: 160, whole: 1 } satisfies Record<Size, number>;
const SLOW_MS = 2000;

type Tally = {
  tried: number;
  reached: number;
  slowestMs: number;
  slow: number;
  statuses: { [status: number]: number };
};

/** T15: no request returns a 5xx or anything else that the API's contract does not allow. */
export const fuzz: Trial = {
  id: "T15",
  guarantee: `1,000 generated + ${curated.length} curated inputs per route: no 5xx, every error JSON of its shape, < 2 s`,
  settings: feedSettings,
  parts: "known while it runs",
  async run(context, size) {
    const feed = await serveFeed(context.product);
    return tryRoutes(context, size, feed.url).finally(() => feed.close());
  },
};

async function tryRoutes(context: TrialContext, size: Size, feedUrl: string) {
  const doors = await openDoors(context.product, context.seed, feedUrl);
  for (const { method, path } of routes) {
    const name = `${method.toUpperCase()} ${path}`;
    if (!doors[name]) context.fail(`${name} has no right request in e2e/trials/fuzz/doors.ts`);
  }
  const tallies: { [name: string]: Tally } = {};
  for (const [index, [name, door]] of Object.entries(doors).entries()) {
    if (!context.isWanted(name)) continue;
    const tally: Tally = { tried: 0, reached: 0, slowestMs: 0, slow: 0, statuses: {} };
    const every = CURATED_EVERY[size];
    // The first plan changes nothing, so that at least one request gets past the checks.
    const sample = curated.filter((_, at) => (at + index) % every === 0);
    const plans = [{}, ...sample, ...unstorable((await door.example()).json)];
    for (const plan of plans) {
      const problems = await attempt(context, name, door, plan, tally);
      if (problems) context.fail(`${name} (curated): ${problems}`);
    }
    await generated(context, name, door, tally, GENERATED[size]);
    if (tally.reached === 0) context.fail(`${name}: no request got past the checks, so nothing behind them was tried`);
    // One slow answer is allowed, because the machine may be busy.
    if (tally.slow > Math.max(1, tally.tried / 100))
      context.fail(`${name}: ${tally.slow} answers took longer than ${SLOW_MS} ms`);
    tallies[name] = { ...tally, slowestMs: Math.round(tally.slowestMs) };
    context.log(
      `${name}: ${tally.reached} of ${tally.tried} taken, slowest ${Math.round(tally.slowestMs)} ms, ${JSON.stringify(tally.statuses)}`,
    );
  }
  return { curated: curated.length, doors: tallies };
}

/** A text that PostgreSQL cannot store, in each place of a body: a sample of all inputs would rarely meet a place that is stored. */
function unstorable(body: unknown): Plan[] {
  const places = body === undefined ? [] : placesIn(body);
  return places.map((_, place) => ({ body: { kind: "value", place, how: "replace", text: '"a\\u0000b"' } }));
}

/** Tries generated plans. After a failure fast-check shrinks the plan to the smallest that still fails. */
async function generated(
  context: TrialContext,
  name: string,
  door: Door,
  tally: Tally,
  numRuns: number,
): Promise<void> {
  const route = routes.find(({ method, path }) => `${method.toUpperCase()} ${path}` === name);
  const plans = planFor(schemaOf(route?.body), schemaOf(route?.query));
  const property = fc.asyncProperty(plans, async (plan) => {
    const problems = await attempt(context, name, door, plan, tally);
    if (problems) throw new Error(problems);
  });
  const found = await fc.check(property, { seed: context.seed, numRuns });
  if (!found.failed) return;
  const said = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
  context.fail(`${name} (generated, try ${found.numRuns}, path ${found.counterexamplePath}): ${said}`);
}

/** The JSON Schema of a route's body or query. */
export function schemaOf(schema: z.ZodType | undefined): Schema | undefined {
  if (!schema) return undefined;
  // zod returns JSON Schema; only the keywords in `Schema` are used.
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
}

/** Sends one request and returns the problems of its answer, if any, with the request. */
async function attempt(
  context: TrialContext,
  name: string,
  door: Door,
  plan: Plan,
  tally: Tally,
): Promise<string | undefined> {
  const [method = "", path = ""] = name.split(" ");
  const request = requestOf({ ...(await door.example()), method, path }, plan);
  let answer: Answer;
  try {
    answer = await send(context.product.url, request.target, request.asked);
  } catch (error) {
    return `${String(error)} to ${summaryOf(request)}`;
  }
  tally.tried++;
  tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
  if (answer.status < 400) tally.reached++;
  if (answer.ms > SLOW_MS) tally.slow++;
  tally.slowestMs = Math.max(tally.slowestMs, answer.ms);
  const problems = problemsOf(door.kind, answer, method);
  if (problems.length === 0) return undefined;
  return `${problems.join(", ")}: ${answer.status} ${JSON.stringify(answer.text.slice(0, 300))} to ${summaryOf(request)}`;
}
