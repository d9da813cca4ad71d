import { expect, type Page, test } from "playwright/test";
import sharp from "sharp";
import { confirmationPage, failurePage, redirectPage } from "../../components/plain/connect/pages";
import { acme, failures, viewers } from "../../components/plain/connect/testing/viewers";
import { expectFitsEveryWidth, expectThumbs, lookAt } from "./look";

/** The pages' address; every request to it is answered by the test. */
const PLACE = "http://pages.test";
const RESTART = `${PLACE}/oauth/connect?whitelabel_state=1.aaaa.${"b".repeat(400)}.cccc&ui_locales=de`;
const INSTAGRAM = { network: "Instagram", platform: "INSTAGRAM" } as const;
const CONFIRMATION = {
  returnUrl: "com.acme.app:/done",
  ...INSTAGRAM,
  userName: "Ada Lovelace, who keeps the accounts of a very long list of people",
  sealed: `1.aaaa.${"b".repeat(400)}.cccc`,
  token: "t".repeat(43),
} as const;

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

/** components/plain/connect/pages.test.ts checks the texts; these tests check what needs a browser. */
test("each failure is accessible in every width, language and theme", async ({ page }) => {
  for (const [failure, status] of failures) {
    for (const language of ["en", "de"] as const) {
      const given = { failure, status, language, traceCode: "7KQ4M-2XPTR", ...INSTAGRAM };
      await test.step(`${failure} in ${language}`, async () => {
        await show(page, failurePage({ ...given, branding: acme, restartUrl: RESTART }));
        await (language === "en" ? lookAt(page) : expectFitsEveryWidth(page));
        await expectThumbs(page);
      });
    }
  }
});

for (const language of ["en", "de"] as const) {
  test(`the confirmation page in ${language} is accessible, and the keyboard can confirm it`, async ({ page }) => {
    for (const viewer of [
      { branding: acme },
      { branding: viewers["a user of a partner without branding"]?.branding },
    ]) {
      await show(page, confirmationPage({ ...CONFIRMATION, ...viewer, language }));
      await (language === "en" ? lookAt(page) : expectFitsEveryWidth(page));
      await expectThumbs(page);
    }
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button")).toBeFocused();
    await page.keyboard.press("Enter");
    const request = await sent;
    expect(request.url()).toBe(`${PLACE}/oauth/connect/start?ui_locales=${language}`);
    expect(Object.fromEntries(new URLSearchParams(request.postData() ?? ""))).toEqual({
      whitelabel_state: CONFIRMATION.sealed,
      token: CONFIRMATION.token,
    });
  });
}

test("the body of a redirect is accessible for every kind of person", async ({ page }) => {
  for (const [who, viewer] of Object.entries(viewers)) {
    await test.step(who, async () => {
      await show(page, redirectPage("com.acme.app:/done?x=%7e&y=1", viewer));
      await lookAt(page);
      await expectThumbs(page);
    });
  }
});

test("a failure in a window of the dashboard is accessible", async ({ page }) => {
  await show(page, failurePage({ failure: "denied", status: 403, network: "X", restartUrl: RESTART, isPopup: true }));
  await lookAt(page);
});

test("a link that looks like a button works with the keyboard", async ({ page }) => {
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
