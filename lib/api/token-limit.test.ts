import { expect, test } from "vitest";
import { env } from "../env";
import { createApplication, createPartner } from "../oauth";
import "../testing";
import { withSettings } from "../testing/settings";
import { api } from "./app";

withSettings({ rateLimits: { ...env.rateLimits, auth: 3 } });

/** A token request from an address. Returns the status and the rest of the limit. */
async function request(address: string, fields: { [name: string]: string }): Promise<[number, string | null]> {
  const answer = await api.request(
    "/oauth/token",
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) },
    { incoming: { socket: { remoteAddress: address } } },
  );
  if (answer.status === 429)
    expect(await answer.json()).toEqual({ message: expect.stringMatching(/^Too many requests/) });
  return [answer.status, answer.headers.get("ratelimit")];
}

async function partner() {
  const { clientId, clientSecret } = await createPartner("Busy");
  const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return { ...fields, audience: env.baseUrl };
}

test("clients behind one address have a limit each, and one client has the same limit at every address", async () => {
  const [one, two] = [await partner(), await partner()];
  for (const left of [2, 1, 0])
    expect(await request("203.0.113.30", one)).toEqual([200, expect.stringContaining(`r=${left};`)]);
  expect(await request("203.0.113.30", one)).toEqual([429, expect.stringContaining("r=0;")]);
  expect((await request("203.0.113.31", one))[0]).toBe(429);
  expect((await request("203.0.113.30", two))[0]).toBe(200);
});

test("requests without a valid client count for their address, and do not affect a client that authenticates", async () => {
  const wrong = { grant_type: "client_credentials", client_id: "nobody", client_secret: "x" };
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await request("203.0.113.40", wrong))[0]);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect((await request("203.0.113.40", await partner()))[0]).toBe(200);
  expect((await request("203.0.113.41", wrong))[0]).toBe(401);
});

test("a public client, whose id everybody knows, counts per address", async () => {
  const { clientId } = await createApplication("Public", ["https://public.example/back"], { isPublic: true });
  const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token: "x" };
  for (let n = 0; n < 3; n++) expect((await request("203.0.113.50", fields))[0]).toBe(400);
  expect((await request("203.0.113.50", fields))[0]).toBe(429);
  expect((await request("203.0.113.51", fields))[0]).toBe(400);
});
