import { openBrowser } from "../spec/browser";
import { apiOf } from "../spec/client";
import { bearer, expect, newPartner, type Partner, type Service, test, unique } from "../spec/service";
import type { Account } from "../spec/shapes";
import { expectFailure, expectGuarded, expectSentTo } from "./expect";
import { decide, linkFor, RETURNS, type Visit, visit } from "./walk";

type Setting = "interstitial" | "hold";

const partners = new Map<Setting, Promise<Partner>>();

async function newCareful({ product }: Service, setting: Setting): Promise<Partner> {
  const partner = await newPartner(product, "Careful");
  await product.carillon("partners", "settings", "--client", partner.clientId, `--${setting}`, "on");
  return partner;
}

/** The partner with this setting, created once, and an API client for a new user of it. */
async function careful(service: Service, setting: Setting) {
  const found = partners.get(setting) ?? newCareful(service, setting);
  partners.set(setting, found);
  const partner = await found;
  const made = { externalUserId: unique("u"), name: "Ada" };
  const { body } = await partner.api.post<{ uuid: string }>("/v1/connect/users", made);
  const api = apiOf(service.url, { ...bearer(partner.token), "x-connect-user-id": body.uuid });
  return { url: service.url, partner, user: body, api };
}

/** Checks that no attempt was started: no cookie is set and the browser is not redirected. */
function expectNoAttempt({ headers }: Pick<Visit, "headers">): void {
  expect(headers.getSetCookie().filter((cookie) => cookie.startsWith("cf_"))).toEqual([]);
  expect(headers.get("location")).toBeNull();
}

test.describe("a partner with the interstitial", () => {
  for (const [kind, redirectUri] of Object.entries(RETURNS)) {
    test(`C4: the interstitial leads through the network to ${kind}, byte for byte`, async ({ service }) => {
      const of = await careful(service, "interstitial");
      const browser = openBrowser();
      const page = await visit(browser, await linkFor(of, of.user, "X_TWITTER", redirectUri));
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
      expectGuarded(page);
      expect(page.html).toContain("<dd>Careful</dd>");
      expect(page.html).toContain("<bdi>Ada</bdi>");
      const pressed = await browser.submit(page, {});
      expect(pressed.status).toBe(303);
      expectGuarded(pressed);
      const network = pressed.headers.get("location") ?? "";
      expect(new URL(network).origin).toBe(service.sandboxUrl);
      const callback = await decide(browser, network, { account: unique("p"), decision: "allow" });
      expectSentTo(await visit(browser, callback), redirectUri);
      expect((await of.api.get<Account[]>("/v1/accounts")).body).toHaveLength(1);
    });
  }

  test("C7: opening the link any number of times starts no attempt", async ({ service }) => {
    const of = await careful(service, "interstitial");
    const link = await linkFor(of, of.user, "X_TWITTER");
    for (const method of ["GET", "HEAD", "GET"]) expectNoAttempt(await visit(openBrowser(), link, { method }));
  });

  test("C11: submitting the form in a browser that did not open the page returns 403 and starts no attempt", async ({
    service,
  }) => {
    const of = await careful(service, "interstitial");
    const page = await visit(openBrowser(), await linkFor(of, of.user, "X_TWITTER"));
    const answer = await openBrowser().submit(page, {});
    const pressed = { url: page.url, status: answer.status, headers: answer.headers, html: await answer.text() };
    expectFailure(pressed, 403, "Open the link again in this browser");
    expectNoAttempt(pressed);
  });

  test("C17: other methods than POST return 405", async ({ service }) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await visit(openBrowser(), `${service.url}/oauth/connect/start`, { method })).status).toBe(405);
    }
  });
});

test("a partner that holds new accounts must confirm each before it can be used", async ({ service }) => {
  const of = await careful(service, "hold");
  const browser = openBrowser();
  const opened = await visit(browser, await linkFor(of, of.user, "X_TWITTER"));
  const person = unique("p");
  const callback = await decide(browser, opened.headers.get("location") ?? "", { account: person, decision: "allow" });
  expect((await visit(browser, callback)).status).toBe(302);
  const accounts = async () => (await of.api.get<Account[]>("/v1/accounts")).body;
  const [held] = await accounts();
  expect(held).toMatchObject({ state: "HELD", accountUsername: person });
  expect((await of.api.post(`/v1/accounts/${held?.id}/confirm`, {})).status).toBe(200);
  expect(await accounts()).toMatchObject([{ id: held?.id, state: "ACTIVE" }]);
});
