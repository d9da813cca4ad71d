import { expect, type Locator } from "playwright/test";
import { chooseAllAccounts, scheduledPosts, storePictures, textField, versionTab } from "./setup/composer";
import { addFiles, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { altTextChip, connect, look, lookAlsoOnPhone, newName, shortenFileLists, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test("the library window finds a file by its name or alt text that is not among the newest", { tag: "@long" }, async ({
  page,
}) => {
  await signUp(page, product);
  await storePictures(page, product, "oldest.jpg");
  const [{ key }] = (await (await page.request.get(`${product.url}/v1/media`)).json()).items;
  const described = await page.request.patch(`${product.url}/v1/media/${key}`, {
    headers: { Origin: product.url },
    data: { altText: "A clapper" },
  });
  expect(described.ok(), await described.text()).toBe(true);
  await storePictures(page, product, "bell-0.jpg", "bell-1.jpg", "bell-2.jpg");
  await shortenFileLists(page, 3);
  await page.goto(`${product.url}/compose`);
  await page.getByRole("button", { name: "All files" }).click();
  const window = page.getByRole("dialog", { name: "Add from the library" });
  const files = window.getByRole("button", { name: /^Use / });
  await expect(files).toHaveCount(3);
  await expect(window.getByRole("button", { name: "Use oldest.jpg" })).toHaveCount(0);
  await window.getByRole("button", { name: "Use bell-2.jpg" }).click();
  for (const words of ["OLDEST", "clapper"]) {
    await window.getByLabel("Search names and alt text").fill(words);
    await expect(files).toHaveCount(1);
    await expect(files).toHaveAccessibleName("Use oldest.jpg");
  }
  await files.click();
  await window.getByLabel("Search names and alt text").fill("rope");
  await expect(window.getByText("No files match")).toBeVisible();
  await look(page);
  await window.getByRole("button", { name: "Add 2 files" }).click();
  for (const name of ["bell-2.jpg", "oldest.jpg"])
    await expect(page.getByRole("button", { name: `Remove ${name}` })).toBeVisible();
});

test("a network leaves a shared picture out and gets another from the library, and the others do not", async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await connect(page, product, "Instagram", person);
  await storePictures(page, product, "rope.jpg", "tower.jpg", "clapper.jpg", "crown.jpg", "yoke.jpg");
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await textField(page).fill("Ding");
  await addFiles(page, await picture("bells.jpg"));
  await expect(altTextChip(page, "bells.jpg")).toBeVisible();
  await versionTab(page, "X").click();
  await page.getByRole("button", { name: "Remove bells.jpg" }).click();
  await expect(page.getByRole("button", { name: "Use bells.jpg again" })).toBeVisible();
  await page.getByRole("button", { name: "All files" }).click();
  const window = page.getByRole("dialog", { name: "Add from the library" });
  await window.getByLabel("Search names and alt text").fill("r");
  await window.getByRole("button", { name: "Use rope.jpg" }).click();
  await window.getByRole("button", { name: "Use tower.jpg" }).click();
  await look(page);
  await window.getByRole("button", { name: "Add 2 files" }).click();
  await expect(versionTab(page, "X")).toHaveAccessibleName(/customised/);
  await look(page);
  await versionTab(page, "All accounts").click();
  await expect(altTextChip(page, "bells.jpg")).toBeVisible();
  await expect(altTextChip(page, "rope.jpg")).toHaveCount(0);
  await page.getByRole("button", { name: "Schedule to 2 accounts" }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  const [made] = await scheduledPosts(page, product);
  type Sent = { platformSettings: { type: string }; posts: { attachmentPaths: string[] }[] };
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  const nameOf = (path: string) => items.find((file: { path: string }) => file.path === path)?.filename;
  const files = made.publications.map(({ platformSettings, posts: [post] }: Sent) => [
    platformSettings.type,
    post?.attachmentPaths.map(nameOf),
  ]);
  expect(Object.fromEntries(files)).toEqual({ TWITTER: ["rope.jpg", "tower.jpg"], INSTAGRAM: ["bells.jpg"] });
});

test("a picture that is too wide for a network is cropped with one press, and the crop can be undone", {
  tag: "@long",
}, async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "Instagram", newName("c"));
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await addFiles(page, await picture("wide.jpg", { width: 1500, height: 500 }));
  await page.getByRole("button", { name: "Crop to 1.91:1" }).click();
  await expect(altTextChip(page, "wide cropped.jpg")).toBeVisible();
  await expect(page.getByRole("button", { name: "Schedule", exact: true })).toBeVisible();
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  expect([items[0].width, items[0].height]).toEqual([955, 500]);
  await page.getByRole("button", { name: "Undo the crop of wide.jpg" }).click();
  await expect(page.getByRole("button", { name: "Crop to 1.91:1" })).toBeVisible();
});

