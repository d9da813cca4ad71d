import { afterEach, describe, expect, test } from "vitest";
import { GET } from "@/app/oauth/client/[platform]/route";
import { env, readEnv } from "../env";

const kept = { ...env };
afterEach(() => void Object.assign(env, kept));

/** The document that a process with these settings serves. */
async function served(platform: string, settings: { [name: string]: string }) {
  Object.assign(env, readEnv({ ...process.env, ...settings }));
  const answer = await GET(new Request("https://app.example.com"), { params: Promise.resolve({ platform }) });
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.json() };
}

const KEY = "0123456789abcdef".repeat(4);
/** Without the settings that are allowed only in tests. */
const PUBLIC = {
  ...{ APP_URL: "https://app.example.com", BLUESKY_CLIENT_KEY: KEY },
  ...{ EGRESS_ALLOW: "", TIME_FACTOR: "", FAIL_POINTS: "" },
};

describe("the public client document", () => {
  test("is served for Bluesky at the address that is its client id, with the public part of the key", async () => {
    const { status, type, body } = await served("bluesky", PUBLIC);
    expect([status, type]).toEqual([200, "application/json"]);
    expect(body).toMatchObject({
      client_id: "https://app.example.com/oauth/client/bluesky",
      redirect_uris: ["https://app.example.com/oauth/connect/callback/bluesky"],
      application_type: "web",
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "ES256",
      dpop_bound_access_tokens: true,
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect(body.jwks.keys[0]).toMatchObject({ kty: "EC", crv: "P-256", kid: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  test("is served under a second client id with the broad scope alone, for servers that know no others", async () => {
    const { body } = await served("bluesky-broad", PUBLIC);
    expect(body).toMatchObject({
      client_id: "https://app.example.com/oauth/client/bluesky-broad",
      redirect_uris: ["https://app.example.com/oauth/connect/callback/bluesky"],
      scope: "atproto transition:generic",
    });
    expect((await served("bluesky", PUBLIC)).body.scope).not.toContain("transition");
    expect((await served("bluesky-other", PUBLIC)).status).toBe(404);
  });

  test("does not exist if the network is simulated or needs none", async () => {
    expect((await served("bluesky", {})).status).toBe(404);
    expect((await served("x", PUBLIC)).status).toBe(404);
    expect((await served("nothing", PUBLIC)).status).toBe(404);
  });
});
