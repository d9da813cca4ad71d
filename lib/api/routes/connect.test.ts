import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { env } from "../../env";
import { as, newOwner, newPartner, nobody, readResponse } from "../../testing";
import { misfits } from "../../testing/contract";
import { setSuspended } from "../../users";
import { openApiDocument } from "..";
import { provisionConnectUserRoute } from "./connect";

type Partner = Awaited<ReturnType<typeof newPartner>>;

async function provision(partner: Partner, externalUserId: string = randomUUID()) {
  const answer = await partner.post("/v1/connect/users", { externalUserId, name: "Ada" });
  const { uuid } = (await answer.json()) as { uuid: string };
  return { uuid, externalUserId };
}

describe("POST /v1/connect/users", () => {
  test("is idempotent: the same user for the same externalUserId, name and email updated when given", async () => {
    const partner = await newPartner();
    const users = (body: object) =>
      readResponse(partner.post("/v1/connect/users", { externalUserId: "user 1", ...body }));
    const [status, first] = await users({ name: "Ada" });
    const { uuid } = first as { uuid: string };
    expect([status, first]).toEqual([200, { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Ada" }]);
    expect(await users({})).toEqual([200, { uuid, name: "Ada" }]);
    expect(await users({ name: "Ada L.", email: "ada@example.com" })).toEqual([
      200,
      { uuid, name: "Ada L.", email: "ada@example.com" },
    ]);
    expect(await users({ name: "Ada" })).toEqual([200, { uuid, name: "Ada", email: "ada@example.com" }]);
  });

  test("twenty concurrent requests create one user", async () => {
    const partner = await newPartner();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        readResponse(partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" })),
      ),
    );
    expect(new Set(answers.map(([status, body]) => `${status} ${(body as { uuid: string }).uuid}`)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(200);
  });

  test("the same externalUserId at another partner is another user", async () => {
    const [one, two] = [await newPartner(), await newPartner()];
    expect((await provision(one, "same")).uuid).not.toBe((await provision(two, "same")).uuid);
  });

  test.each<[when: string, body: unknown, says: string]>([
    [
      "no name the first time",
      { externalUserId: "x" },
      "name cannot be null when a user is provisioned for the first time",
    ],
    ["nothing", {}, "externalUserId cannot be null"],
    [
      "an empty id and name",
      { externalUserId: "", name: "" },
      "externalUserId must have at least 1 character; name must have at least 1 character",
    ],
    [
      "a name of white space",
      { externalUserId: "x", name: " \t\u00a0" },
      "name must have at least 1 character that is not white space",
    ],
    ["wrong types", { externalUserId: 1, name: [] }, "externalUserId must be a string; name must be a string"],
    ["null for what is optional", { externalUserId: "x", name: "A", email: null }, "email cannot be null"],
    ["no email address", { externalUserId: "x", name: "A", email: "nope" }, "email must be an email address"],
    [
      "an id too long",
      { externalUserId: "x".repeat(256), name: "A" },
      "externalUserId must have at most 255 characters",
    ],
    ...["x ", " x", "x\t", "a\nb"].map(
      (externalUserId) =>
        [
          `${JSON.stringify(externalUserId)}, which no header can carry,`,
          { externalUserId, name: "A" },
          "externalUserId must not have control characters, and must not begin or end with a space",
        ] as [string, object, string],
    ),
    ["a NUL", { externalUserId: "a\0b", name: "A" }, "externalUserId contains a character that is not valid text"],
    ["a list", [], "The body must be an object"],
  ])("400 for %s", async (_, body, says) => {
    expect(await readResponse((await newPartner()).post("/v1/connect/users", body))).toEqual([400, { error: says }]);
  });

  test("the reference states which externalUserIds are accepted", () => {
    const { requestBody } = openApiDocument().paths["/v1/connect/users"]?.post ?? {};
    const described = requestBody?.content["application/json"]?.schema ?? {};
    const accepted = ["x", "customer 42", "Zoë 🔔", "a\u00a0", "x".repeat(255)];
    const refused = ["", " ", " x", "x ", "x\t", "a\nb", "a\u007fb", "a\u009fb", "x".repeat(256)];
    for (const [externalUserId, isAccepted] of [
      ...accepted.map((id) => [id, true] as const),
      ...refused.map((id) => [id, false] as const),
    ]) {
      const body = { externalUserId, name: "A" };
      const answers = [misfits(described, body).length === 0, provisionConnectUserRoute.body?.safeParse(body).success];
      expect([externalUserId, ...answers]).toEqual([externalUserId, isAccepted, isAccepted]);
    }
    expect(described.properties?.externalUserId?.description).toBe(
      "The partner's own identifier: 1 to 255 characters, without control characters, and without a space at the beginning or end",
    );
  });

  test("403 with a person's token, 401 without one", async () => {
    const body = { externalUserId: "x", name: "A" };
    expect(await readResponse(as(await newOwner()).post("/v1/connect/users", body))).toEqual([
      403,
      { error: "Access denied" },
    ]);
    expect(await readResponse(nobody.post("/v1/connect/users", body))).toEqual([401, { error: "Unauthorized" }]);
  });
});

describe("C2: the identity headers", () => {
  test("follow the table of DECISIONS", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const [ada, bob, foreign] = [await provision(partner), await provision(partner), await provision(other)];
    const [id, external] = ["x-connect-user-id", "x-connect-external-user-id"];
    const absent = randomUUID();
    const unknown = (value: string) => [404, { error: `Connect user not found: ${value}` }];
    const ok = [200, []];
    const table: [when: string, headers: { [name: string]: string }, answer: unknown[]][] = [
      ["the uuid", { [id]: ada.uuid }, ok],
      ["the external id", { [external]: ada.externalUserId }, ok],
      ["both, agreeing", { [id]: ada.uuid, [external]: ada.externalUserId }, ok],
      [
        "both, disagreeing",
        { [id]: ada.uuid, [external]: bob.externalUserId },
        [400, { error: "X-Connect-User-Id and X-Connect-External-User-Id name different users" }],
      ],
      ["none", {}, [400, { error: "X-Connect-User-Id or X-Connect-External-User-Id cannot be null" }]],
      [
        "an empty one",
        { [id]: "" },
        [400, { error: "X-Connect-User-Id or X-Connect-External-User-Id cannot be null" }],
      ],
      ["an unknown uuid", { [id]: absent }, unknown(absent)],
      ["no uuid", { [id]: "me" }, unknown("me")],
      ["an unknown external id", { [external]: absent }, unknown(absent)],
      ["a known one and an unknown one", { [id]: ada.uuid, [external]: absent }, unknown(absent)],
      ["another partner's uuid", { [id]: foreign.uuid }, unknown(foreign.uuid)],
      ["another partner's external id", { [external]: foreign.externalUserId }, unknown(foreign.externalUserId)],
      ["the external id as uuid", { [id]: ada.externalUserId }, unknown(ada.externalUserId)],
    ];
    for (const [when, headers, answer] of table) {
      expect(await readResponse(partner.get("/v1/accounts", headers)), when).toEqual(answer);
    }
    const person = as(await newOwner());
    for (const headers of [{ [id]: ada.uuid }, { [external]: ada.externalUserId }]) {
      expect(await readResponse(person.get("/v1/accounts", headers))).toEqual([403, { error: "Access denied" }]);
    }
  });

  test.each(["zoë, 42", "日本-7", "Ã©"])("a UTF-8 external ID is read as such: %s", async (externalUserId) => {
    const partner = await newPartner();
    await partner.post("/v1/connect/users", { externalUserId, name: "Zoë" });
    const bytes = (text: string) => Buffer.from(text).toString("latin1");
    const ask = (value: string) => readResponse(partner.get("/v1/me", { "x-connect-external-user-id": value }));
    expect(await ask(bytes(externalUserId))).toMatchObject([200, { name: "Zoë" }]);
    expect(await ask(bytes(`${externalUserId}!`))).toEqual([
      404,
      { error: `Connect user not found: ${externalUserId}!` },
    ]);
  });

  test("an external ID in ISO-8859-1, as sent by fetch, is read as such", async () => {
    const partner = await newPartner();
    await partner.post("/v1/connect/users", { externalUserId: "zoë", name: "Zoë" });
    expect((await partner.get("/v1/me", { "x-connect-external-user-id": "zoë" })).status).toBe(200);
  });

  test("a suspended end-user is 403", async () => {
    const partner = await newPartner();
    const { uuid } = await provision(partner);
    await setSuspended(uuid, true);
    expect(await readResponse(partner.get("/v1/accounts", { "x-connect-user-id": uuid }))).toEqual([
      403,
      { error: "Access denied" },
    ]);
  });
});

describe("POST /v1/connect/authorize-url", () => {
  const BODY = { platform: "X_TWITTER", redirectUri: "myapp://done" };
  const AUTHORIZE = "/v1/connect/authorize-url";

  test("answers a JSON string: a link on app_url with the sealed state, different each time", async () => {
    const partner = await newPartner();
    const headers = { "x-api-key": partner.clientId, "x-connect-user-id": (await provision(partner)).uuid };
    const [status, url] = await readResponse(partner.post(AUTHORIZE, BODY, headers));
    expect(status).toBe(200);
    expect(url).toMatch(new RegExp(`^${env.appUrl}/oauth/connect\\?whitelabel_state=[\\w.-]+$`));
    expect((await readResponse(partner.post(AUTHORIZE, BODY, headers)))[1]).not.toBe(url);
  });

  test("C1: every mismatch of key, partner and user is rejected", async () => {
    const [partner, other] = [await newPartner(), await newPartner()];
    const [mine, foreign] = [await provision(partner), await provision(other)];
    const me = { "x-connect-user-id": mine.uuid };
    const key = { "x-api-key": partner.clientId };
    const table: [when: string, headers: { [name: string]: string }, answer: unknown[]][] = [
      ["no key", me, [400, { error: "x-api-key cannot be null" }]],
      ["another partner's key", { ...me, "x-api-key": other.clientId }, [403, { error: "Access denied" }]],
      ["an unknown key", { ...me, "x-api-key": "x" }, [403, { error: "Access denied" }]],
      ["the secret as key", { ...me, "x-api-key": partner.clientSecret }, [403, { error: "Access denied" }]],
      ["no user", key, [400, { error: "X-Connect-User-Id or X-Connect-External-User-Id cannot be null" }]],
      [
        "another partner's user",
        { ...key, "x-connect-user-id": foreign.uuid },
        [404, { error: `Connect user not found: ${foreign.uuid}` }],
      ],
    ];
    for (const [when, headers, answer] of table) {
      expect(await readResponse(partner.post(AUTHORIZE, BODY, headers)), when).toEqual(answer);
    }
    const person = as(await newOwner());
    expect(await readResponse(person.post(AUTHORIZE, BODY, { ...key, ...me }))).toEqual([
      403,
      { error: "Access denied" },
    ]);
  });

  test.each<[when: string, body: unknown, says: string]>([
    [
      "a redirectUri that runs script",
      { ...BODY, redirectUri: "javascript:alert(1)" },
      "redirectUri must not use the scheme javascript",
    ],
    [
      "an empty redirectUri",
      { ...BODY, redirectUri: "" },
      "redirectUri must not contain spaces, control characters, backslashes or non-ASCII characters",
    ],
    ["no redirectUri", { platform: "X_TWITTER" }, "redirectUri cannot be null"],
    [
      "a platform that partners cannot connect",
      { ...BODY, platform: "TELEGRAM" },
      "platform must be INSTAGRAM, FACEBOOK, YOUTUBE, TIKTOK, X_TWITTER, LINKEDIN or THREADS",
    ],
    ["nothing", {}, "platform cannot be null; redirectUri cannot be null"],
    [
      "both wrong, said at once",
      { platform: "MYSPACE", redirectUri: "data:,x" },
      "platform must be INSTAGRAM, FACEBOOK, YOUTUBE, TIKTOK, X_TWITTER, LINKEDIN or THREADS; redirectUri must not use the scheme data",
    ],
  ])("400 for %s", async (_, body, says) => {
    const partner = await newPartner();
    const headers = { "x-api-key": partner.clientId, "x-connect-user-id": (await provision(partner)).uuid };
    expect(await readResponse(partner.post(AUTHORIZE, body, headers))).toEqual([400, { error: says }]);
  });
});
