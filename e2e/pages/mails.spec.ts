import { expect, test } from "playwright/test";
import { unsubscribedPage, unsubscribePage } from "../../components/plain/session/mail-pages";
import { htmlForm } from "../../lib/mail/html-form";
import { mailKinds } from "../../lib/mail/kinds";
import { expectUsable, WCAG } from "../setup/usable";
import { lookAt } from "./look";

const LONG =
  "https://hooks.carillon.example/a/path/that/is/longer/than/any/phone/is/wide?and=a-query-without-any-gap-in-it";
const shares = [
  { name: "@ada on X", says: "X refused the post: it is a duplicate." },
  { name: "@ada on TikTok", says: "View the post", href: LONG },
];
const footer = { preferencesUrl: "http://pages.test/settings", unsubscribeUrl: "http://pages.test/unsubscribe" };

/** A mail with a list, one with a long address and one with neither. All other mails consist of the same parts. */
const contents = {
  "a post that failed": mailKinds.postFailed.content(
    { scheduleId: 7, text: "Ring the bells", shares, published: 1 },
    "",
  ),
  "a webhook that was switched off": mailKinds.webhookDisabled.content(
    { url: LONG, reason: "It answered 410 Gone" },
    "",
  ),
  "a new password": mailKinds.resetPassword.content({}, LONG),
};

for (const [what, content] of Object.entries(contents)) {
  test(`the mail about ${what} is accessible and fits a phone and a desk, in light and dark`, async ({ page }) => {
    await page.setContent(htmlForm(content, what === "a new password" ? undefined : footer));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 800]) {
        await page.setViewportSize({ width, height: 740 });
        const [drawn, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(drawn, `${width} pixels wide`).toBeLessThanOrEqual(room ?? 0);
      }
      await expectUsable(page, { rules: WCAG, when: colorScheme });
    }
    const paper = await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(paper).toBe("rgb(18, 28, 26)"); // the dark one, which was last
  });
}

const subscription = { subscription: "one", label: "A post was published" };
for (const [what, answer] of Object.entries({
  "before unsubscribing": () => unsubscribePage(subscription),
  "after unsubscribing": () => unsubscribedPage(subscription, false),
})) {
  test(`the unsubscribe page of a mail, ${what}`, async ({ page }) => {
    await page.setContent(await answer().text());
    await lookAt(page);
  });
}
