import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { askPage, failurePage, redirectPage } from "../../components/connect/pages";
import { acme, failures, viewers } from "../../components/connect/testing/viewers";
import { expectThumbs, lookAt } from "./look";

/** Where the pages are shown: nothing is there but what a test puts there. */
const PLACE = "http://pages.test";
const RESTART = `${PLACE}/oauth/connect?whitelabel_state=1.aaaa.${"b".repeat(400)}.cccc&ui_locales=de`;
const ASKED = {
  network: "Instagram",
  userName: "Ada Lovelace, who keeps the accounts of a very long list of people",
  sealed: `1.aaaa.${"b".repeat(400)}.cccc`,
  token: "t".repeat(43),
};

let logo: Buffer;
test.beforeAll(async () => {
  logo = await sharp({ create: { width: 300, height: 100, channels: 3, background: "#7a1fa2" } })
    .png()
    .toBuffer();
});

async function show(page: Page, answer: Response): Promise<void> {
  await page.unrouteAll();
  const { location: _, ...headers } = Object.fromEntries(answer.headers);
  const body = await answer.text();
  await page.route(`${PLACE}/**`, (route) => {
    const isPage = new URL(route.request().url()).pathname === "/";
    return route.fulfill(isPage ? { status: 200, headers, body } : { contentType: "image/png", body: logo });
  });
  await page.goto(PLACE);
}

/** What a page says stands in components/connect/pages.test.ts; here is what only a browser shows. */
for (const [failure, status] of failures) {
  test(`[pages] ${failure}: usable by everybody, in every width and language, light and dark`, async ({ page }) => {
    for (const language of ["en", "de"] as const) {
      const given = { failure, status, language, network: "Instagram", traceCode: "7KQ4M-2XPTR" };
      await show(page, failurePage({ ...given, branding: acme, restartUrl: RESTART }));
      await lookAt(page, language === "en" ? "every width" : "one width");
      await expectThumbs(page);
    }
  });
}

for (const language of ["en", "de"] as const) {
  test(`[pages] the page before a connect, ${language}: usable by everybody, and gone on from by the keyboard`, async ({
    page,
  }) => {
    for (const viewer of [{ branding: acme }, { branding: viewers["a partner's without anything set"]?.branding }]) {
      await show(page, askPage({ ...ASKED, ...viewer, language }));
      await lookAt(page, language === "en" ? "every width" : "one width");
      await expectThumbs(page);
    }
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button")).toBeFocused();
    await page.keyboard.press("Enter");
    const request = await sent;
    expect(request.url()).toBe(`${PLACE}/oauth/connect/start?ui_locales=${language}`);
    expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ""))).toEqual({
      whitelabel_state: ASKED.sealed,
      token: ASKED.token,
    });
  });
}

for (const [who, viewer] of Object.entries(viewers)) {
  test(`[pages] the page beneath a redirect, ${who}`, async ({ page }) => {
    await show(page, redirectPage("com.acme.app:/done?x=%7e&y=1", viewer));
    await lookAt(page, "every width");
    await expectThumbs(page);
  });
}

test("[pages] a failure in a window of the dashboard is usable by everybody", async ({ page }) => {
  await show(page, failurePage({ failure: "denied", status: 403, network: "X", restartUrl: RESTART, isPopup: true }));
  await lookAt(page, "every width");
});

test("[pages] a link to a button is reached and pressed by the keyboard alone", async ({ page }) => {
  await show(
    page,
    failurePage({ failure: "denied", status: 403, network: "X", restartUrl: `${PLACE}/again`, branding: acme }),
  );
  const again = page.getByRole("link", { name: "Start again" });
  await page.keyboard.press("Tab");
  await expect(again).toBeFocused();
  expect(await again.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${PLACE}/again`);
});
