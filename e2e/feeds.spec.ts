import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect } from "playwright/test";
import { test } from "./setup/test";
import { connect, expectFits, look, lookInDark, newName, signUp, signUpConfirmed } from "./setup/visitor";

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>The tower's news</title>
<item><guid>1</guid><title>The bells are ready</title><link>https://example.com/ready</link></item>
<item><guid>2</guid><title>${"A long title about bells. ".repeat(20)}</title><link>https://example.com/long</link></item>
</channel></rss>`;

let server: Server;
let address: string;

test.beforeAll(async ({ feedPort }) => {
  server = createServer((request, response) => {
    if (request.url !== "/feed.xml") return response.writeHead(200).end("<p>No feed</p>");
    response.setHeader("content-type", "application/rss+xml").end(FEED);
  });
  server.listen(feedPort, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${feedPort}/feed.xml`;
});
test.afterAll(() => server.close());

test("a person sees what a feed would make, adds it, finds the drafts and removes it", async ({ page, product }) => {
  const person = newName("f");
  await signUpConfirmed(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/settings`);
  await page.getByRole("link", { name: "Your feeds" }).click();
  await expect(page.getByText("No feeds yet.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Settings", exact: true })).toHaveAttribute("aria-current", "page");
  await look(page);

  const show = page.getByRole("button", { name: "Show what it makes" });
  await show.click();
  await expect(page.getByText("Enter the address of a feed")).toBeVisible();
  await expect(page.getByText("Choose at least one account")).toBeVisible();
  await page.getByLabel("Address of the feed").fill(address.replace("feed.xml", "page"));
  await page.getByRole("checkbox", { name: person }).check();
  await show.click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/^The feed cannot be shown: url is not a feed/);

  await page.getByLabel("Address of the feed").fill(address);
  await page.getByLabel("Start with").selectOption("the 3 newest articles");
  await show.click();
  const made = page.getByRole("region", { name: "Add a feed" });
  await expect(made.getByRole("heading", { name: "What The tower's news would make" })).toBeVisible();
  await expect(made.getByText("The bells are ready\n\nhttps://example.com/ready")).toBeVisible();
  await expect(made.getByText("Every network takes it")).toBeVisible();
  await expect(made.getByText("Becomes a draft, because:")).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Add this feed" }).click();
  await expect(page.getByText("The tower's news is added.")).toBeVisible();
  const yours = page.getByRole("region", { name: "Your feeds" });
  await expect(yours.getByText("Makes drafts · 2 posts so far")).toBeVisible();
  await expect(yours.getByText(`To @${person} on X`)).toBeVisible();
  await look(page);
  await lookInDark(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  const drafts = await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json();
  expect(drafts.items).toHaveLength(2);

  await page.getByRole("button", { name: "Remove The tower's news" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No feeds yet.")).toBeVisible();
});

test("a person gets the address of their calendar once, and can end it", async ({ page, product }) => {
  await signUp(page, product);
  await page.goto(`${product.url}/settings`);
  await page.getByRole("button", { name: "Create the address" }).click();
  await expect(page.getByRole("heading", { name: "The address of your calendar" })).toBeVisible();
  await look(page);
  const calendar = (await page.getByText(/^http.*\.ics$/).textContent()) ?? "";
  const answer = await page.request.get(calendar);
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
  expect(await answer.text()).toMatch(/^BEGIN:VCALENDAR\r\n/);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByText("Carillon cannot show it again.")).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Remove the address" }).click();
  await expect(page.getByText("There is no address yet.")).toBeVisible();
  expect((await page.request.get(calendar)).status()).toBe(404);
});
