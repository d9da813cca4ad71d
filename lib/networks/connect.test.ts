import { readFileSync } from "node:fs";
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

test.each(allNetworks().flatMap(({ connect }) => (connect.kind === "oauth" ? [connect] : [])))(
  "each required scope has a purpose, so that the connect page can say what is missing: $requiredScopes",
  ({ requiredScopes, scopePurposes }) => {
    expect(Object.keys(scopePurposes)).toEqual(requiredScopes);
  },
);

/** Bluesky and Telegram have no review. */
const reviewed = allNetworks().filter(({ platform }) => platform !== "BLUE_SKY" && platform !== "TELEGRAM");

describe.each(reviewed)("docs/networks: what the reviewer of $name asks for", ({ platform, connect }) => {
  const page = readFileSync(`docs/networks/${platforms[platform]}.md`, "utf8");
  const section = page.split("\n## ").find((one) => one.startsWith("What the reviewer asks for")) ?? "";

  test("has a reason for each permission that everybody is asked for", () => {
    const scopes = connect.kind === "oauth" ? connect.requiredScopes : [];
    const names = scopes.map((scope) => `\`${scope.split("/").at(-1)}\``);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !section.includes(name))).toEqual([]);
  });

  test.each(["**Reasons", "**Screencast", "**Addresses", /\*\*(Before|With Trial)/])("has an entry %s", (entry) => {
    expect(section).toMatch(entry);
  });
});
