import { afterAll, beforeAll, describe, expect, test } from "vitest";
import "../testing/database";
import { casesOf } from "../testing/breadth";
import { routes } from "./app";
import type { NamedRoute, Route } from "./route";
import {
  actorsWithOwnThings,
  actorsWithoutAccess,
  deniedActors,
  newWorld,
  type TestActor,
  type World,
  withoutScope,
} from "./testing/actors";
import { ask, type RecordedResponse, routeNameOf, statusAndBody } from "./testing/ask";
import type { CallExample, ExampleCall, Naming } from "./testing/call-example";
import { examples, expectText } from "./testing/examples";
import { rowsOf } from "./testing/rows";
import { noThings, type Things } from "./testing/things";

let world: World;
let others: TestActor[];
let refused: TestActor[];
/** All rows of the two victims when they were last compared. */
let rows: string[];

beforeAll(async () => {
  world = await newWorld();
  [others, refused] = [await actorsWithoutAccess(world), await deniedActors(world)];
  rows = await rowsOf(world.person.uuid, world.endUser.uuid);
});

/** No test since the last comparison has changed anything for the victims. */
async function expectUnchanged(): Promise<void> {
  const before = rows;
  rows = await rowsOf(world.person.uuid, world.endUser.uuid);
  expect(rows).toEqual(before);
}

/** The answer without the requested ID. The rest must not reveal whether the thing exists. */
function without(id: string | number, { text, ...rest }: RecordedResponse): RecordedResponse {
  const alone = new RegExp(`(?<!\\w)${String(id).replaceAll(".", "\\.")}(?!\\w)`, "g"); // not the 1 of /v1
  return { ...rest, text: text.replaceAll(alone, "{id}") };
}

const expected = ([status, body]: Naming["answers"]) =>
  JSON.parse(JSON.stringify([status, body]), (_, value) => (value === expectText ? expect.any(String) : value));

/** Whether the thing belongs to this actor. On a partner's own routes, all of its users do. */
const owns = ({ things, partner }: TestActor, { scope }: Route, theirs: Things) =>
  scope === "partner" ? partner === world.partner && theirs === world.endUser : things === theirs;

function isRefused(actor: TestActor, route: Route, { forUser }: CallExample): [number, string] | undefined {
  const says = actor.refused?.(route);
  if (says || !forUser || !actor.partner || actor.things) return says;
  return actor.refused?.({ ...route, scope: "api" });
}

/** All calls of a route that name one of these things in the path, query or body. */
function callsOn(example: CallExample, mine: Things, theirs: Things): ExampleCall[] {
  return [example.call(theirs), ...Object.values(example.naming ?? {}).map(({ call }) => call(mine, theirs))];
}

/**
 * Every second one of these callers, in turns by route. In the long run, every one on every route. All routes read their caller with the
 * same code.
 */
const byTurns = <T>(all: T[], route: NamedRoute): T[] =>
  casesOf(all, (_, index) => (index + routes.indexOf(route)) % 2 === 0);

/** A person and the staff call by turns with a token and with a session. Both partners call every route. */
function othersOn(route: NamedRoute): TestActor[] {
  const partners = others.filter(({ partner }) => partner);
  return [
    ...byTurns(
      others.filter(({ partner }) => !partner),
      route,
    ),
    ...partners,
  ];
}

// Reading all rows takes longer than the tests of most routes, so they are compared after the routes that may change something, and at the end.
afterAll(expectUnchanged);

describe.each(routes)("T20: $method $path", (route) => {
  if (route.method !== "get") afterAll(expectUnchanged);

  const example = examples[routeNameOf(route)];
  const known = () => {
    if (!example) throw new Error(`no example for ${routeNameOf(route)}: add one to lib/api/testing/examples.ts`);
    return example;
  };

  test("rejects callers without access before any lookup, in the same way for existing and missing things", async () => {
    const { person, endUser } = world;
    for (const [index, actor] of [...byTurns(refused, route), withoutScope(route, world)].entries()) {
      const refusal = isRefused(actor, route, known());
      if (!refusal) continue; // a partner's own call needs no user
      const [status, error] = refusal;
      // By turns the things of either victim, so that a route sees both, each next to missing ones.
      const answers = [index % 2 === 0 ? person : endUser, noThings()].flatMap((theirs) =>
        callsOn(known(), person, theirs).map((call) => ask(actor, route, call)),
      );
      const [first, ...rest] = await Promise.all(answers);
      expect(first && statusAndBody(first), actor.name).toEqual([status, { error }]);
      for (const other of rest) expect(other, actor.name).toEqual(first);
    }
  });

  test("returns the same 404 for someone else's thing as for a missing one, and does not change it", async () => {
    const absent = noThings();
    for (const actor of othersOn(route).filter((one) => !one.refused?.(route))) {
      for (const [what, { call, id, answers }] of Object.entries(known().naming ?? {})) {
        const said = without(id(absent), await ask(actor, route, call(mineOf(actor), absent)));
        expect(statusAndBody(said), `${actor.name}, ${what}`).toEqual(expected(answers));
        for (const theirs of [world.person, world.endUser].filter((one) => !owns(actor, route, one))) {
          const foreign = await ask(actor, route, call(mineOf(actor), theirs));
          expect(without(id(theirs), foreign), `${actor.name}, ${what}`).toEqual(said);
        }
      }
    }
  });

  test("returns only the caller's own things", async () => {
    for (const actor of await actorsWithOwnThings(route, (all) => byTurns(all, route))) {
      const answer = await ask(actor, route, known().call(mineOf(actor)));
      const refusal = actor.refused?.(route);
      if (refusal) expect(statusAndBody(answer), actor.name).toEqual([refusal[0], { error: refusal[1] }]);
      else expect(answer.status, `${actor.name}: ${answer.text}`).toBe(known().answers);
      for (const { mark } of [world.person, world.endUser]) expect(answer.text).not.toContain(mark);
    }
  });
});

function mineOf({ things }: TestActor): Things {
  if (!things) throw new Error("this actor has no things of their own");
  return things;
}

test("every example belongs to a route", () => {
  const known = new Set(routes.map(routeNameOf));
  expect(Object.keys(examples).filter((name) => !known.has(name))).toEqual([]);
});
