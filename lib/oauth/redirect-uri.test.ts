import { describe, expect, test } from "vitest";
import { newOwner, sessionCookie } from "../testing";
import { createApplication, createPartner } from ".";
import { newClient, open, queryOf, REDIRECT } from "./testing";

describe("A1: the answer is sent only to a registered address", () => {
  const LOOPBACK = "http://127.0.0.1:4000/callback";

  async function statusFor(registered: string, given: string | undefined) {
    const client = await newClient(registered);
    const answer = await open(queryOf(client, { redirect_uri: given }), await sessionCookie(await newOwner()));
    expect(answer.headers.has("location")).toBe(false);
    return answer.status;
  }

  test.each([
    "https://app.example.com/callback/",
    "https://app.example.com/Callback",
    "https://app.example.com/callback?",
    "https://app.example.com/callback?x=1",
    "https://app.example.com/callback#",
    "https://app.example.com/callback#fragment",
    "https://app.example.com/callback/../callback",
    "https://app.example.com/./callback",
    "https://app.example.com//callback",
    "https://app.example.com/%63allback",
    "https://app.example.com:443/callback",
    "https://app.example.com:8443/callback",
    "https://app.example.com./callback",
    "https://APP.example.com/callback",
    "HTTPS://app.example.com/callback",
    "http://app.example.com/callback",
    "https://app.example.com.evil.example/callback",
    "https://evil.example/callback",
    "https://evil.example/https://app.example.com/callback",
    "https://user@app.example.com/callback",
    "https://app.example.com@evil.example/callback",
    "https://app.example.com\\@evil.example/callback",
    "https://app.example.com/callback\r\nX: y",
    "https://app.example.com/callback\0",
    " https://app.example.com/callback",
    "https://app.example.com/callback ",
    "//app.example.com/callback",
    "/callback",
    "app.example.com/callback",
    "javascript:alert(1)//https://app.example.com/callback",
    "data:text/html,x",
    "https://sub.app.example.com/callback",
    "https://app.example.com/callback,https://evil.example",
    "",
    undefined,
  ])("400 for %j, without a redirect", async (given) => {
    expect(await statusFor(REDIRECT, given)).toBe(400);
  });

  test.each([
    ["http://127.0.0.1:5123/callback", 200],
    ["http://127.0.0.1/callback", 200],
    [LOOPBACK, 200],
    ["http://127.0.0.1:5123/other", 400],
    ["http://127.0.0.1:5123/callback?x", 400],
    ["http://127.0.0.1:0/callback", 400],
    ["http://127.0.0.1:99999/callback", 400],
    ["http://127.0.0.1:5123@evil.example/callback", 400],
    ["http://127.0.0.1:/callback", 400],
    ["https://127.0.0.1:4000/callback", 400],
    ["http://localhost:4000/callback", 400],
    ["http://127.0.0.2:4000/callback", 400],
    ["http://[::1]:4000/callback", 400],
    ["http://2130706433:4000/callback", 400],
  ])("only the port of a loopback IP address may differ: %s", async (given, status) => {
    expect(await statusFor(LOOPBACK, given)).toBe(status);
  });

  test("the same applies to IPv6, but not to localhost", async () => {
    expect(await statusFor("http://[::1]:4000/cb", "http://[::1]:5123/cb")).toBe(200);
    expect(await statusFor("http://localhost:4000/cb", "http://localhost:5123/cb")).toBe(400);
    expect(await statusFor("com.example.app:/cb", "com.example.app:/cb")).toBe(200);
  });

  test.each(["client_id", "redirect_uri"])("400 for two values of %s, in either order", async (name) => {
    const client = await newClient();
    const cookie = await sessionCookie(await newOwner());
    const right = queryOf(client);
    for (const query of [`${right}&${name}=x`, `${name}=x&${right}`]) {
      const answer = await open(query, cookie);
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
  });

  test.each(["nobody", "", undefined, "\0", "%00", "'", "\ud800"])("400 for the client %j", async (client_id) => {
    const answer = await open(queryOf(await newClient(), { client_id }));
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
  });

  test("400 for a partner's client, which has no redirect URI", async () => {
    const { clientId } = await createPartner("Partner");
    expect((await open(queryOf(await newClient(), { client_id: clientId }))).status).toBe(400);
  });

  test.each([
    "http://app.example.com/cb",
    "javascript:alert(1)",
    "data:text/html,x",
    "myapp:/cb",
    "x-apple.systempreferences:/cb",
    "https://a;b.example/cb",
    "https://a,b.example/cb",
    "https://app.example.com/#x",
    "https://a b.example/",
    "https://user:secret@app.example.com/",
    "/callback",
    "https://app.example.com\\cb",
    `https://app.example.com/${"x".repeat(2048)}`,
  ])("%s cannot be registered", async (uri) => {
    await expect(createApplication("Bad", [uri])).rejects.toThrow(/redirect-uri/);
  });
});
