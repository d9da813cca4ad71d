import { expect } from "playwright/test";
import { addFiles, film, pick, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { look, lookAlsoOnPhone, newcomer, newName, openAccounts, openConnect, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test("TikTok's form offers the creator's options, preselects none, and sends what was chosen", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  const person = await newcomer(page, product, "TikTok");
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: `@${person} TikTok` }).check();
  await expect(page.getByText("Posts as")).toBeVisible();
  const privacy = page.getByLabel("Who can see it");
  await expect(privacy).toHaveValue("");
  await expect(privacy.getByRole("option")).toHaveText([
    "Choose…",
    "Public to everyone",
    "Mutual follow friends",
    "Self only",
  ]);
  for (const name of ["Comment", "Duet", "Stitch"])
    await expect(page.getByRole("checkbox", { name })).not.toBeChecked();
  await page.getByRole("checkbox", { name: /^Branded content/ }).check();
  await expect(page.getByText("It will be labelled as “Paid partnership”.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Branded Content Policy" })).toBeVisible();
  await expect(privacy.getByRole("option", { name: "Self only" })).toBeDisabled();
  await privacy.selectOption("Mutual follow friends");
  await page.getByRole("checkbox", { name: "Comment" }).check();
  await look(page);
  const sent = page.waitForRequest((request) => request.url().endsWith("/v1/posts/validate"));
  await addFiles(page, await picture("bells.jpg"));
  const { publications } = (await sent).postDataJSON();
  expect(publications[0].platformSettings).toMatchObject({
    privacyLevel: "MUTUAL_FOLLOW_FRIENDS",
    disableComments: false,
    disableDuet: true,
    disableStitch: true,
    brandContent: true,
    hasUsageConfirmation: true,
  });
});

test("a first comment is counted, shown below the post, and sent; the page of the post says when", async ({ page }) => {
  const person = await newcomer(page, product);
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: `@${person} X` }).check();
  await page.getByLabel("Text", { exact: true }).fill("Ding");
  await page.getByText("X settings").click();
  const field = page.getByRole("textbox", { name: "First comment" });
  const height = async () => (await field.boundingBox())?.height ?? 0;
  const before = await height();
  await field.fill("Dong\n".repeat(12));
  expect(await height()).toBeGreaterThan(2 * before);
  await field.fill("Dong, from the first comment");
  await expect(page.getByText("28 of 280")).toBeVisible();
  const preview = page.getByRole("figure", { name: "Preview for X" });
  await expect(preview.getByText("Dong, from the first comment")).toBeVisible();
  await lookAlsoOnPhone(page);
  await page.getByRole("radio", { name: "Now" }).check();
  await page.getByRole("button", { name: "Post now" }).click();
  await page.getByRole("link", { name: "Ding" }).click();
  await expect(page.getByText("First comment: it is out")).toBeVisible();
  await expect(page.getByText("The first comment is out.")).toBeVisible();
  await lookAlsoOnPhone(page);
});

test("a draft is saved although a required setting is missing; the frame that is a TikTok video's cover is entered in seconds, sent in milliseconds, and chosen in the video", async ({
  page,
}) => {
  const person = await newcomer(page, product, "TikTok");
  await page.goto(`${product.url}/compose`);
  await page.getByLabel("Text", { exact: true }).fill("Nobody has chosen who can see it");
  await page.getByRole("checkbox", { name: `@${person} TikTok` }).check();
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  const { items } = await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json();
  expect(items[0].publications[0].platformSettings).not.toHaveProperty("privacyLevel");
  await page.goto(`${product.url}/compose?edit=${items[0].id}`);
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Nobody has chosen who can see it");
  await expect(page.getByLabel("Who can see it")).toHaveValue("");

  const button = page.getByRole("button", { name: "Choose the cover frame" });
  await expect(page.getByLabel("Cover photo")).toBeVisible();
  await expect(page.getByLabel("Cover frame")).toBeVisible();
  await expect(button).toBeHidden(); // there is no video yet
  // The draft is also saved with it, before or after.
  const checked = page.waitForRequest(
    (request) =>
      request.url() === `${product.url}/v1/posts/validate` &&
      request.postData()?.includes('"videoCoverTimestampMs":2500') === true,
  );
  await page.getByLabel("Cover frame").fill("2.5");
  await addFiles(page, await film());
  await checked;
  await button.click();
  const frames = page.getByRole("dialog", { name: "Cover of bells.webm" });
  const use = frames.getByRole("button", { name: "Use this frame" });
  await expect(use).toBeEnabled();
  await frames.getByRole("slider", { name: "Moment" }).fill("1");
  await look(page);
  await use.press("Enter");
  await expect(page.getByLabel("Cover frame")).toHaveValue("1.00");
  await expect(button).toBeFocused();
});

