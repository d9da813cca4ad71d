import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { GET as callback } from "../../app/oauth/connect/callback/[platform]/route";
import { GET as open } from "../../app/oauth/connect/route";
import { listAccounts } from "../accounts";
import { databaseNow } from "../db";
import { env } from "../env";
import { submitConsent } from "../networks/testing";
import type { Platform } from "../platforms";
import { newOwner, newPerson } from "../testing";
import { dashboardReturn } from "./addresses";
import { connectUrl } from "./state";

const nameHost = new URL(env.appUrl).host;
const ipHost = nameHost.replace("localhost", "127.0.0.1");
const linkFor = async (owner: string, platform: Platform) =>
  connectUrl({ owner, platform, redirectUri: dashboardReturn() }, await databaseNow());
const at = (url: string, headers: { [name: string]: string }) => new Request(url, { headers });

test("a network that returns to a loopback IP: the link is opened on that host, which sets the cookie", async () => {
  const owner = await newOwner();
  const link = await linkFor(owner, "BLUE_SKY");
  const redirected = await open(at(link, { host: nameHost }));
  expect([redirected.status, redirected.headers.get("set-cookie")]).toEqual([302, null]);
  const there = redirected.headers.get("location") ?? "";
  expect(there).toBe(link.replace(nameHost, ipHost));

  const opened = await open(at(there, { host: ipHost }));
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = await submitConsent(opened.headers.get("location") ?? "", {
    account: newPerson(),
    decision: "allow",
  });
  const back = new URL(consent.headers.get("location") ?? "");
  expect([back.host, back.searchParams.get("iss")]).toEqual([ipHost, expect.stringMatching(/^http/)]);

  const done = await callback(at(back.href, { cookie, host: ipHost }), {
    params: Promise.resolve({ platform: "bluesky" }),
  });
  const [account] = await listAccounts(owner);
  expect(done.headers.get("location")).toBe(`${dashboardReturn()}?connected=${account?.id}`);
});

test("C12: a callback from another issuer connects nothing", async () => {
  const owner = await newOwner();
  const opened = await open(at(await linkFor(owner, "BLUE_SKY"), { host: ipHost }));
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = await submitConsent(opened.headers.get("location") ?? "", {
    account: newPerson(),
    decision: "allow",
  });
  const back = new URL(consent.headers.get("location") ?? "");
  back.searchParams.set("iss", `https://${randomUUID()}.example`);
  const refused = await callback(at(back.href, { cookie }), { params: Promise.resolve({ platform: "bluesky" }) });
  expect([refused.status, await listAccounts(owner)]).toEqual([400, []]);
});

test("any other network is opened on the host of the link", async () => {
  const opened = await open(at(await linkFor(await newOwner(), "X_TWITTER"), { host: nameHost }));
  expect(opened.headers.get("set-cookie")).toContain("cf_");
});
