import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import "../testing/database";
import { routes } from "./app";
import { cursorOf } from "./page";
import { newWorld, type World } from "./testing/actors";
import { routeNameOf } from "./testing/ask";
import { examples } from "./testing/examples";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const impossible: [what: string, instant: string][] = [
  ["a month and day that do not exist", "2026-99-99 00:00:00+00"],
  ["31 February", "2026-02-31 00:00:00+00"],
  ["the year 0", "0000-01-01 00:00:00+00"],
  ["the time 25:61:61", "2026-01-01 25:61:61+00"],
  ["no instant", "now()"],
];
/** Positions that no list has written, and that PostgreSQL could not read. */
const cursors: [what: string, cursor: string][] = [
  ...impossible.map(([what, instant]): [string, string] => [what, cursorOf([instant, randomUUID()])]),
  ["a huge number", cursorOf(1e300)],
  ["a number beyond bigint", Buffer.from("9223372036854775808").toString("base64url")],
  ["a fraction", cursorOf(1.5)],
  ["a huge position in the log", cursorOf(["9".repeat(30), 1])],
  ["a position in the log beyond bigint", Buffer.from('["1",9223372036854775808]').toString("base64url")],
  ["U+0000", cursorOf(["\0", "\0"])],
  ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64url")],
  ["deep nesting", Buffer.from("[".repeat(140)).toString("base64url")],
  ["200 characters", "A".repeat(200)],
  ["201 characters", "A".repeat(201)],
  ["U+0000 itself", "%00"],
  ["half a surrogate pair", "%ED%A0%80"],
  ["invalid UTF-8", "%FF"],
];

const lists = routes.flatMap((route) => {
  const names = ["cursor", "since"].filter((name) =>
    Object.hasOwn((route.query as { shape?: object })?.shape ?? {}, name),
  );
  return names.map((name) => ({ route, name, path: routeNameOf(route) }));
});

test("all lists are found", () => {
  expect(lists.length).toBeGreaterThan(5);
});

describe.each(lists)("400 for an impossible $name of $path", ({ route, name }) => {
  test.each(cursors)("%s", async (_, cursor) => {
    const { partner, endUser } = world;
    const { params, query } = examples[routeNameOf(route)]?.call(endUser) ?? {};
    const path = route.path.replace(/\{(\w+)\}/g, (_whole, parameter) => String(params?.[parameter]));
    const headers: { [name: string]: string } = {};
    if (route.scope !== "partner") headers["x-connect-user-id"] = endUser.uuid;
    const others = new URLSearchParams(query);
    others.delete(name);
    const answer = await partner.request(`${path}?${others}&${name}=${cursor}`, { headers });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(name)]);
  });
});

// The cursors above have the ID of another list, and the list by ID has no instants.
test.each(impossible)("400 for an impossible cursor of posts by time: %s", async (_, instant) => {
  const { partner, endUser } = world;
  const headers = { "x-connect-user-id": endUser.uuid };
  const ask = async (at: string) =>
    (await partner.request(`/v1/posts?sort=scheduledTime&cursor=${cursorOf([at, 1])}`, { headers })).status;
  expect([await ask("2026-01-01 00:00:00+00"), await ask(instant)]).toEqual([200, 400]);
});
