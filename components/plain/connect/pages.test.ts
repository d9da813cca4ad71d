import { describe, expect, test } from "vitest";
import { pageLanguages } from "@/lib/partners";
import { confirmationPage, failurePage, redirectPage } from "./pages";
import { failures, viewers } from "./testing/viewers";
import { connectWordsIn } from "./words";

const RESTART = "https://app.example/oauth/connect?whitelabel_state=1.a.b.c&ui_locales=de";
const CODE = "7KQ4M-2XPTR";

const ENTITIES: { [entity: string]: string } = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const asText = (markup: string) =>
  markup.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** A page's visible text. The pages do not nest elements of the same name. */
async function readPage(answer: Response) {
  const html = await answer.text();
  const all = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, "gs"))].map(([, inner = ""]) => asText(inner));
  const main = html.slice(html.indexOf("<main>"), html.indexOf("</main>"));
  const links = [...main.matchAll(/<a\b[^>]*href="([^"]*)"/g)].map(([, href = ""]) => asText(href));
  return { status: answer.status, html, title: all("title"), headings: all("h1"), paragraphs: all("p"), links };
}

describe.each(pageLanguages)("in %s", (language) => {
  describe.each(failures)("%s", (failure, status) => {
    test.each(Object.entries(viewers))(
      "%s: explains the failure and shows one next step and the code",
      async (_, viewer) => {
        const { branding, isOurs } = viewer;
        const words = connectWordsIn(language);
        const partner = branding?.name ?? (isOurs ? "Carillon" : words.whereFrom);
        const { title, explanation, withRestart, without } = words.failures[failure]({ network: "Instagram", partner });
        for (const restartUrl of [RESTART, undefined]) {
          const given = { failure, status, language, network: "Instagram", traceCode: CODE, ...viewer, restartUrl };
          const page = await readPage(failurePage(given));
          const again = withRestart && restartUrl;
          const home = branding ? branding.homeUrl : isOurs && "/accounts";
          expect(page).toMatchObject({
            status,
            title: [`${title} · ${branding?.name ?? "Carillon"}`],
            headings: [title],
            paragraphs: expect.arrayContaining([explanation, (again && withRestart) || without]),
            links: [again, home].filter(Boolean),
          });
          expect(page.paragraphs.at(-1)).toBe(`${words.quoteCode(branding?.name)} ${CODE}`);
          expect(page.html).toContain(`<html lang="${language}">`);
          expect(page.html).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
        }
      },
    );
  });
});

test.each([
  ["en", "These permissions were left out:", ["Publish posts", "See which Pages you manage"]],
  ["de", "Diese Berechtigungen fehlen:", ["Beiträge veröffentlichen", "Sehen, welche Seiten Sie verwalten"]],
] as const)(
  "in %s, the page names each permission that is missing, also as the network does",
  async (language, title, plain) => {
    const missing = [
      { scope: "pages_manage_posts", purpose: "publish" },
      { scope: "pages_show_list", purpose: "pages" },
    ] as const;
    const given = { failure: "missing permission", status: 403, network: "Facebook", language } as const;
    const { html, paragraphs } = await readPage(failurePage({ ...given, missing: [...missing] }));
    expect(paragraphs).toContain(title);
    const items = [...html.matchAll(/<li><strong>(.*?)<\/strong><span>(.*?)<\/span><\/li>/g)];
    expect(items.map(([, words, scope]) => [words, scope])).toEqual([
      [plain[0], "pages_manage_posts"],
      [plain[1], "pages_show_list"],
    ]);
    const [single] = missing;
    const one = await readPage(failurePage({ ...given, missing: [single] }));
    expect(one.paragraphs).toContain(connectWordsIn(language).missing(1));
    expect(one.paragraphs).not.toContain(title);
  },
);

test.each(Object.entries(viewers))(
  "the body of a redirect for %s has the same address on a button, byte for byte",
  async (_, viewer) => {
    const address = "com.acme.app:/done?x=%7e&y=1";
    const answer = redirectPage(address, viewer);
    expect(answer.headers.get("location")).toBe(address);
    expect((await readPage(answer)).links).toEqual([address]);
  },
);

describe("a partner's user can go back to the partner's own flow", () => {
  const RETURN = "com.acme.app:/Done?x=%7e&y=a%20b#part";

  test.each(failures)(
    "%s: by the link's redirectUri instead of the home address, byte for byte",
    async (failure, status) => {
      for (const look of ["a user of a partner with branding", "a user of a partner without branding"]) {
        const given = { failure, status, network: "X", returnUrl: RETURN, ...viewers[look] };
        const page = await readPage(failurePage(given));
        expect(page.links).toEqual([RETURN]);
        expect(asText(page.html)).toContain(`Back to ${viewers[look]?.branding?.name}`);
        expect(page.html).not.toMatch(/<script|javascript:|\son[a-z]+=/i);
      }
    },
  );

  test("a user of the dashboard goes back to the dashboard", async () => {
    const given = { failure: "denied", status: 403, network: "X", returnUrl: RETURN, isOurs: true } as const;
    expect((await readPage(failurePage(given))).links).toEqual(["/accounts"]);
  });

  test("also from the confirmation page", async () => {
    const about = { network: "X", platform: "X_TWITTER" } as const;
    const given = { ...about, userName: "Ada", sealed: "1.a.b.c", token: "t", returnUrl: RETURN };
    const branding = viewers["a user of a partner without branding"]?.branding;
    expect((await readPage(confirmationPage({ ...given, branding }))).links).toEqual([RETURN]);
  });
});

test("a failure in a window of the dashboard says that the window can be closed and does not link to the dashboard", async () => {
  const given = { failure: "denied", status: 403, network: "X", restartUrl: RESTART, isPopup: true } as const;
  const page = await readPage(failurePage({ ...given, isOurs: true }));
  expect(page.paragraphs).toContain("You can also close this window.");
  expect(page.links).toEqual([RESTART]);
});
