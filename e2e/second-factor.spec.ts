import { readFile } from "node:fs/promises";
import { expect, type Page } from "playwright/test";
import { codeAt } from "../lib/users/testing/authenticator-app";
import { test } from "./setup/test";
import { forgetSession, holdScript, look, lookInDark, newName, signUp } from "./setup/visitor";

/** Gives the page an authenticator that verifies its user and answers at once (WebDriver's virtual authenticators, over CDP). */
async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test("a person adds a passkey and an authenticator app, and signs in with each", async ({ page, product }) => {
  const email = `${newName("s")}@example.com`;
  await signUp(page, product, email);
  await plugInAuthenticator(page);

  await page.goto(`${product.url}/settings`);
  await expect(page.getByText("0 B of 20 GB")).toBeVisible();
  await expect(page.getByText("0 of 10,000")).toBeVisible();
  const letIn = await holdScript(page, "**/passkey.js");
  await page.getByRole("link", { name: "Add a passkey" }).click();
  const add = page.getByRole("button", { name: "Add a passkey" });
  await expect(add).toBeDisabled(); // A form without the script's answer would be refused.
  letIn();
  await expect(add).toBeEnabled();
  await look(page);
  await page.getByLabel("Name").fill("Test laptop");
  await add.click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveCount(10);
  await look(page);
  await page.getByRole("link", { name: "I have saved them" }).click();
  await expect(page.getByText("Test laptop", { exact: true })).toBeVisible();
  await expect(page.getByText("10 codes are left.")).toBeVisible();
  await page.getByText("Rename or remove Test laptop").click();
  const security = page.getByRole("region", { name: "Two-step sign-in and passkeys" });
  await security.getByRole("textbox", { name: "Name" }).fill("   ");
  await page.getByRole("button", { name: "Rename Test laptop" }).click();
  await expect(page.getByText("name is required")).toBeVisible();
  await look(page);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await page.getByRole("link", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(`${product.url}/`);

  await page.goto(`${product.url}/settings`);
  await page.getByRole("link", { name: "Set up an authenticator app" }).click();
  await expect(page.getByRole("heading", { name: "Set up your authenticator app" })).toBeVisible();
  await look(page);
  await lookInDark(page);
  const secret = ((await page.locator(".secret").textContent()) ?? "").replace(/\s/g, "");
  await page.getByRole("textbox", { name: "Code" }).fill("000000");
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("The code does not match")).toBeVisible();
  await page.getByRole("textbox", { name: "Code" }).fill(await codeAt(secret, Date.now()));
  await page.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByText("On since")).toBeVisible();
  await look(page);

  await forgetSession(page);
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await look(page);
  // The code of the setup is used up; the next one is accepted half a minute early.
  await page.getByRole("textbox", { name: "Code" }).fill(await codeAt(secret, Date.now() + 30_000));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${product.url}/`);

  await page.goto(`${product.url}/settings`);
  await page.getByText("Rename or remove Test laptop").click();
  await page.getByRole("button", { name: "Remove Test laptop" }).click();
  await expect(page.getByText("Test laptop", { exact: true })).toHaveCount(0);
});

test("a person downloads their data, and deletes the account after typing its address", async ({ page, product }) => {
  const email = `${newName("s")}@example.com`;
  await signUp(page, product, email);
  await page.goto(`${product.url}/settings`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export your data" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("carillon-export.json");
  expect(JSON.parse(await readFile(await file.path(), "utf8"))).toMatchObject({ user: { email }, posts: [] });
  await look(page);

  const confirm = page.getByLabel(`Type ${email} to confirm`);
  await confirm.fill("another@example.com");
  await page.getByRole("button", { name: "Delete your account" }).click();
  await expect(page.getByText("Your account was not deleted: type its email address to confirm")).toBeVisible();
  await confirm.fill(email);
  await page.getByRole("button", { name: "Delete your account" }).click();
  await expect(page.getByRole("heading", { name: "Your account is being deleted" })).toBeVisible();
  await look(page);
  await page.goto(`${product.url}/settings`);
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
});