test("a playlist is chosen by its title, and captions are read from a file", async ({ page }) => {
  const person = await newcomer(page, product, "YouTube");
  const playlist = `PL${person}`;
  const body = JSON.stringify({ account: person, id: playlist, title: "Bells of the town" });
  expect((await fetch(`${product.sandboxUrl}/_control/youtube/playlist`, { method: "POST", body })).status).toBe(204);
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: new RegExp(`${person} YouTube`) }).check();
  const button = page.getByRole("button", { name: "Choose the playlist" });
  await button.click();
  const list = page.getByRole("dialog", { name: "Choose the playlist" });
  await expect(list.getByRole("button", { name: "None" })).toHaveAttribute("aria-pressed", "true");
  await lookAlsoOnPhone(page);
  await list.getByRole("button", { name: "Bells of the town" }).press("Enter");
  await expect(page.getByLabel("Playlist", { exact: true })).toHaveValue(playlist);
  await expect(button).toBeFocused();

  const captions = page.getByLabel("Captions", { exact: true });
  const choose = () => page.getByRole("button", { name: "Choose a file" }).press("Enter");
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/x-subrip", buffer });
  const text = "1\n00:00:01,000 --> 00:00:02,500\nGlöckchen";
  await pick(page, choose, file("unicode.srt", Buffer.from(`\uFEFF${text}`)));
  await expect(captions).toHaveValue(text);
  await captions.fill("");
  await pick(page, choose, file("old.srt", Buffer.from(text, "latin1")));
  await expect(captions).toHaveValue(text);
  await pick(page, choose, file("long.srt", Buffer.from(text.repeat(6_000))));
  await expect(page.getByText("long.srt is too long.")).toBeVisible();
  await expect(captions).toHaveValue(text);
});

test("a place is searched by its name", { tag: ["@phone", "@long"] }, async ({ page }) => {
  const person = await newcomer(page, product, "Instagram");
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: new RegExp(`${person} Instagram`) }).check();
  await page.getByText("Instagram settings").click();
  const button = page.getByRole("button", { name: "Choose the location" });
  await button.click();
  const window = page.getByRole("dialog", { name: "Choose the location" });
  const field = window.getByRole("searchbox", { name: "Name of the place" });
  await expect(field).toBeFocused();
  await field.fill("no such place");
  await field.press("Enter");
  await expect(window.getByRole("status")).toContainText("No place matches");
  await field.fill("bell tower");
  await field.press("Enter");
  const tower = window.getByRole("button", { name: "Bell Tower, Sint-Baafsplein, Ghent, Belgium" });
  await expect(tower).toBeVisible();
  await look(page);
  await tower.press("Enter");
  await expect(page.getByLabel("Location", { exact: true })).toHaveValue("110506962309835");
  await expect(button).toBeFocused();
  await button.press("Enter");
  await window.getByRole("button", { name: "None" }).click();
  await expect(page.getByLabel("Location", { exact: true })).toHaveValue("");
});

test("a new post on Bluesky starts with the browser's language, and then with the one used last; a post without one keeps none", async ({
  page,
}) => {
  const person = newName("bl");
  await signUp(page, product);
  await openAccounts(page, product);
  const asks = await openConnect(page, "Bluesky");
  await asks.getByLabel("Bluesky handle").last().fill(`${person}.bsky.test`);
  await asks.getByLabel("App password").fill("sand-box7-pass-word");
  await asks.getByRole("button", { name: "Connect with app password" }).click();
  await expect(page.getByLabel("Connected accounts").getByText(`@${person}.bsky.test`)).toBeVisible();

  const languages = page.getByRole("textbox", { name: "Languages" });
  const openSettings = () => page.getByText("Bluesky settings").click();
  const said = (words: string) => page.getByRole("figure", { name: "Preview for Bluesky" }).getByText(words);
  await page.goto(`${product.url}/compose`);
  await page.getByLabel("Text", { exact: true }).fill("Die Glocke läutet");
  await expect(said("Languages: en")).toBeVisible();
  const summary = page.locator("summary").filter({ hasText: "Bluesky settings" });
  await expect(summary).toContainText("Languages: en");
  await openSettings();
  await expect(languages).toHaveValue("en");
  await languages.fill("de");
  await expect(said("Languages: de")).toBeVisible();
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByRole("link", { name: "Die Glocke läutet" })).toBeVisible();
  const [made] = (await (await page.request.get(`${product.url}/v1/posts`)).json()).items;
  const [{ socialMediaAccountId, platformSettings, posts }] = made.publications;
  expect(platformSettings).toMatchObject({ languages: ["de"] });

  await page.goto(`${product.url}/compose`);
  await openSettings();
  await expect(languages).toHaveValue("de");

  const { languages: _, ...others } = platformSettings;
  const publication = { socialMediaAccountId, platformSettings: others, posts: [{ content: posts[0].content }] };
  const data = { isDraft: true, publications: [publication] };
  const stored = await page.request.post(`${product.url}/v1/posts`, { headers: { Origin: product.url }, data });
  await page.goto(`${product.url}/compose?edit=${(await stored.json()).id}`);
  await openSettings();
  await expect(languages).toHaveValue("");
});
