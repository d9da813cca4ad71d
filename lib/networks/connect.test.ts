import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platforms } from "../platforms";
import { allNetworks } from ".";
import { failureOf, sandboxApp, sandboxFor, type TestSandbox } from "./testing";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await sandboxFor("x"); // one server simulates all networks
});
afterAll(() => sandbox.close());

const checked = allNetworks().filter(({ checkCredentials }) => checkCredentials);
const rest = allNetworks().filter(({ checkCredentials }) => !checkCredentials);

test("only networks without client credentials have no check", () => {
  expect(rest.map(({ platform }) => platform)).toEqual(["BLUE_SKY"]);
});

describe.each(checked)("$platform", (network) => {
  const name = platforms[network.platform];
  const app = () => sandboxApp(network, sandbox.url, name);
  const redirectUri = `http://localhost:3000/oauth/connect/callback/${name}`;

  test("accepts its own credentials without side effects", async () => {
    await expect(network.checkCredentials?.(app(), redirectUri)).resolves.toBeUndefined();
  });

  test("rejects a wrong secret", async () => {
    const other = { ...app(), clientSecret: "1000000001:not-the-secret" };
    const { answer } = await failureOf(Promise.resolve(network.checkCredentials?.(other, redirectUri)));
    expect(answer?.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer)).not.toContain("not-the-secret");
  });
});
