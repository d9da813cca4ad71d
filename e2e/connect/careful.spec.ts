import { openBrowser } from "../spec/browser";
import { apiOf } from "../spec/client";
import { bearer, expect, newPartner, type Partner, type Service, test, unique } from "../spec/service";
import type { Account } from "../spec/shapes";
import { expectFailure, expectGuarded, expectSentTo } from "./expect";
import { decide, linkFor, RETURNS, visit } from "./walk";

/** A partner with these settings, and calls for a user of it. */
async function careful(service: Service, ...settings: string[]) {
  const partner = await newPartner(service.product, "Careful");
  await service.product.carillon("partners", "settings", "--client", partner.clientId, ...settings);
  const { body } = await partner.api.post<{ uuid: string }>("/v1/connect/users", { externalUserId: "1", name: "Ada" });
  const api = apiOf(service.url, { ...bearer(partner.token), "x-connect-user-id": body.uuid });
  return { url: service.url, partner, user: body, api };
}

const attempts = async (service: Service, { clientId }: Partner) => {
  const told = await service.product.carillon("partners", "attempts", "--client", clientId);
  return (told as { attempts: unknown[] }).attempts;
};

test.describe("a partner that has its people asked first", () => {
  for (const [kind, redirectUri] of Object.entries(RETURNS)) {
    test(`[C4] the page, a press, the network, and the end at ${kind}, byte for byte`, async ({ service }) => {
      const of = await careful(service, "--interstitial", "on");
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
    const of = await careful(service, "--interstitial", "on");
    const link = await linkFor(of, of.user, "X_TWITTER");
    for (const method of ["GET", "HEAD", "GET"]) await visit(openBrowser(), link, { method });
    expect(await attempts(service, of.partner)).toEqual([]);
  });

  test("[C11] a press in a browser that was not shown the page: 403, nothing is begun", async ({ service }) => {
    const of = await careful(service, "--interstitial", "on");
    const page = await visit(openBrowser(), await linkFor(of, of.user, "X_TWITTER"));
    const answer = await openBrowser().submit(page, {});
    const pressed = { url: page.url, status: answer.status, headers: answer.headers, html: await answer.text() };
    expectFailure(pressed, 403, "Open the link again in this browser");
    expect(await attempts(service, of.partner)).toEqual([]);
  });

  test("[C17] other methods than the form's: 405", async ({ service }) => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      expect((await visit(openBrowser(), `${service.url}/oauth/connect/start`, { method })).status).toBe(405);
    }
  });
});

test("a partner that has its accounts held confirms each before it can be used", async ({ service }) => {
  const of = await careful(service, "--hold", "on");
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