/** The place of a mark in a picture, in percent, of the point of the mark that is as far from its own left and top. */
async function placeIn(picture: Locator, mark: Locator): Promise<number[]> {
  const [whole, part] = [await picture.boundingBox(), await mark.boundingBox()];
  if (!whole || !part) throw new Error("The picture or the mark is not drawn");
  const x = (part.x - whole.x) / (whole.width - part.width);
  const y = (part.y - whole.y) / (whole.height - part.height);
  return [Math.round(100 * x), Math.round(100 * y)];
}

test("people are tagged in every picture of a carousel, with a pointer or the keyboard, and a draft keeps the tags", async ({
  page,
}) => {
  await signUp(page, product);
  await connect(page, product, "Instagram", newName("c"));
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await addFiles(
    page,
    await picture("one.jpg", { width: 800, height: 800 }),
    await picture("two.jpg", { width: 800, height: 800 }),
  );
  await expect(altTextChip(page, "two.jpg")).toBeVisible();
  await page.getByText("Instagram settings").click();
  await page.getByRole("button", { name: "Choose the tagged people" }).click();
  const window = page.getByRole("dialog", { name: "Choose the tagged people" });
  await window.getByRole("img", { name: "one.jpg" }).waitFor();

  // A press on the picture, and the name of who is there.
  const { width = 0, height = 0 } = (await window.getByRole("img", { name: "one.jpg" }).boundingBox()) ?? {};
  await window
    .getByRole("img", { name: "one.jpg" })
    .click({ position: { x: width / 4, y: (height * 3) / 4 }, force: true });
  await expect(window.getByLabel("User name of a person in one.jpg")).toBeFocused();
  await page.keyboard.type("@anna");
  await page.keyboard.press("Enter");
  await expect(window.getByRole("button", { name: /^anna: 25 % from the left, 75 % from the top\./ })).toBeVisible();

  // Only the keyboard: a name is tagged in the middle and moved.
  await window.getByLabel("User name of a person in two.jpg").focus();
  await page.keyboard.type("ben");
  await page.keyboard.press("Enter");
  const ben = window.getByRole("button", { name: /^ben:/ });
  await ben.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowUp");
  await expect(ben).toHaveAccessibleName(/^ben: 51 % from the left, 40 % from the top\./);
  await expect(window.getByRole("status")).toHaveText("51 % from the left, 40 % from the top");

  // A tag is removed again.
  await window.getByLabel("User name of a person in two.jpg").focus();
  await page.keyboard.type("carol");
  await page.keyboard.press("Enter");
  await window.getByRole("button", { name: "Remove carol" }).click();
  await expect(window.getByRole("button", { name: /carol/ })).toHaveCount(0);
  await lookAlsoOnPhone(page);
  await window.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Choose the tagged people" })).toBeFocused();
  await expect(page.getByText("Tagged: anna, ben")).toBeVisible();

  // The preview has a mark at each place, whose name is shown on hover and focus.
  const preview = page.getByRole("figure", { name: "Preview for Instagram" });
  const anna = preview.getByRole("button", { name: "anna" });
  expect(await placeIn(preview.getByRole("img", { name: "one.jpg" }), anna)).toEqual([25, 75]);
  await expect(anna.getByText("anna")).toHaveCSS("opacity", "0");
  await anna.hover();
  await expect(anna.getByText("anna")).toHaveCSS("opacity", "1");
  await look(page);
  await preview.getByRole("button", { name: "Next picture" }).click();
  await expect(anna).toBeHidden();
  expect(
    await placeIn(preview.getByRole("img", { name: "two.jpg" }), preview.getByRole("button", { name: "ben" })),
  ).toEqual([51, 40]);

  // The draft that is stored opens with both.
  const draft = async () =>
    (await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json()).items[0]?.publications[0]
      .platformSettings.userTags;
  await expect.poll(draft).toEqual([
    { username: "anna", x: 0.25, y: 0.75, attachment: 0 },
    { username: "ben", x: 0.51, y: 0.4, attachment: 1 },
  ]);
  const { items } = await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json();
  await page.goto(`${product.url}/compose?edit=${items[0].id}`);
  await page.getByText("Instagram settings").click();
  await expect(page.getByText("anna, ben", { exact: true })).toBeVisible();
  await look(page);
});
