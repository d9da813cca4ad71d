import { openBrowser } from "../spec/browser";
import { expect, newPartner, type Partner, type Service, test } from "../spec/service";
import { expectFailure } from "./expect";
import { button, linkFor, visit } from "./walk";

type Branded = { url: string; partner: Partner; user: { uuid: string } };

const LANGUAGES: [what: string, partner: string, query: string, accept: string, language: string][] = [
  ["no language is requested", "", "", "", "en"],
  ["the browser requests a language", "", "", "de-AT,de;q=0.9,en;q=0.5", "de"],
  ["the partner has chosen a language", "de", "", "en", "de"],
  ["the link requests a language", "de", "&ui_locales=en", "de", "en"],
  ["the link requests several languages", "", "&ui_locales=fr%20de", "en", "de"],
];

test.describe("the language of a page", () => {
  for (const [what, partner, query, accept, language] of LANGUAGES) {
    test(`${what}: every page is in ${language}, also the one after the network`, async ({ service }) => {
      const { link, url } = await branded(service, ["--language", partner]);
      const browser = openBrowser();
      const headers = { "accept-language": accept };
      const opened = await visit(browser, link + query, { headers });
      expect(opened.html).toContain(`<html lang="${language}">`);
      const callback = `${url}/oauth/connect/callback/x?error=access_denied&state=${new URL(opened.headers.get("location") ?? "").searchParams.get("state")}`;
      // No header is needed here, because the attempt stores the language.
      const page = await visit(browser, callback);
      expectFailure(page, 403, language === "de" ? "X wurde nicht verbunden" : "X was not connected");
      const again = await visit(
        browser,
        button(page.html, language === "de" ? "Noch einmal beginnen" : "Start again") ?? "",
      );
      expect(again.html).toContain(`<html lang="${language}">`);
    });
  }
});

test.describe("the look of a page", () => {
  test("a page has the partner's name, colours and home link, and none of the service's", async ({ service }) => {
    const set = ["--name", "Acme <Planner>", "--accent", "#7a1fa2", "--home-url", "acmeplanner://home"];
    const { link } = await branded(service, set);
    const browser = openBrowser();
    await visit(browser, link);
    await visit(browser, link);
    const page = await visit(browser, `${link.slice(0, -2)}xx`);
    expectFailure(page, 410, "This link has expired");
    const opened = await visit(browser, link);
    expect(opened.html).toContain("<title>One more step · Acme &lt;Planner&gt;</title>");
    expect(opened.html).toContain("--accent:#7a1fa2;--on-accent:#ffffff");
    expect(opened.html).not.toMatch(/Carillon|icon\.svg/);
    expect(opened.html).not.toContain("<Planner>");
  });

  test("a partner without branding appears under the name it was created with", async ({ service }) => {
    const { link } = await branded(service, []);
    const opened = await visit(openBrowser(), link);
    expect(opened.html).toContain("· Branded</title>");
    expect(opened.html).not.toContain("Carillon");
  });
});

/** Creates a partner with these options of `partners brand`, and a connect link for one of its users. */
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
