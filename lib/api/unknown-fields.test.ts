import { beforeAll, describe, expect, test } from "vitest";
import { readResponse } from "../testing";
import { routes } from "./app";
import { newWorld, type World } from "./testing/actors";
import { examples } from "./testing/examples";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** Sends the example's body with a change, as a partner for its user. */
async function send(method: string, path: string, change: (body: object) => object) {
  const { partner, endUser } = world;
  const call = examples[`${method.toUpperCase()} ${path}`]?.call(endUser);
  if (!call?.body) throw new Error(`no example of a body for ${method} ${path}`);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(call.params?.[name]));
  const headers = { "x-connect-user-id": endUser.uuid, "x-api-key": partner.clientId };
  const body = change(JSON.parse(JSON.stringify(call.body)));
  const by = method === "put" ? partner.put : method === "patch" ? partner.patch : partner.post;
  return readResponse(by(filled, body, headers));
}

const schedules = routes.filter(({ method, path }) => method !== "get" && /^\/v1\/posts(\/\{id\})?$/.test(path));

describe("400 names an unknown field, so that a typo is never ignored", () => {
  test.each(routes.filter(({ body, path }) => body && path !== "/v1/posts/validate"))(
    "$method $path",
    async ({ method, path }) => {
      const answer = await send(method, path, (body) => ({ ...body, typo: 1, other: null }));
      expect(answer).toEqual([400, { error: "typo is not a field here; other is not a field here" }]);
    },
  );

  test.each(schedules.filter(({ body }) => body))("$method $path, at any depth", async ({ method, path }) => {
    const deep = (body: object) => {
      const [publication] = (body as { publications: { posts: object[] }[] }).publications;
      return { ...body, publications: [{ ...publication, chatId: "1", posts: [{ content: "a", mediaPaths: [] }] }] };
    };
    const error = "publications[0].posts[0].mediaPaths is not a field here; publications[0].chatId is not a field here";
    expect(await send(method, path, deep)).toEqual([400, { error }]);
  });

  test.each(schedules.filter(({ body }) => body))("$method $path, in the flat body", async ({ method, path }) => {
    const flat = { platform: "X_TWITTER", accountId: 1, content: "a", attachmentPaths: [], scheduled: "now" };
    const error = "attachmentPaths is not a field here; scheduled is not a field here; scheduledTime cannot be null";
    expect(await send(method, path, () => flat)).toEqual([400, { error }]);
  });
});

describe("POST /v1/posts/validate lists unknown fields with all other problems", () => {
  test("200", async () => {
    const wrong = (body: object) => ({ ...body, scheduledTime: "2001-01-01", typo: 1 });
    const [status, verdict] = await send("post", "/v1/posts/validate", wrong);
    expect([status, verdict]).toEqual([
      200,
      {
        valid: false,
        problems: [
          { path: "typo", message: "is not a field here", rule: "unknown_field" },
          expect.objectContaining({ path: "scheduledTime" }),
        ],
      },
    ]);
  });
});
