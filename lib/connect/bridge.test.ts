import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { GET as callback } from "../../app/oauth/connect/callback/[platform]/route";
import { POST as openForm } from "../../app/oauth/connect/new/route";
import { GET as open } from "../../app/oauth/connect/route";
import { listAccounts } from "../accounts";
import { databaseNow, db, sessions } from "../db";
import { env } from "../env";
import { submitConsent } from "../networks/testing";
import { createPartner } from "../oauth";
import { endAllSecrets, getPartner, provisionConnectUser } from "../partners";
import type { Platform } from "../platforms";
import { newOwner, newPerson, sessionCookie } from "../testing";
import { interruptedBody } from "../testing/owners";
import { findUser } from "../users";
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

test("a connect form of a person whose session ends while it arrives leads to the sign-in page", async () => {
  const owner = await newOwner();
  const headers = {
    cookie: await sessionCookie(owner),
    origin: new URL(env.appUrl).origin,
    "content-type": "application/x-www-form-urlencoded",
  };
  const locationOf = async (body: BodyInit) => {
    const init = { method: "POST", headers, body, duplex: "half" };
    return new URL((await openForm(new Request(`${env.appUrl}/`, init))).headers.get("location") ?? "").pathname;
  };
  expect(await locationOf("platform=X_TWITTER")).toBe("/oauth/connect");
  const endSession = () => db.delete(sessions).where(eq(sessions.userId, owner));
  expect(await locationOf(interruptedBody(Buffer.from("platform=X_TWITTER"), endSession))).toBe("/sign-in");
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

describe("a connect of a partner's user that ends without an account", () => {
  const END = "com.acme.app:/Done?x=%7e&y=a%20b#part";
  const back = `<a class="button quiet" href="${END.replace("&", "&amp;")}">Back to Acme</a>`;
  const JSON_ONLY = { accept: "application/json, text/plain, */*" };
  let client: string;
  let partnerId: string;

  beforeAll(async () => {
    client = (await createPartner("Acme")).clientId;
    partnerId = (await getPartner(client)).id;
  });

  /** A link for a new user, made this long ago, or from now if it is negative. */
  async function partnerLink(ageSeconds = 0): Promise<string> {
    const { id: owner } = await provisionConnectUser(partnerId, { externalUserId: randomUUID(), name: "Ada" });
    const at = new Date((await databaseNow()).getTime() - ageSeconds * 1000);
    return connectUrl({ client, owner, platform: "X_TWITTER", redirectUri: END }, at);
  }
  /** Opens a link, answers the network's page, and returns a request for the callback in the same browser. */
  async function answered(link: string, person: string, decision: "allow" | "deny") {
    const opened = await open(at(link, { host: nameHost }));
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    const consent = await submitConsent(opened.headers.get("location") ?? "", { account: person, decision });
    const params = Promise.resolve({ platform: "x" });
    return (headers = {}) => callback(at(consent.headers.get("location") ?? "", { cookie, ...headers }), { params });
  }

  test("the page has a button with the link's redirectUri and nothing appended", async () => {
    const denied = await (await answered(await partnerLink(), newPerson(), "deny"))();
    const expired = await open(at(await partnerLink(3600), { host: nameHost }));
    expect([denied.status, expired.status]).toEqual([403, 410]);
    expect(await denied.text()).toContain(back);
    expect(await expired.text()).toContain(back.replace(" quiet", ""));
  });

  test("clients that prefer JSON get 402 and 410 as JSON", async () => {
    const person = newPerson();
    await (await answered(await partnerLink(), person, "allow"))();
    const inUse = await (await answered(await partnerLink(), person, "allow"))(JSON_ONLY);
    expect([inUse.status, await inUse.json()]).toEqual([
      402,
      { error: "This X account was already used by another user of this service" },
    ]);
    const gone = { error: "The state of this connect flow is invalid or has expired; start the flow again" };
    for (const link of [await partnerLink(3600), `${await partnerLink()}x`]) {
      const answer = await open(at(link, { host: nameHost, ...JSON_ONLY }));
      expect([answer.status, answer.headers.get("content-type"), await answer.json()]).toEqual([
        410,
        "application/json",
        gone,
      ]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("a link and a connect that has begun end when all secrets of the partner are revoked, and later links work", async () => {
    const [unopened, begun, other] = [
      await partnerLink(),
      await partnerLink(),
      await linkFor(await newOwner(), "LINKEDIN"),
    ];
    const finish = await answered(begun, newPerson(), "allow");
    const staff = await findUser(await newOwner());
    if (!staff) throw new Error("the staff member is missing");
    await endAllSecrets({ id: partnerId, clientId: client, name: "Acme", createdAt: "", roles: [] }, staff);
    const statuses = [
      await open(at(unopened, { host: nameHost })),
      await open(at(begun, { host: nameHost })),
      await finish(),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect((await open(at(other, { host: nameHost }))).status).toBe(302);
    expect((await open(at(await partnerLink(-5), { host: nameHost }))).status).toBe(302);
  });
});
