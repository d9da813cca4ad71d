import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, reach, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const text = (page: Page) => page.getByLabel("Text", { exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save changes" });

async function schedules(page: Page) {
  return (await (await page.request.get(`${product.url}/v1/posts`)).json()).items;
}

async function texts(page: Page): Promise<string[]> {
  const all: { publications: { posts: { content: string }[] }[] }[] = await schedules(page);
  return all.map(({ publications }) => publications[0]?.posts[0]?.content ?? "");
}

test("when another window saved a draft first, both versions are compared word by word and either can be kept", async ({
  page,
  context,
}) => {
  const person = newName("w");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: `@${person} X` }).check();
  await text(page).fill("The bells ring at noon.");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  const [{ id }] = await schedules(page);
  const other = await context.newPage();
  await other.goto(`${product.url}/compose?edit=${id}`);
  await text(other).fill("The old bells ring at noon.");
  await expect(other.getByText("Saved as a draft.", { exact: true })).toBeVisible();

  await text(page).fill("The bells ring at one.");
  await expect(page.getByText("Someone else changed this post too.")).toBeVisible();
  await look(page);
  await reach(page, page.getByRole("button", { name: "Compare and choose" }));
  await page.keyboard.press("Enter");
  const choice = page.getByRole("dialog", { name: "Somebody else saved this post first" });
  const changes = choice.getByRole("region", { name: "What differs" });
  await expect(changes.getByRole("deletion")).toHaveText(["only in yours: one"]);
  await expect(changes.getByRole("insertion")).toHaveText(["only in theirs: old", "only in theirs: noon"]);
  await look(page);
  await reach(page, choice.getByRole("button", { name: "Keep mine" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await expect(text(page)).toBeFocused();
  expect(await texts(page)).toEqual(["The bells ring at one."]);

  await text(other).fill("The old bells ring at two.");
  await other.getByRole("button", { name: "Compare and choose" }).click();
  await other.getByRole("button", { name: "Take theirs" }).click();
  await expect(text(other)).toHaveValue("The bells ring at one.");
  expect(await texts(page)).toEqual(["The old bells ring at two.", "The bells ring at one."]);
  await other.close();
});

test("a change to a scheduled post does not overwrite one from another window until a version is chosen", async ({
  page,
  context,
}) => {
  const person = newName("w");
  await signUp(page, product);
  await connect(page, product, "X", person);
  const year = new Date().getFullYear() + 1;
  const id = await schedule(page, product, "The bells ring at noon.", `${year}-03-12T12:30:00Z`);
  const other = await context.newPage();
  for (const one of [page, other]) {
    await one.goto(`${product.url}/compose?edit=${id}`);
    await expect(text(one)).toHaveValue("The bells ring at noon.");
  }
  await text(other).fill("The old bells ring at noon.");
  await other.getByLabel("Date and time").fill(`${year}-03-13T08:05`);
  await save(other).click();
  await expect(other).toHaveURL(`${product.url}/posts/${id}`);

  await text(page).fill("The bells ring at one.");
  await reach(page, save(page));
  await page.keyboard.press("Enter");
  const choice = page.getByRole("dialog", { name: "Somebody else saved this post first" });
  const changes = choice.getByRole("region", { name: "What differs" });
  await expect(changes.getByRole("deletion")).toHaveText([/only in yours: .*12 Mar/, "only in yours: one"]);
  await expect(changes.getByRole("insertion")).toHaveText([
    /only in theirs: .*13 Mar/,
    "only in theirs: old",
    "only in theirs: noon",
  ]);
  await look(page);
  await reach(page, choice.getByRole("button", { name: "Decide later" }));
  await page.keyboard.press("Enter");
  await expect(save(page)).toBeFocused();
  await expect(page.getByText("Someone else changed this post too.")).toBeVisible();
  await look(page);
  await page.keyboard.press("Enter"); // a second time, still undecided
  await expect(choice).toBeVisible();
  expect(await texts(page)).toEqual(["The old bells ring at noon."]);

  await reach(page, choice.getByRole("button", { name: "Keep mine and save it" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
  expect(await schedules(page)).toEqual([
    expect.objectContaining({ id, overallStatus: "SCHEDULED", scheduledTime: `${year}-03-12T12:30:00Z` }),
  ]);
  expect(await texts(page)).toEqual(["The bells ring at one."]);
  await other.close();
});

test("taking the version of another window leaves a scheduled post as it is there, and keeps the own one as a draft", {
  tag: "@long",
}, async ({ page, context }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("w"));
  const year = new Date().getFullYear() + 1;
  const id = await schedule(page, product, "The bells ring at noon.", `${year}-03-12T12:30:00Z`);
  const other = await context.newPage();
  await other.goto(`${product.url}/compose?edit=${id}`);
  await text(other).fill("The old bells ring at two.");
  await page.goto(`${product.url}/compose?edit=${id}`);
  await text(page).fill("The bells ring at three.");
  await save(page).click();
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
  await save(other).click();
  await other.getByRole("button", { name: "Take theirs" }).click();
  await expect(text(other)).toHaveValue("The bells ring at three.");
  expect((await schedules(page)).map(({ overallStatus }: { overallStatus: string }) => overallStatus).sort()).toEqual([
    "DRAFT",
    "SCHEDULED",
  ]);
  expect((await texts(page)).sort()).toEqual(["The bells ring at three.", "The old bells ring at two."]);
  await text(other).fill("The bells ring at four.");
  await save(other).click();
  await expect(other).toHaveURL(`${product.url}/posts/${id}`);
  expect((await texts(page)).sort()).toEqual(["The bells ring at four.", "The old bells ring at two."]);
  await other.close();
});
