import { expect, type Page } from "@playwright/test";
import { addFiles, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

async function add(page: Page, name: string, colour: string): Promise<void> {
  await addFiles(page, await picture(name, { width: 640, height: 480, colour }));
  await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
}

test("files go straight to storage, are found by name, show what is known of them, and are deleted", async ({
  page,
}) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  await expect(page.getByText("Nothing here yet.")).toBeVisible();
  await look(page);
  const put = page.waitForRequest((request) => request.method() === "PUT");
  await add(page, "tower.jpg", "#0b655c");
  expect((await put).headers()["content-type"]).toBe("image/jpeg");
  await add(page, "clapper.jpg", "#a8201a");
  await look(page);
  await page.getByLabel("Find by name").fill("TOWER");
  await expect(page.getByRole("button", { name: "clapper.jpg", exact: true })).toBeHidden();
  await page.getByRole("combobox").selectOption("Videos");
  await expect(page.getByText("No file is like that.")).toBeVisible();
  await page.getByRole("combobox").selectOption("Everything");
  await page.getByRole("button", { name: "tower.jpg", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "tower.jpg" });
  await expect(dialog.getByText("640 × 480")).toBeVisible();
  await look(page);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("No file is like that.")).toBeVisible();
  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  expect(items.map(({ filename }: { filename: string }) => filename)).toEqual(["clapper.jpg"]);
});

test("a file is described and put into a post from here, and says where it is used", async ({ page }) => {
  const person = newName("m");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/library`);
  await add(page, "bells.jpg", "#23508f");
  await page.getByRole("button", { name: "bells.jpg", exact: true }).click();
  await page.getByLabel("Alt text of bells.jpg").fill("Three bells in a tower");
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await expect(page.getByText("No post yet.")).toBeVisible();
  await page.getByRole("button", { name: "Use in a post" }).click();
  await expect(page).toHaveURL(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: `@${person} X` }).check();
  await expect(page.getByLabel("Alt text of bells.jpg")).toHaveValue("Three bells in a tower");
  await expect(page.getByText("22 of 1,000", { exact: true })).toBeVisible();
  await look(page);
  await page.getByLabel("Alt text of bells.jpg").fill("Three old bells");
  await page.getByRole("button", { name: "Post now" }).click(); // without waiting until the words are saved
  await expect(page.getByRole("link", { name: "See the post" })).toBeVisible({ timeout: 30_000 });
  const held = await page.request.get(`${product.sandboxUrl}/_control/posts?network=x`);
  const mine = (await held.json()).filter(({ account }: { account: string }) => account === person);
  expect(mine).toMatchObject([{ settings: { altTexts: ["Three old bells"] } }]);

  const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
  const planned = await schedule(page, product, "Ring them again", "2090-01-01T00:00:00Z", [items[0].path]);
  await page.goto(`${product.url}/library`);
  await page.getByRole("button", { name: "bells.jpg", exact: true }).click();
  const uses = page.getByRole("dialog", { name: "bells.jpg" }).getByRole("region", { name: "Used in" });
  await expect(uses.getByRole("listitem").filter({ hasText: "Ring them again" })).toContainText("Scheduled");
  await expect(uses.getByRole("listitem").nth(1)).toContainText("Published");
  await look(page);
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("It cannot be deleted while these posts still need it");
  await expect(question.getByRole("listitem")).toHaveCount(1);
  await question.getByRole("link", { name: "Ring them again" }).click();
  await expect(page).toHaveURL(`${product.url}/posts/${planned}`);
});

test("what cannot be fetched from the web says why", async ({ page }) => {
  await signUp(page, product);
  await page.goto(`${product.url}/library`);
  await page.getByLabel("Or fetch it from a web address").fill("http://127.0.0.1/secret.jpg");
  await page.getByRole("button", { name: "Fetch" }).click();
  await expect(page.getByRole("list", { name: "Imports" })).toContainText(/Failed: /);
  await look(page);
});
