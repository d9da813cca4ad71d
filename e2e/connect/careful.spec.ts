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

/** A partner with this setting, always the same, and calls for a new user of it. */
async function careful(service: Service, setting: Setting) {
  const found = partners.get(setting) ?? newCareful(service, setting);
  partners.set(setting, found);
  const partner = await found;
  const made = { externalUserId: unique("u"), name: "Ada" };
  const { body } = await partner.api.post<{ uuid: string }>("/v1/connect/users", made);
  const api = apiOf(service.url, { ...bearer(partner.token), "x-connect-user-id": body.uuid });
  return { url: service.url, partner, user: body, api };
}

/** No attempt was begun: the browser has nothing that would tie one to it, and is sent nowhere. */
function expectNothingBegun({ headers }: Pick<Visit, "headers">): void {
  expect(headers.getSetCookie().filter((cookie) => cookie.startsWith("cf_"))).toEqual([]);
  expect(headers.get("location")).toBeNull();
}

test.describe("a partner that has its people asked first", () => {
  for (const [kind, redirectUri] of Object.entries(RETURNS)) {
    test(`[C4] the page, a press, the network, and the end at ${kind}, byte for byte`, async ({ service }) => {
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

  test("[C7] however often the link is looked at, nothing is begun", async ({ service }) => {
    const of = await careful(service, "interstitial");
    const link = await linkFor(of, of.user, "X_TWITTER");
    for (const method of ["GET", "HEAD", "GET"]) expectNothingBegun(await visit(openBrowser(), link, { method }));
  });

  test("[C11] a press in a browser that was not shown the page: 403, nothing is begun", async ({ service }) => {
    const of = await careful(service, "interstitial");
    const page = await visit(openBrowser(), await linkFor(of, of.user, "X_TWITTER"));
    const answer = await openBrowser().submit(page, {});
    const pressed = { url: page.url, status: answer.status, headers: answer.headers, html: await answer.text() };
    expectFailure(pressed, 403, "Open the link again in this browser");
    expectNothingBegun(pressed);
  });

  test("[C17] other methods than the form's: 405", async ({ service }) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await visit(openBrowser(), `${service.url}/oauth/connect/start`, { method })).status).toBe(405);
    }
  });
});

test("a partner that has its accounts held confirms each before it can be used", async ({ service }) => {
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
