import { randomUUID } from "node:crypto";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPersonalToken } from "../oauth";
import { newOwner, newPartner, nobody } from "../testing";
import { api } from "./app";

const server = createServer(getRequestListener(api.fetch, { overrideGlobalObjects: false }));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Sends a GET to the web process with raw headers, which may repeat. */
function get(path: string, headers: string[]): Promise<[status: number, body: unknown]> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", path, headers: ["Host", "localhost", ...headers] }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve([answer.statusCode ?? 0, JSON.parse(text)]));
    });
    asked.on("error", reject).end();
  });
}

const bearer = async (partner: Awaited<ReturnType<typeof newPartner>>) => {
  const body = { grant_type: "client_credentials", client_id: partner.clientId, client_secret: partner.clientSecret };
  const answer = await nobody.post("/oauth/token", body);
  return `Bearer ${((await answer.json()) as { access_token: string }).access_token}`;
};

describe("C2: a single-value header must not be repeated", () => {
  test("400 in the web process, even for the same value twice", async () => {
    const partner = await newPartner();
    const token = await bearer(partner);
    const externalUserId = `a, ${randomUUID()}`;
    const { uuid } = (await (await partner.post("/v1/connect/users", { externalUserId, name: "A" })).json()) as {
      uuid: string;
    };
    const call = (...headers: string[]) => get("/v1/accounts", ["Authorization", token, ...headers]);
    expect(await call("X-Connect-User-Id", uuid)).toEqual([200, []]);
    expect(await call("X-Connect-External-User-Id", externalUserId)).toEqual([200, []]);
    for (const [name, value] of [
      ["X-Connect-User-Id", uuid],
      ["X-Connect-External-User-Id", "a"],
      ["Authorization", token],
      ["Idempotency-Key", "a"],
      ["x-api-key", partner.clientId],
    ] as const) {
      const twice = name === "Authorization" ? [name, value] : [name, value, name.toLowerCase(), value];
      expect(await call(...twice)).toEqual([400, { error: `${name} is given twice` }]);
    }
    const [first = "", second = ""] = externalUserId.split(", ");
    const joined = ["X-Connect-External-User-Id", first, "X-Connect-External-User-Id", second];
    expect(await call(...joined)).toEqual([400, { error: "X-Connect-External-User-Id is given twice" }]);
  });

  test("without raw headers, two joined UUIDs are detected and an external ID may contain a comma", async () => {
    const partner = await newPartner();
    const externalUserId = "a, b";
    const user = await partner.post("/v1/connect/users", { externalUserId, name: "A" });
    const { uuid } = (await user.json()) as { uuid: string };
    const twice = await partner.get("/v1/accounts", { "x-connect-user-id": `${uuid}, ${uuid}` });
    expect([twice.status, await twice.json()]).toEqual([400, { error: "X-Connect-User-Id is given twice" }]);
    expect((await partner.get("/v1/accounts", { "x-connect-external-user-id": externalUserId })).status).toBe(200);
    expect((await partner.get("/v1/accounts", { "x-connect-external-user-id": "b, a" })).status).toBe(404);
  });

  test("two tokens are 401, even if both are valid", async () => {
    const [one, two] = await Promise.all(
      [await newOwner(), await newOwner()].map((owner) => createPersonalToken(owner, ["api"])),
    );
    const headers = [one, two].flatMap((token) => ["Authorization", `Bearer ${token?.access_token}`]);
    expect(await get("/v1/me", headers)).toEqual([400, { error: "Authorization is given twice" }]);
  });
});
