import { expect, type Locator } from "playwright/test";
import { accountBoxes, chooseAllAccounts, textField } from "./setup/composer";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test("on a phone, ten accounts in groups leave the text on the first screen, and the button that closes stays in its corner; on a wider screen, no group that begins a row is indented", {
  tag: "@long",
}, async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("t"));
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const ids = Array.from({ length: 10 }, (_, index) => account.id + index * 1_000_000);
  const groups = ["Brand", "Copenhagen shop", "Studio diary", "Market stalls", "Partners"].map((name, index) => ({
    ...{ id: index + 1, name, colour: "CORAL" },
    accountIds: ids.slice(2 * index, 2 * index + 2),
  }));
  await page.route("**/v1/accounts", (route) => route.fulfill({ json: ids.map((id) => ({ ...account, id })) }));
  await page.route("**/v1/account-groups", (route) => route.fulfill({ json: groups }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${product.url}/compose`);
  await expect(page.getByRole("group", { name: "Partners" })).toBeAttached();
  const field = await textField(page).boundingBox();
  const bar = await page.getByRole("radio", { name: "Next free time" }).locator("..").boundingBox();
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  await look(page);
  const rightOf = async (what: Locator) => {
    const box = await what.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const close = page.getByRole("link", { name: "Close" });
  const corner = (await rightOf(page.getByRole("main"))) - 16;
  expect(await rightOf(close)).toBe(corner);
  await textField(page).fill("The bells");
  await expect(page.getByText("Saved on this device. Choose an account to save it as a draft.")).toBeVisible();
  expect(await rightOf(close)).toBe(corner);

  await page.setViewportSize({ width: 800, height: 900 });
  const firsts = await Promise.all(
    groups.map(({ name }) => page.getByRole("group", { name }).getByRole("checkbox").first().boundingBox()),
  );
  const starts = new Map<number, number>();
  for (const box of firsts) {
    const { x, y } = box ?? { x: 0, y: 0 };
    starts.set(y, Math.min(x, starts.get(y) ?? x));
  }
  expect(starts.size, "rows").toBeGreaterThan(1);
  expect(new Set(starts.values()).size).toBe(1);
});

test("many accounts are folded by network with how many are chosen, and found by name", { tag: "@long" }, async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await connect(page, product, "Instagram", person);
  await page.route("**/v1/accounts", async (route) => {
    const all = await (await route.fetch()).json();
    const more = all.flatMap((account: { id: number; accountUsername: string }) =>
      Array.from({ length: 30 }, (_, index) => ({
        ...account,
        id: account.id + index * 1_000_000,
        accountUsername: `${account.accountUsername}-${index}`,
      })),
    );
    await route.fulfill({ json: more });
  });
  await page.goto(`${product.url}/compose`);
  await page.getByLabel("Find an account").fill(`${person}-7`);
  await expect(accountBoxes(page)).toHaveCount(2);
  await page.getByRole("checkbox", { name: `@${person}-7 X` }).check();
  await page.getByLabel("Find an account").fill("");
  await expect(page.getByText("1 of 30")).toBeVisible();
  await expect(page.getByText("0 of 30")).toBeVisible();
  await look(page);
  await page.getByText("1 of 30").click();
  await expect(page.getByRole("checkbox", { name: `@${person}-7 X` })).toBeChecked();
});

test("“Last used” chooses the accounts of the newest post again, a group chooses all its accounts with one press, and the button shows what a new post lacks only when asked", async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await schedule(page, product, "Before", "2090-01-01T00:00:00Z");
  for (const network of ["Instagram", "LinkedIn"] as const) await connect(page, product, network, person);
  const all: { id: number }[] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const made = await page.request.post(`${product.url}/v1/account-groups`, {
    headers: { Origin: product.url },
    data: { name: "Tower", colour: "GOLD", accountIds: all.slice(0, 2).map(({ id }) => id) },
  });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto(`${product.url}/compose`);
  await expect(page.getByRole("group", { name: "Tower" }).getByRole("checkbox")).toHaveCount(2);
  const chip = page.getByRole("button", { name: "Last used 1" });
  const chosen = accountBoxes(page).and(page.locator(":checked"));
  await expect(chip).toHaveAttribute("aria-pressed", "true");
  await expect(chosen).toHaveAccessibleName(`@${person} X`);
  await chooseAllAccounts(page);
  await expect(chip).toHaveAttribute("aria-pressed", "false");
  await chip.click();
  await expect(chosen).toHaveAccessibleName(`@${person} X`);
  await chosen.uncheck();
  await expect(page.getByText("Write something or add a picture.")).toHaveCount(0);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page.getByRole("button", { name: "Choose accounts" })).toBeFocused();
  await page.getByRole("button", { name: "Tower 2" }).click();
  await expect(chosen).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Tower 2" })).toHaveAttribute("aria-pressed", "true");
  await look(page);
  await page.getByRole("button", { name: "Tower 2" }).click();
  await expect(chosen).toHaveCount(0);
});
