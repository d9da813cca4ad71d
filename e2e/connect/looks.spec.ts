import { openBrowser } from "../spec/browser";
import { expect, newPartner, type Partner, type Service, test } from "../spec/service";
import { expectFailure } from "./expect";
import { button, linkFor, visit } from "./walk";

type Branded = { url: string; partner: Partner; user: { uuid: string } };

const LANGUAGES: [what: string, partner: string, query: string, accept: string, language: string][] = [
  ["nothing is asked for", "", "", "", "en"],
  ["the browser asks", "", "", "de-AT,de;q=0.9,en;q=0.5", "de"],
  ["the partner has chosen", "de", "", "en", "de"],
  ["the link asks", "de", "&ui_locales=en", "de", "en"],
  ["the link asks for several", "", "&ui_locales=fr%20de", "en", "de"],
];

test.describe("the language of a page", () => {
  for (const [what, partner, query, accept, language] of LANGUAGES) {
    test(`[pages] ${what}: ${language}, from the first page to the one after the network`, async ({ service }) => {
      const { link, url } = await branded(service, ["--language", partner]);
      const browser = openBrowser();
      const headers = { "accept-language": accept };
      const opened = await visit(browser, link + query, { headers });
      expect(opened.html).toContain(`<html lang="${language}">`);
      const callback = `${url}/oauth/connect/callback/x?error=access_denied&state=${new URL(opened.headers.get("location") ?? "").searchParams.get("state")}`;
      // Without the header: the attempt knows.
      const page = await visit(browser, callback);
      expectFailure(page, 403, language === "de" ? "Sie haben das Verbinden abgelehnt" : "You chose not to connect");
      const again = await visit(
        browser,
        button(page.html, language === "de" ? "Noch einmal beginnen" : "Start again") ?? "",
      );
      expect(again.html).toContain(`<html lang="${language}">`);
    });
  }
});

test.describe("the look of a page", () => {
  test("[pages] name, colours and way home are the partner's, and nothing is the service's own", async ({
    service,
  }) => {
    const set = ["--name", "Acme <Planner>", "--accent", "#7a1fa2", "--home-url", "acmeplanner://home"];
    const { link } = await branded(service, set);
    const browser = openBrowser();
    await visit(browser, link);
    await visit(browser, link);
    const page = await visit(browser, `${link.slice(0, -2)}xx`);
    expectFailure(page, 410, "This link is no longer good");
    const opened = await visit(browser, link);
    expect(opened.html).toContain("<title>One more step · Acme &lt;Planner&gt;</title>");
    expect(opened.html).toContain("--accent:#7a1fa2;--on-accent:#ffffff");
    expect(opened.html).not.toMatch(/Carillon|icon\.svg/);
    expect(opened.html).not.toContain("<Planner>");
  });

  test("[pages] a partner without branding is called by the name it was created with", async ({ service }) => {
    const { link } = await branded(service, []);
    const opened = await visit(openBrowser(), link);
    expect(opened.html).toContain("· Branded</title>");
    expect(opened.html).not.toContain("Carillon");
  });
});

/** A partner of its own with these options of `partners brand`, and a connect link for a user of it. */
async function branded(service: Service, options: string[]) {
  const partner = await newPartner(service.product, "Branded");
  const set = options.filter((_, index) => options[index - (index % 2) + 1] !== "");
  if (set.length > 0) await service.product.carillon("partners", "brand", "--client", partner.clientId, ...set);
  const { body } = await partner.api.post<{ uuid: string }>("/v1/connect/users", {
    externalUserId: "one",
    name: "One",
  });
  const of: Branded = { url: service.url, partner, user: body };
  return { ...of, link: await linkFor(of, body, "X_TWITTER") };
}
