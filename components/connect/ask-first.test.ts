import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import "@/lib/testing/database";
import { GET as callback } from "@/app/oauth/connect/callback/[platform]/route";
import { GET, HEAD } from "@/app/oauth/connect/route";
import { POST } from "@/app/oauth/connect/start/route";
import { connectUrl, getPartner, provisionConnectUser, savePartnerSettings } from "@/lib/connect";
import { accounts, connectAttempts, databaseNow, db } from "@/lib/db";
import { env } from "@/lib/env";
import { submitConsent } from "@/lib/networks/testing";
import { createPartner } from "@/lib/oauth";
import { newPerson } from "@/lib/testing";
import { setSuspended } from "@/lib/users";

const END = "com.acme.app:/Done?x=%7e&y=a%20b#part";
const NAME = 'Ada "Q" <b>';

let partnerId: string;
let client: string;

beforeAll(async () => {
  client = (await createPartner("Acme")).clientId;
  partnerId = (await getPartner(client)).id;
  await savePartnerSettings(partnerId, { interstitial: true }, "operator");
});

/** A new user of a partner that asks first, and a link of theirs. */
async function newLink(ageSeconds = 0) {
  const { id: owner } = await provisionConnectUser(partnerId, { externalUserId: randomUUID(), name: NAME });
  const now = new Date((await databaseNow()).getTime() - ageSeconds * 1000);
  const url = connectUrl({ client, owner, platform: "X_TWITTER", redirectUri: END }, now);
  const attempts = () => db.select().from(connectAttempts).where(eq(connectAttempts.ownerId, owner));
  return { owner, url, sealed: new URL(url).searchParams.get("whitelabel_state") ?? "", attempts };
}

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** A page as one browser was shown it: what its form holds, and its cookie. */
async function shown(url: string, headers: { [name: string]: string } = {}) {
  const answer = await GET(new Request(url, { headers }));
  const html = await answer.text();
  return {
    answer,
    html,
    token: /name="token" value="([^"]*)"/.exec(html)?.[1] ?? "",
    cookie: cookiesOf(answer)[0] ?? "",
  };
}

function press(sealed: string, token: string, cookie: string): Promise<Response> {
  const body = new URLSearchParams({ whitelabel_state: sealed, token });
  return POST(
    new Request(`${env.appUrl}/oauth/connect/start?ui_locales=en`, { method: "POST", body, headers: { cookie } }),
  );
}

describe("the page before a connect", () => {
  test("names partner and user, begins nothing, and holds neither a script nor what a name would smuggle in", async () => {
    const link = await newLink();
    const { answer, html } = await shown(link.url);
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(html).toContain("<dd>Acme</dd>");
    expect(html).toContain("<bdi>Ada &quot;Q&quot; &lt;b&gt;</bdi>");
    expect(html).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
    });
    // A browser would not follow the form to the network, nor from there to a deep link.
    expect(answer.headers.get("content-security-policy")).not.toContain("form-action");
    expect(await link.attempts()).toEqual([]);
  });

  test("speaks the link's language, and hands it on", async () => {
    const { html } = await shown(`${(await newLink()).url}&ui_locales=de`, { "accept-language": "en" });
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Weiter zu X</button>");
    expect(html).toContain('action="/oauth/connect/start?ui_locales=de"');
  });

  test("is not shown to prefetches and HEAD, which begin nothing either", async () => {
    const link = await newLink();
    const prefetched = await GET(new Request(link.url, { headers: { "sec-purpose": "prefetch" } }));
    for (const answer of [prefetched, HEAD()]) expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await link.attempts()).toEqual([]);
  });

  test("leads on by a press: to the network, with a secret of this browser's, and in the end to the link's address", async () => {
    const link = await newLink();
    const { token, cookie } = await shown(link.url);
    const sent = await press(link.sealed, token, cookie);
    const network = sent.headers.get("location") ?? "";
    expect([sent.status, network.startsWith(env.sandbox?.url ?? "no sandbox")]).toEqual([303, true]);
    const consent = await submitConsent(network, { account: newPerson(), decision: "allow" });
    const headers = { cookie: cookiesOf(sent).join("; ") };
    const back = new Request(consent.headers.get("location") ?? "", { headers });
    const end = await callback(back, { params: Promise.resolve({ platform: "x" }) });
    expect([end.status, end.headers.get("location")]).toEqual([302, END]);
    expect(await db.select().from(accounts).where(eq(accounts.ownerId, link.owner))).toHaveLength(1);
    expect((await shown(link.url)).answer.status).toBe(410);
  });

  test("of two tabs leads on in either: one browser has one token", async () => {
    const [one, two] = [await newLink(), await newLink()];
    const first = await shown(one.url);
    const second = await shown(two.url, { cookie: first.cookie });
    expect(second.token).toBe(first.token);
    expect((await press(one.sealed, first.token, second.cookie)).status).toBe(303);
  });

  test.each<[what: string, token: (mine: string) => string, cookie: (mine: string) => string]>([
    ["no cookie, as another site's form comes", (mine) => mine, () => ""],
    ["no token", () => "", (mine) => mine],
    ["neither, both empty", () => "", (mine) => `${mine.split("=")[0]}=`],
    ["another browser's token", () => "A".repeat(43), (mine) => mine],
    ["another browser's cookie", (mine) => mine, (mine) => `${mine.split("=")[0]}=${"A".repeat(43)}`],
  ])("C11: a press with %s begins nothing: 403", async (_, tokenFrom, cookieFrom) => {
    const link = await newLink();
    const { token, cookie } = await shown(link.url);
    const answer = await press(link.sealed, tokenFrom(token), cookieFrom(cookie));
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    expect(await link.attempts()).toEqual([]);
  });

  test("C5, C6: a link that was changed, is past or whose user is suspended is refused at the page and at the press", async () => {
    const { token, cookie } = await shown((await newLink()).url);
    const [past, suspended, fresh] = [await newLink(601), await newLink(), await newLink()];
    await setSuspended(suspended.owner, true);
    const edited = { ...fresh, url: `${fresh.url.slice(0, -2)}xx`, sealed: `${fresh.sealed.slice(0, -2)}xx` };
    for (const [link, status] of [
      [past, 410],
      [suspended, 403],
      [edited, 410],
    ] as const) {
      const page = await shown(link.url);
      expect([page.answer.status, page.answer.headers.get("location")]).toEqual([status, null]);
      const pressed = await press(link.sealed, token, cookie);
      expect([pressed.status, pressed.headers.get("location")]).toEqual([status, null]);
      expect(await link.attempts()).toEqual([]);
    }
  });
});

test("where the partner does not ask for it, the link goes straight to the network", async () => {
  const link = await newLink();
  await savePartnerSettings(partnerId, { interstitial: false }, "operator");
  const { answer } = await shown(link.url);
  await savePartnerSettings(partnerId, { interstitial: true }, "operator");
  expect([answer.status, answer.headers.get("location")?.startsWith(env.sandbox?.url ?? "none")]).toEqual([302, true]);
  expect(await link.attempts()).toHaveLength(1);
});
