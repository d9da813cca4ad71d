import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, reach, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const DAY = "2031-05-01";

async function newcomer(page: Page): Promise<{ accounts: [number, number]; names: [string, string] }> {
  const names: [string, string] = [newName("d"), newName("d")];
  await signUp(page, product);
  for (const name of names) await connect(page, product, "X", name);
  const listed = (await (await page.request.get(`${product.url}/v1/accounts`)).json()) as {
    id: number;
    accountUsername: string;
  }[];
  const idOf = (name: string) => listed.find((account) => account.accountUsername === name)?.id ?? 0;
  return { accounts: [idOf(names[0]), idOf(names[1])], names };
}

async function plan(
  page: Page,
  account: number,
  content: string,
  scheduledTime: string,
  others: object[] = [],
): Promise<number> {
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content }] };
  const answer = await page.request.post(`${product.url}/v1/posts`, {
    data: { scheduledTime, publications: [on, ...others] },
    headers: { origin: product.url },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

async function idsOf(page: Page): Promise<number[]> {
  const { items } = await (await page.request.get(`${product.url}/v1/posts?limit=100`)).json();
  return items.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b);
}

test("near-duplicates are found, the result of a merge is previewed, and several groups are merged at once", async ({
  page,
}) => {
  const {
    accounts: [first, second],
    names,
  } = await newcomer(page);
  const bells = [
    await plan(page, first, "The bells are ready", `${DAY}T09:00:00Z`),
    await plan(page, second, "the bells  are ready", `${DAY}T10:00:00Z`),
    await plan(page, first, "The bells are ready", `${DAY}T11:00:00Z`),
  ];
  const doors = [
    await plan(page, first, "The doors are open", `${DAY}T12:00:00Z`),
    await plan(page, first, "The doors are open", "2031-05-02T12:00:00Z"), // on another day
  ];
  const clash = { socialMediaAccountId: second, platformSettings: { type: "TWITTER" } };
  const towers = [
    await plan(page, first, "The tower is high", `${DAY}T14:00:00Z`, [{ ...clash, posts: [{ content: "High" }] }]),
    await plan(page, first, "The tower is high", `${DAY}T15:00:00Z`, [{ ...clash, posts: [{ content: "Higher" }] }]),
  ];
  await page.goto(`${product.url}/posts`);
  await page.getByRole("link", { name: "Find duplicates" }).click();
  const groupOf = (name: string) => page.getByRole("region", { name });
  const ofBells = groupOf("The bells are ready");
  const ofDoors = groupOf("The doors are open");
  const ofTowers = groupOf("The tower is high");
  await expect(ofBells.getByRole("checkbox")).toHaveCount(4);
  await look(page);

  // With the keyboard. The earliest post is kept unless another one is chosen.
  await reach(page, ofBells.getByRole("checkbox", { name: "All 3 posts" }));
  await page.keyboard.press("Space");
  await expect(ofBells.getByText("2 posts are removed.")).toBeVisible();
  await expect(
    ofBells.getByText(`The one that stays goes out on @${names[0]} on X, and now on @${names[1]} on X too.`),
  ).toBeVisible();
  await ofBells.getByRole("radio").nth(1).check();
  await expect(ofBells.getByText(`goes out on @${names[1]} on X, and now on @${names[0]} on X too.`)).toBeVisible();

  await ofTowers.getByRole("checkbox", { name: "All 2 posts" }).check();
  await expect(ofTowers.getByText(new RegExp(`say different things on @${names[1]} on X`))).toBeVisible();
  await expect(ofTowers.getByRole("button", { name: "Merge 2 posts into one" })).toBeDisabled();
  await ofDoors.getByRole("checkbox").nth(1).check();
  await expect(ofDoors.getByText("Choose another post to merge it with.")).toBeVisible();
  await ofDoors.getByRole("checkbox").nth(2).check();
  await look(page);

  // A merge cannot be undone, so it asks for confirmation.
  const mergeAll = page.getByRole("button", { name: "Merge 5 posts into 2" });
  const asks = page.getByRole("dialog", { name: "Merge 5 posts into 2?" });
  await mergeAll.press("Enter");
  await expect(asks).toContainText("3 posts are removed for good. 1 of the groups loses something:");
  await expect(asks.getByRole("listitem")).toHaveText(/The doors are open.*It no longer goes out on 1 other day\./);
  await look(page);
  await expect(asks.getByRole("button", { name: "Leave them as they are" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(asks).toBeHidden();
  await expect(mergeAll).toBeFocused();
  expect(await idsOf(page)).toHaveLength(7);
  await mergeAll.press("Enter");
  await asks.getByRole("button", { name: "Merge 5 posts into 2" }).press("Enter");
  await expect(page.getByRole("heading", { name: "2 groups merged" })).toBeFocused();
  await expect(page.getByText("3 posts are one now.")).toBeVisible();
  await expect(ofBells).toBeHidden();
  await expect(ofTowers).toBeVisible();
  await look(page);
  const [kept, opened] = [bells[1], doors[0]];
  expect(await idsOf(page)).toEqual([kept, opened, ...towers].toSorted((a = 0, b = 0) => a - b));
  await page.getByRole("link", { name: "See it (The bells are ready)" }).click();
  await expect(page).toHaveURL(`${product.url}/posts/${kept}`);
  for (const name of names) await expect(page.getByText(`@${name}`).first()).toBeVisible();
});

test("a group that changed elsewhere is not merged, and posts far apart in time are found with a wider range", {
  tag: "@long",
}, async ({ page }) => {
  const {
    accounts: [account],
  } = await newcomer(page);
  await page.goto(`${product.url}/posts/duplicates`);
  await expect(page.getByText("No duplicates within this time")).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Look at any time" }).click();
  await expect(page.getByText("No duplicates")).toBeVisible();
  await page.getByRole("combobox", { name: "How near in time" }).selectOption("Within a week");
  const ids = [
    await plan(page, account, "Every week", "2031-05-01T09:00:00Z"),
    await plan(page, account, "Every week", "2031-05-08T09:00:00Z"),
  ];
  // The page receives the event and updates without a reload.
  const group = page.getByRole("region", { name: "Every week" });
  await group.getByRole("checkbox", { name: "All 2 posts" }).check();
  const merge = group.getByRole("button", { name: "Merge 2 posts into one" });
  await expect(merge).toBeEnabled();
  await page.route(
    (url) => url.pathname === "/v1/posts/merge" && url.search === "",
    async (route) => {
      const gone = await page.request.delete(`${product.url}/v1/posts/${ids[1]}`, { headers: { origin: product.url } });
      expect(gone.status()).toBe(204);
      await route.continue();
    },
  );
  await merge.click();
  await expect(page.getByRole("heading", { name: "1 group left as it was" })).toBeFocused();
  await expect(page.getByText(`Posting schedule not found: ${ids[1]}`)).toBeVisible();
  await expect(group).toBeHidden();
  expect(await idsOf(page)).toEqual([ids[0]]);
});

test("lists that cannot be loaded show the reason and a way to try again", { tag: "@long" }, async ({ page }) => {
  const {
    accounts: [account],
  } = await newcomer(page);
  for (const hour of ["09", "10"]) await plan(page, account, "Ring at noon", `${DAY}T${hour}:00:00Z`);
  const isList = ({ pathname }: URL) => pathname === "/v1/posts/duplicates";
  const isAccounts = ({ pathname }: URL) => pathname === "/v1/accounts";
  const refuse = { status: 403, json: { error: "Not for you just now" } };
  await page.route(isList, (route) => route.fulfill(refuse));
  await page.route(isAccounts, (route) => route.fulfill(refuse));
  await page.goto(`${product.url}/posts/duplicates`);
  const failed = (what: string) => page.getByRole("alert").filter({ hasText: what });
  await expect(failed("the duplicates")).toContainText("Not for you just now");
  await expect(failed("your accounts")).toContainText("Not for you just now");
  await look(page);
  await page.unroute(isList);
  await failed("the duplicates").getByRole("button").click();
  await expect(failed("the duplicates")).toBeHidden();
  await page.unroute(isAccounts);
  await failed("your accounts").getByRole("button").click();
  await expect(page.getByRole("region", { name: "Ring at noon" })).toBeVisible();
  await expect(failed("your accounts")).toBeHidden();
});

test("a merge without an answer is retried with the same key, and an unknown outcome is reported", async ({ page }) => {
  const {
    accounts: [account],
  } = await newcomer(page);
  const ids: number[] = [];
  for (const content of ["Ring at noon", "Ring at dawn"])
    for (const hour of ["09", "10", "11"]) ids.push(await plan(page, account, content, `${DAY}T${hour}:00:00Z`));
  const plans: string[] = [];
  const lists: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname === "/v1/posts/merge" && url.search !== "") plans.push(request.postData() ?? "");
    if (url.pathname === "/v1/posts/duplicates") lists.push(url.search);
  });
  await page.goto(`${product.url}/posts/duplicates`);
  await page.getByRole("checkbox", { name: "All 2 groups" }).check();
  const mergeAll = page.getByRole("button", { name: "Merge 6 posts into 2" });
  await expect(mergeAll).toBeEnabled();

  const keys: (string | undefined)[] = [];
  await page.route(
    (url) => url.pathname === "/v1/posts/merge" && url.search === "",
    async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      // The first request succeeds but its answer is lost; the second one never gets an answer.
      if (keys.length === 1) expect((await route.fetch()).status()).toBe(200);
      if (keys.length === 2) await route.continue();
      else await route.fulfill({ status: 503, body: "" });
    },
  );
  await mergeAll.click();
  const [planned, listed] = [plans.length, lists.length];
  await page.getByRole("dialog").getByRole("button", { name: "Merge 6 posts into 2" }).click();
  await expect(page.getByRole("heading", { name: "1 group merged, 1 group with an unknown outcome" })).toBeFocused();
  await expect(page.getByText("3 posts are one now.")).toBeVisible();
  await expect(page.getByText("It may have been merged. Look at it before you try again.")).toBeVisible();
  await look(page);
  expect(keys).toHaveLength(6);
  expect(new Set(keys.slice(0, 2)).size + new Set(keys.slice(2)).size).toBe(2);
  expect(await idsOf(page)).toHaveLength(4);
  // A group that was not merged is not planned again.
  await expect(page.getByRole("button", { name: "Merge 3 posts into one" })).toBeEnabled();
  expect([plans.length - planned, lists.length - listed]).toEqual([0, 1]);
});
