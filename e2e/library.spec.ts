import { join } from "node:path";
import { expect, type Locator, type Page } from "playwright/test";
import { addFiles, dropOn, film, folderOf, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { altTextChip, connect, describeFile, look, newName, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

async function add(page: Page, name: string, colour: string): Promise<void> {
  await addFiles(page, await picture(name, { width: 640, height: 480, colour }));
  await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
}

test("files are uploaded straight to storage, found by name, shown with their details, and deleted; a failed import from the web shows the reason", async ({
  page,
}) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  await expect(page.getByText("Your pictures and videos live here")).toBeVisible();
  await look(page);
  const put = page.waitForRequest((request) => request.method() === "PUT");
  await add(page, "tower.jpg", "#0b655c");
  expect((await put).headers()["content-type"]).toBe("image/jpeg");
  await add(page, "clapper.jpg", "#a8201a");
  await look(page);
  await page.getByLabel("Search names and alt text").fill("TOWER");
  await expect(page.getByRole("button", { name: "clapper.jpg", exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Videos" }).click();
  await expect(page.getByText("No files match")).toBeVisible();
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page.getByLabel("Search names and alt text")).toBeFocused();
  await expect(page.getByRole("button", { name: "clapper.jpg", exact: true })).toBeVisible();
  await page.getByLabel("Search names and alt text").fill("TOWER");
  await page.getByRole("button", { name: "tower.jpg", exact: true }).click();
  const details = page.getByRole("region", { name: "tower.jpg" });
  await expect(details.getByText("640 × 480")).toBeVisible();
  await look(page);
  const download = page.waitForEvent("download");
  await details.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toBe("tower.jpg");
  await expect(page.getByRole("button", { name: "Pictures 2" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Alt text missing 2" })).toBeVisible();
  await details.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No files match")).toBeVisible();
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  expect(items.map(({ filename }: { filename: string }) => filename)).toEqual(["clapper.jpg"]);

  await page.getByText("Add from a web address").click();
  const address = page.getByLabel("Address of the file");
  await expect(address).toBeEnabled(); // the page's script runs; a key pressed on a disabled field does nothing
  await address.press("Enter");
  await expect(address).toHaveAccessibleDescription("Enter the address.");
  await address.fill("http://127.0.0.1/secret.jpg");
  await page.getByRole("button", { name: "Fetch" }).click();
  await expect(page.getByRole("list", { name: "Imports" })).toContainText(/Failed: /);
  await look(page);
});

test("files are sorted, renamed, labelled one by one and together, and filtered; the place is kept on return", async ({
  page,
}) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  for (const name of ["b.jpg", "c.jpg", "a.jpg"]) await add(page, name, "#0b655c");
  const names = () => page.locator("[data-file]").allTextContents();
  expect(await names()).toEqual(["a.jpg", "c.jpg", "b.jpg"]);
  await page.getByLabel("Sort").selectOption("By name");
  await expect.poll(names).toEqual(["a.jpg", "b.jpg", "c.jpg"]);

  await page.getByRole("button", { name: "b.jpg", exact: true }).click();
  await page.getByRole("region", { name: "b.jpg" }).getByLabel("Name").fill("z.jpg");
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(["a.jpg", "c.jpg", "z.jpg"]);
  const details = page.getByRole("region", { name: "z.jpg" });
  await details.getByLabel("Add a label").fill("Spring");
  await page.keyboard.press("Enter");
  await expect(details.getByRole("button", { name: "Remove label Spring" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();
  await expect(page.getByRole("button", { name: "z.jpg", exact: true })).toBeFocused();

  for (const name of ["a.jpg", "c.jpg"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  const bar = page.getByRole("region", { name: "Selected files" });
  await expect(bar.getByRole("status")).toHaveText("2 selected");
  await look(page);
  const saved: string[] = [];
  page.on("download", (file) => saved.push(file.suggestedFilename()));
  await bar.getByRole("button", { name: "Download" }).click();
  await expect.poll(() => saved.toSorted()).toEqual(["a.jpg", "c.jpg"]);
  await bar.getByRole("button", { name: "Label" }).click();
  await page.getByRole("dialog").getByLabel("Add a label").fill("Autumn");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("button", { name: /^Autumn/ }).click();
  await expect.poll(names).toEqual(["a.jpg", "c.jpg"]);
  await page.goto(`${product.url}/posts`);
  await page.goBack();
  await expect(page.locator("[data-file]")).toHaveText(["a.jpg", "c.jpg"]);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/library?shelf=noAltText`);
  await expect.poll(names).toHaveLength(3);
  const shelf = page.getByRole("button", { name: /^Alt text missing/ });
  await expect(shelf, "the chosen shelf is in sight").toBeInViewport({ ratio: 1 });
  const [first, second] = await Promise.all([0, 1].map((at) => page.locator("[data-file]").nth(at).boundingBox()));
  expect(second?.y, "two pictures are beside each other").toBe(first?.y);
  await page.locator("[data-file]").first().click();
  const panel = page.getByRole("region", { name: "a.jpg" });
  await expect(panel).toBeVisible();
  const card = await panel.boundingBox();
  const menu = await page.getByRole("navigation", { name: "Main" }).boundingBox();
  expect((card?.y ?? 0) + (card?.height ?? 0), "the bar covers nothing of the file").toBeLessThanOrEqual(menu?.y ?? 0);
});

test("files that are deleted together name the posts that use them, and those that a post needs stay", {
  tag: "@long",
}, async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("s"));
  await page.goto(`${product.url}/library`);
  for (const name of ["used.jpg", "free.jpg"]) await add(page, name, "#0b655c");
  const { items } = await (await page.request.get(`${product.url}/v1/media?sort=filename`)).json();
  await schedule(page, product, "Ring with a picture", "2090-01-01T00:00:00Z", [items[1].path]);
  await page.getByRole("button", { name: "Not used yet" }).click();
  await expect(page.getByRole("button", { name: "used.jpg", exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "All files" }).click();
  for (const name of ["used.jpg", "free.jpg"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  await page.getByRole("region", { name: "Selected files" }).getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete 2 files?" });
  await expect(question).toContainText("1 file stays because a post still needs it:");
  await expect(question.getByRole("link", { name: "Ring with a picture" })).toBeVisible();
  await look(page);
  await question.getByRole("button", { name: "Delete 1 file" }).click();
  await expect(page.getByRole("button", { name: "free.jpg", exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "used.jpg", exact: true })).toBeVisible();
});

test("a file can be deleted only once the posts that use it are known", { tag: "@long" }, async ({ page }) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  await add(page, "tower.jpg", "#0b655c");
  const uses = /\/v1\/posts\?(.*&)?attachment=/;
  await page.route(uses, (route) => route.fulfill({ status: 403, json: { error: "Not now" } }));
  await page.getByRole("checkbox", { name: "Select tower.jpg" }).check();
  await page.getByRole("region", { name: "Selected files" }).getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  const confirm = question.getByRole("button", { name: /^Delete/ });
  await expect(question).toContainText("Could not look for posts that use it: Not now");
  await confirm.click({ force: true }); // it is off
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("button", { name: "tower.jpg", exact: true }).click();
  await page.getByRole("region", { name: "tower.jpg" }).getByRole("button", { name: "Delete" }).click();
  await expect(question).toContainText("Could not look for posts that use it: Not now");
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await look(page);
  await page.unroute(uses);
  await question.getByRole("button", { name: "Try again" }).click();
  await expect(question).toContainText("This can’t be undone.");
  await confirm.click();
  await expect(page.getByText("Your pictures and videos live here")).toBeVisible();
});

test("a video has a poster in the library, in the composer, in a draft and on the page of its post", async ({
  page,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("v"));
  await page.goto(`${product.url}/library`);
  await addFiles(page, await film());
  /** A poster is drawn once a frame of the video has arrived. */
  const expectPoster = (place: Locator) =>
    expect
      .poll(() =>
        place
          .locator("video")
          .first()
          .evaluate((video: HTMLVideoElement) => video.readyState >= 2),
      )
      .toBe(true);
  const tile = page.getByRole("listitem").filter({ has: page.getByRole("button", { name: "bells.webm" }) });
  await expectPoster(tile.last());
  await look(page);
  await page.getByRole("button", { name: /bells\.webm/ }).click();
  await page.getByRole("button", { name: "Use in a post" }).click();
  await expectPoster(page.getByRole("listitem").filter({ hasText: "bells.webm" }));
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const posts = [{ content: "With a film", attachmentPaths: [items[0].path] }];
  const publications = [{ socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts }];
  const made = await page.request.post(`${product.url}/v1/posts`, {
    headers: { Origin: product.url },
    data: { isDraft: true, publications },
  });
  await page.goto(`${product.url}/posts/${(await made.json()).id}`);
  await expectPoster(page.getByRole("main"));
  await look(page);
  await page.getByRole("link", { name: "Continue writing" }).click();
  await expectPoster(page.getByRole("listitem").filter({ hasText: "bells.webm" }));
  await look(page);
});

test("a file gets an alt text, is used in a post, and shows where it is used", async ({ page }) => {
  const person = newName("m");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/library`);
  await add(page, "bells.jpg", "#23508f");
  await page.getByRole("button", { name: "bells.jpg", exact: true }).click();
  await page.getByLabel("Alt text of bells.jpg").fill("Three bells in a tower");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(page.getByText("Not used yet.")).toBeVisible();
  await page.getByRole("button", { name: "Use in a post" }).click();
  await expect(page).toHaveURL(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: `@${person} X` }).check();
  await page.getByRole("button", { name: "Alt text of bells.jpg" }).click();
  await expect(page.getByLabel("Alt text of bells.jpg")).toHaveValue("Three bells in a tower");
  await expect(page.getByText("22 of 1,000", { exact: true })).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Done" }).click();
  await describeFile(page, "bells.jpg", "Three old bells");
  await page.getByRole("radio", { name: "Now" }).check();
  await page.getByRole("button", { name: "Post now" }).click(); // without waiting until the alt text is saved
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
  const held = await page.request.get(`${product.sandboxUrl}/_control/posts?network=x`);
  const mine = (await held.json()).filter(({ account }: { account: string }) => account === person);
  expect(mine).toMatchObject([{ settings: { altTexts: ["Three old bells"] } }]);

  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  const planned = await schedule(page, product, `Ring them again ${"and again ".repeat(9)}`, "2090-01-01T00:00:00Z", [
    items[0].path,
  ]);
  await page.goto(`${product.url}/library`);
  await page.getByRole("button", { name: "bells.jpg", exact: true }).click();
  const panel = page.getByRole("region", { name: "bells.jpg" });
  const uses = panel.getByRole("region", { name: "Used in" });
  await expect(uses.getByRole("listitem").filter({ hasText: "Ring them again" })).toContainText("Scheduled");
  await expect(uses.getByRole("listitem").nth(1)).toContainText("Published");
  expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await look(page);
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("It cannot be deleted while these posts still need it");
  await expect(question.getByRole("listitem")).toHaveCount(1);
  await question.getByRole("link", { name: /^Ring them again/ }).click();
  await expect(page).toHaveURL(`${product.url}/posts/${planned}`);
});

test("a part of a picture is saved as another file, with the alt text and the labels", { tag: "@long" }, async ({
  page,
}) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  await add(page, "bells.jpg", "#23508f");
  await page.getByRole("button", { name: "bells.jpg", exact: true }).click();
  const details = page.getByRole("region", { name: "bells.jpg" });
  await details.getByLabel("Add a label").fill("Spring");
  await page.keyboard.press("Enter");
  await expect(details.getByRole("button", { name: "Remove label Spring" })).toBeVisible();
  await page.getByLabel("Alt text of bells.jpg").fill("Three bells");
  await details.getByRole("button", { name: "Crop" }).click();
  const window = page.getByRole("dialog", { name: "Crop bells.jpg" });
  await window.getByRole("button", { name: "1:1", exact: true }).click();
  await expect(window.getByText("480 × 480 pixels")).toBeVisible();
  await look(page);
  await window.getByRole("button", { name: "Crop", exact: true }).click();
  await expect(details.getByText("Saved as bells cropped.jpg.")).toBeVisible();
  await expect(page.getByRole("button", { name: "bells cropped.jpg", exact: true })).toBeVisible();
  await look(page);
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  expect(items).toMatchObject([
    { filename: "bells cropped.jpg", width: 480, height: 480, altText: "Three bells", labels: ["Spring"] },
    { filename: "bells.jpg", width: 640, height: 480, altText: "Three bells", labels: ["Spring"] },
  ]);
});

test(
  "a folder dropped on the library or on a post adds the pictures in it and reports other files",
  { tag: "@long" },
  async ({ page }, info) => {
    const bytes = async (name: string) => (await picture(name, { width: 320, height: 240 })).buffer;
    const bells = await folderOf(info.outputPath("Bells"), {
      "tower.jpg": await bytes("tower.jpg"),
      "1984/clapper.png": await bytes("clapper.png"),
      "notes.txt": "Ding dong",
      ".DS_Store": "",
    });
    const alone = await folderOf(info.outputPath("Alone"), { "rope.jpg": await bytes("rope.jpg") });
    await signUp(page, product);
    await page.goto(`${product.url}/library`);
    await dropOn(page, page.getByRole("button", { name: "Add files" }), bells, join(alone, "rope.jpg"));
    for (const name of ["tower.jpg", "clapper.png", "rope.jpg"])
      await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
    await expect(
      page.getByRole("alert").filter({ hasText: "Bells: 1 file is neither a picture, a video nor a PDF" }),
    ).toBeVisible();
    await look(page);

    await connect(page, product, "X", newName("f"));
    await page.goto(`${product.url}/compose`);
    await page.getByLabel("Text", { exact: true }).fill("The first bell");
    await page.getByRole("button", { name: "Make it a thread" }).click();
    await page.getByLabel("Part 2", { exact: true }).fill("The second bell");
    await page.getByLabel("Part 1", { exact: true }).focus();
    // Reading the folder takes a while, and the person writes elsewhere meanwhile.
    await page.evaluate(() => {
      const { prototype } = DataTransferItem;
      const { webkitGetAsEntry } = prototype;
      const isFound = new Promise((found) => addEventListener("found", found, { once: true }));
      prototype.webkitGetAsEntry = function () {
        const folder = webkitGetAsEntry.call(this) as FileSystemDirectoryEntry;
        const reader = folder.createReader();
        const readEntries = reader.readEntries.bind(reader);
        reader.readEntries = (...args) => void isFound.then(() => readEntries(...args));
        folder.createReader = () => reader;
        return folder;
      };
    });
    await dropOn(page, page.getByLabel("Part 1", { exact: true }), bells);
    await expect(page.getByRole("status").filter({ hasText: "Reading the folder…" })).toBeVisible();
    await expect(page.getByText("Files are still being uploaded.")).toBeVisible();
    await page.getByLabel("Part 2", { exact: true }).focus();
    await page.evaluate(() => dispatchEvent(new Event("found")));
    const ofPart1 = page.getByRole("region", { name: "Pictures and videos of part 1" });
    await expect(altTextChip(ofPart1, "tower.jpg")).toBeVisible();
    await expect(altTextChip(ofPart1, "clapper.png")).toBeVisible();
    await expect(page.getByText("Reading the folder…")).toBeHidden();
    await expect(
      page.getByRole("alert").filter({ hasText: "Bells: 1 file is neither a picture, a video nor a PDF" }),
    ).toBeVisible();
    await look(page);
  },
);
