import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import "@/lib/testing/database";
import { GET as callback } from "@/app/oauth/connect/callback/[platform]/route";
import { GET, HEAD } from "@/app/oauth/connect/route";
import { POST } from "@/app/oauth/connect/start/route";
import { accounts, connectAttempts, databaseNow, db } from "@/lib/db";
import { env } from "@/lib/env";
import { submitConsent } from "@/lib/networks/testing";
import { createPartner } from "@/lib/oauth";
import { getPartner, provisionConnectUser, savePartnerSettings } from "@/lib/partners";
import { newPerson } from "@/lib/testing";
import { setSuspended } from "@/lib/users";
import { connectUrl } from "./state";

const END = "com.acme.app:/Done?x=%7e&y=a%20b#part";
const NAME = 'Ada "Q" <b>';

let partnerId: string;
let client: string;

beforeAll(async () => {
  client = (await createPartner("Acme")).clientId;
  partnerId = (await getPartner(client)).id;
  await savePartnerSettings(partnerId, { interstitial: true }, "operator");
});

/** A link for a new user of a partner that requires a confirmation. */
async function newLink(ageSeconds = 0) {
  const { id: owner } = await provisionConnectUser(partnerId, { externalUserId: randomUUID(), name: NAME });
  const now = new Date((await databaseNow()).getTime() - ageSeconds * 1000);
  const url = connectUrl({ client, owner, platform: "X_TWITTER", redirectUri: END }, now);
  const attempts = () => db.select().from(connectAttempts).where(eq(connectAttempts.ownerId, owner));
  return { owner, url, sealed: new URL(url).searchParams.get("whitelabel_state") ?? "", attempts };
}

const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** Opens the link: the confirmation page with its form's token and its cookie. */
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

function submit(sealed: string, token: string, cookie: string): Promise<Response> {
  const body = new URLSearchParams({ whitelabel_state: sealed, token });
  return POST(
    new Request(`${env.appUrl}/oauth/connect/start?ui_locales=en`, { method: "POST", body, headers: { cookie } }),
  );
}

describe("the confirmation page", () => {
  test("names the partner and the user, starts nothing, has no script and escapes names", async () => {
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
    // With form-action, a browser would not follow the form to the network, nor from there to a deep link.
    expect(answer.headers.get("content-security-policy")).not.toContain("form-action");
    expect(await link.attempts()).toEqual([]);
  });

  test("uses the link's language and passes it on", async () => {
    const { html } = await shown(`${(await newLink()).url}&ui_locales=de`, { "accept-language": "en" });
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Weiter zu X</button>");
    expect(html).toContain('action="/oauth/connect/start?ui_locales=de"');
  });

  test("is not shown to prefetches and HEAD, which start nothing", async () => {
    const link = await newLink();
    const prefetched = await GET(new Request(link.url, { headers: { "sec-purpose": "prefetch" } }));
    for (const answer of [prefetched, HEAD()]) expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(await link.attempts()).toEqual([]);
  });

  test("continues to the network with this browser's nonce and ends at the link's redirectUri", async () => {
    const link = await newLink();
    const { token, cookie } = await shown(link.url);
    const sent = await submit(link.sealed, token, cookie);
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

  test("works in two tabs, because a browser has one token", async () => {
    const [one, two] = [await newLink(), await newLink()];
    const first = await shown(one.url);
    const second = await shown(two.url, { cookie: first.cookie });
    expect(second.token).toBe(first.token);
    expect((await submit(one.sealed, first.token, second.cookie)).status).toBe(303);
  });

  test.each<[form: string, token: (mine: string) => string, cookie: (mine: string) => string]>([
    ["no cookie, as from another site's form", (mine) => mine, () => ""],
    ["no token", () => "", (mine) => mine],
    ["an empty token and cookie", () => "", (mine) => `${mine.split("=")[0]}=`],
    ["another browser's token", () => "A".repeat(43), (mine) => mine],
    ["another browser's cookie", (mine) => mine, (mine) => `${mine.split("=")[0]}=${"A".repeat(43)}`],
  ])("C11: a form with %s starts nothing: 403", async (_, tokenFrom, cookieFrom) => {
    const link = await newLink();
    const { token, cookie } = await shown(link.url);
    const answer = await submit(link.sealed, tokenFrom(token), cookieFrom(cookie));
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    expect(await link.attempts()).toEqual([]);
  });

  test.each([
    ["another type", { "content-type": "text/plain" }, (form: string) => form],
    ["U+0000", {}, (form: string) => `${form}%00`],
    ["more than 64 KiB", {}, (form: string) => `${form}&more=${"x".repeat(65_536)}`],
  ])("a form that cannot be read starts nothing: 400 (%s)", async (_, type, edit) => {
    const link = await newLink();
    const { token, cookie } = await shown(link.url);
    const body = edit(new URLSearchParams({ whitelabel_state: link.sealed, token }).toString());
    const headers = { "content-type": "application/x-www-form-urlencoded", ...type, cookie };
    const send = (accept: string) =>
      POST(new Request(`${env.appUrl}/oauth/connect/start`, { method: "POST", body, headers: { ...headers, accept } }));
    const page = await send("text/html");
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining("This form could not be read")]);
    const answer = await send("application/json");
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("The form cannot be read")]);
    expect(await link.attempts()).toEqual([]);
  });

  test("C5, C6: an edited or expired link and one of a suspended user are refused, also by the form", async () => {
    const { token, cookie } = await shown((await newLink()).url);
    const [expired, suspended, fresh] = [await newLink(601), await newLink(), await newLink()];
    await setSuspended(suspended.owner, true);
    const edited = { ...fresh, url: `${fresh.url.slice(0, -2)}xx`, sealed: `${fresh.sealed.slice(0, -2)}xx` };
    for (const [link, status] of [
      [expired, 410],
      [suspended, 403],
      [edited, 410],
    ] as const) {
      const page = await shown(link.url);
      expect([page.answer.status, page.answer.headers.get("location")]).toEqual([status, null]);
      const submitted = await submit(link.sealed, token, cookie);
      expect([submitted.status, submitted.headers.get("location")]).toEqual([status, null]);
      expect(await link.attempts()).toEqual([]);
    }
  });
});

test("without the setting, the link goes straight to the network", async () => {
  const link = await newLink();
  await savePartnerSettings(partnerId, { interstitial: false }, "operator");
  const { answer } = await shown(link.url);
  await savePartnerSettings(partnerId, { interstitial: true }, "operator");
  expect([answer.status, answer.headers.get("location")?.startsWith(env.sandbox?.url ?? "none")]).toEqual([302, true]);
  expect(await link.attempts()).toHaveLength(1);
});
