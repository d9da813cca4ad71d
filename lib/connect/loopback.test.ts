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
import { connectUrl, dashboardReturn } from ".";

const byName = new URL(env.appUrl).host;
const byNumber = byName.replace("localhost", "127.0.0.1");
const linkFor = async (owner: string, platform: Platform) =>
  connectUrl({ owner, platform, redirectUri: dashboardReturn() }, await databaseNow());
const at = (url: string, headers: { [name: string]: string }) => new Request(url, { headers });

test("a network that returns to a number: the browser goes there first, and gets its cookie there", async () => {
  const owner = await newOwner();
  const link = await linkFor(owner, "BLUE_SKY");
  const moved = await open(at(link, { host: byName }));
  expect([moved.status, moved.headers.get("set-cookie")]).toEqual([302, null]);
  const there = moved.headers.get("location") ?? "";
  expect(there).toBe(link.replace(byName, byNumber));

  const opened = await open(at(there, { host: byNumber }));
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = await submitConsent(opened.headers.get("location") ?? "", {
    account: newPerson(),
    decision: "allow",
  });
  const back = new URL(consent.headers.get("location") ?? "");
  expect([back.host, back.searchParams.get("iss")]).toEqual([byNumber, expect.stringMatching(/^http/)]);

  const done = await callback(at(back.href, { cookie, host: byNumber }), {
    params: Promise.resolve({ platform: "bluesky" }),
  });
  const [account] = await listAccounts(owner);
  expect(done.headers.get("location")).toBe(`${dashboardReturn()}?connected=${account?.id}`);
});

test("C12: a callback in the name of another server connects nothing", async () => {
  const owner = await newOwner();
  const opened = await open(at(await linkFor(owner, "BLUE_SKY"), { host: byNumber }));
  const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
  const consent = await submitConsent(opened.headers.get("location") ?? "", {
    account: newPerson(),
    decision: "allow",
  });
  const back = new URL(consent.headers.get("location") ?? "");
  back.searchParams.set("iss", `https://${randomUUID()}.example`);
  const refused = await callback(at(back.href, { cookie }), { params: Promise.resolve({ platform: "bluesky" }) });
  expect([refused.status, await listAccounts(owner)]).toEqual([502, []]);
});

test("any other network stays where it is", async () => {
  const opened = await open(at(await linkFor(await newOwner(), "X_TWITTER"), { host: byName }));
  expect(opened.headers.get("set-cookie")).toContain("cf_");
});
