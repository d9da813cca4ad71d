import fc from "fast-check";
import { z } from "zod";
import { routes } from "../../../lib/api/app";
import { type Answer, send } from "../http";
import type { Size, Trial, TrialContext } from "../trial";
import { type Door, openDoors } from "./doors";
import { curated, type Plan, planFor } from "./plan";
import { requestOf, told } from "./request";
import type { Schema } from "./schema";
import { problemsOf } from "./verdict";

const GENERATED = { short: 15, whole: 1000 } satisfies Record<Size, number>;
/** A short run tries every curated input at some of the doors only, each time the same ones. */
const CURATED_EVERY = { short: 48, whole: 1 } satisfies Record<Size, number>;
const SLOW_MS = 2000;

type Tally = {
  tried: number;
  reached: number;
  slowestMs: number;
  slow: number;
  statuses: { [status: number]: number };
};

/** T15: nothing that anybody sends is answered with a failure of ours, or with something else than the contract says. */
export const fuzz: Trial = {
  id: "T15",
  guarantee: `1,000 generated + ${curated.length} curated inputs per route: no 5xx, every refusal JSON of its shape, < 2 s`,
  async run(context, size) {
    const doors = await openDoors(context.product, context.seed);
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
      const plans = [{}, ...curated.filter((_, at) => (at + index) % every === 0)];
      for (const plan of plans) {
        const problems = await attempt(context, name, door, plan, tally);
        if (problems) context.fail(`${name} (curated): ${problems}`);
      }
      await generated(context, name, door, tally, GENERATED[size]);
      if (tally.reached === 0)
        context.fail(`${name}: no request got past the checks, so nothing behind them was tried`);
      // One may meet a machine that is busy with something else.
      if (tally.slow > Math.max(1, tally.tried / 100))
        context.fail(`${name}: ${tally.slow} answers took longer than ${SLOW_MS} ms`);
      tallies[name] = { ...tally, slowestMs: Math.round(tally.slowestMs) };
      context.log(
        `${name}: ${tally.reached} of ${tally.tried} taken, slowest ${Math.round(tally.slowestMs)} ms, ${JSON.stringify(tally.statuses)}`,
      );
    }
    return { curated: curated.length, doors: tallies };
  },
};

/** On the first fail fast-check looks for the smallest plan that still shows it. */
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

function schemaOf(schema: z.ZodType | undefined): Schema | undefined {
  if (!schema) return undefined;
  // What zod gives is JSON Schema; of it this reads the words that `Schema` names and passes over the rest.
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema;
}

/** Sends one request; what is wrong with the answer, with the request that it answers. */
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
    return `${String(error)} to ${told(request)}`;
  }
  tally.tried++;
  tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1;
  if (answer.status < 400) tally.reached++;
  if (answer.ms > SLOW_MS) tally.slow++;
  tally.slowestMs = Math.max(tally.slowestMs, answer.ms);
  const problems = problemsOf(door.kind, answer, method);
  if (problems.length === 0) return undefined;
  return `${problems.join(", ")}: ${answer.status} ${JSON.stringify(answer.text.slice(0, 300))} to ${told(request)}`;
}
