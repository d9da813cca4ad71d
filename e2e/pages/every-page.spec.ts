import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { failurePage, redirectPage, type Viewer } from "../../components/connect/pages";
import { wordsIn } from "../../components/connect/words";
import { brandingFrom, type Failure } from "../../lib/connect";
import { expectThumbs, lookAt } from "./look";

/** Where the pages are shown: nothing is there but what a test puts there. */
const PLACE = "http://pages.test";

const FAILURES: { [F in Failure]: number } = {
  denied: 403,
  "missing permission": 403,
  network: 502,
  "account in use": 402,
  "wrong browser": 403,
  expired: 410,
  suspended: 403,
  unavailable: 400,
  fault: 500,
};

const acme = brandingFrom("Acme", {
  displayName: "Acme Planner for people with very long names",
  accent: "#7a1fa2",
  homeUrl: "acmeplanner://home",
  logoUrl: "/oauth/logo/one",
});
const VIEWERS: { [look: string]: Viewer } = {
  "the dashboard's": { isOurs: true },
  "nobody's, of whom nothing is known": {},
  "a partner's": { branding: acme },
  "a partner's without anything set": { branding: brandingFrom("Acme", {}) },
};
const RESTART = `${PLACE}/oauth/connect?whitelabel_state=1.aaaa.${"b".repeat(400)}.cccc&ui_locales=de`;

async function show(page: Page, answer: Response): Promise<void> {
  await page.unrouteAll();
  const logo = await sharp({ create: { width: 300, height: 100, channels: 3, background: "#7a1fa2" } })
    .png()
    .toBuffer();
  await page.route(`${PLACE}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname !== "/") return route.fulfill({ contentType: "image/png", body: logo });
    const { location: _, ...headers } = Object.fromEntries(answer.headers);
    return route.fulfill({ status: 200, headers, body: await answer.text() });
  });
  await page.goto(PLACE);
}

const failures = Object.entries(FAILURES) as [Failure, number][]; // the keys of the table above

for (const language of ["en", "de"] as const) {
  for (const [failure, status] of failures) {
    const given = { failure, status, language, network: "Instagram", traceCode: "7KQ4M-2XPTR" };

    test(`[pages] ${failure}, ${language}: usable by everybody, in every width, light and dark`, async ({ page }) => {
      await show(page, failurePage({ ...given, branding: acme, restartUrl: RESTART }));
      await lookAt(page);
      await expectThumbs(page);
    });

    for (const [who, viewer] of Object.entries(VIEWERS)) {
      test(`[pages] ${failure}, ${language}, ${who}: what happened, one next step that works, the code`, async ({
        page,
      }) => {
        const { branding, isOurs } = viewer;
        const words = wordsIn(language);
        const about = {
          network: "Instagram",
          partner: branding?.name ?? (isOurs ? "Carillon" : words.whereFrom),
        };
        const { title, says, withRestart, without } = words.failures[failure](about);
        for (const restartUrl of [RESTART, undefined]) {
          const answer = failurePage({ ...given, ...viewer, restartUrl });
          expect(answer.status).toBe(status);
          await show(page, answer);
          const again = withRestart && restartUrl;
          await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
          await expect(page.getByText(says, { exact: true })).toBeVisible();
          await expect(page.getByText((again && withRestart) || without, { exact: true })).toBeVisible();
          await expect(page.getByText("7KQ4M-2XPTR")).toBeVisible();
          expect(await page.title()).toBe(`${title} · ${branding?.name ?? "Carillon"}`);
          const links = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
          const home = branding ? branding.homeUrl : isOurs && "/accounts";
          expect(links).toEqual([again, home].filter(Boolean));
        }
      });
    }
  }
}

for (const [who, viewer] of Object.entries(VIEWERS)) {
  test(`[pages] the page beneath a redirect, ${who}`, async ({ page }) => {
    await show(page, redirectPage("com.acme.app:/done?x=%7e&y=1", viewer));
    await lookAt(page);
    await expectThumbs(page);
    await expect(page.locator("main a")).toHaveAttribute("href", "com.acme.app:/done?x=%7e&y=1");
  });
}

test("[pages] a failure in a window of the dashboard says that it can be closed, and does not open the dashboard in it", async ({
  page,
}) => {
  await show(page, failurePage({ failure: "denied", status: 403, network: "X", restartUrl: RESTART, isPopup: true }));
  await lookAt(page);
  await expect(page.getByText("You can also close this window.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to your accounts" })).toHaveCount(0);
});

test("[pages] a link to a button is reached and pressed by the keyboard alone", async ({ page }) => {
  await show(
    page,
    failurePage({ failure: "denied", status: 403, network: "X", restartUrl: `${PLACE}/again`, branding: acme }),
  );
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Start again" })).toBeFocused();
  const outline = await page
    .getByRole("link", { name: "Start again" })
    .evaluate((link) => getComputedStyle(link).outlineStyle);
  expect(outline).toBe("solid");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${PLACE}/again`);
});
