import { type Browser, expect, type Page } from "playwright/test";
import { guides } from "../components/docs/words";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { COLOUR_RULES, expectUsable } from "./setup/usable";

let product: Product;

type Operation = { operationId: string; summary: string; tags: [string] };
/** Every call of the OpenAPI document. */
let calls: (Operation & { method: string; path: string })[];

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  const { paths } = await (await fetch(`${product.url}/v1/openapi.json`)).json();
  calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as { [method: string]: Operation }).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
});

async function expectNoSidewaysScroll(page: Page, path: string): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, path).toBeLessThanOrEqual(window ?? 0);
}

/** A page of the documentation on a phone, without script. */
async function onPhone(browser: Browser, isMobile: boolean, path: string): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const page = await (
    await browser.newContext({ javaScriptEnabled: false, viewport, isMobile, hasTouch: true })
  ).newPage();
  await page.goto(product.url + path);
  return page;
}

/** The pages of the documentation that were read, by address. */
const pages = new Map<string, Promise<string>>();

/** The HTML of a page of the documentation, which is read once for all tests; empty for a page that does not exist. */
function textOf(path: string): Promise<string> {
  const read = async () => {
    const answer = await fetch(product.url + path);
    return answer.ok ? answer.text() : "";
  };
  const text = pages.get(path) ?? read();
  pages.set(path, text);
  return text;
}

/** The text of an element as it is read aloud. */
const said = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();

test("every call has a page, which the sidebar lists below its noun by method, path and title", async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${product.url}/docs`);
  const sidebar = page.getByRole("navigation", { name: "Documentation" });
  const listed = await sidebar.locator("details").evaluateAll((groups) =>
    groups.flatMap((group) =>
      [...group.querySelectorAll("a")].map((link) => ({
        noun: group.querySelector("summary")?.textContent,
        href: link.getAttribute("href"),
        text: link.textContent ?? "",
      })),
    ),
  );
  const entries = listed.map((one) => ({ ...one, text: said(one.text) }));
  for (const { operationId, method, path, summary, tags } of calls) {
    const href = `/docs/${operationId}`;
    expect(entries).toContainEqual({ noun: tags[0], href, text: `${method} ${path} – ${summary}` });
    const text = (await textOf(href)).replaceAll("&#39;", "'");
    expect(text).toContain(`<h1>${summary}</h1>`);
    expect(text).toContain(`<a href="${href}" aria-current="page">`);
  }
  expect(entries.filter(({ text }) => / – /.test(text)).length).toBe(calls.length);
  await page.goto(`${product.url}/docs/createWebhook`);
  const current = sidebar.locator("[aria-current=page]");
  await expect(current).toHaveText(/POST.*\/v1\/webhooks.*Create a webhook/);
  await expect(current).toBeVisible();
  expect(said(await page.locator("main .route").textContent())).toBe("POST /v1/webhooks");
  await page.context().close();
});

test("on a phone, the sidebar opens and closes without script", { tag: ["@phone", "@long"] }, async ({
  browser,
  isMobile,
}) => {
  const page = await onPhone(browser, isMobile, "/docs/createPost");
  const sidebar = page.getByRole("navigation", { name: "Documentation" });
  await expect(sidebar).toBeHidden();
  await page.getByRole("button", { name: "All calls" }).click();
  await expect(sidebar.locator("[aria-current=page]")).toContainText("Create a post");
  await sidebar.getByRole("button", { name: "Close" }).click();
  await expect(sidebar).toBeHidden();
  await page.getByRole("button", { name: "All calls" }).click();
  await sidebar.getByRole("link", { name: "Delete a post" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Delete a post");
  await expect(sidebar).toBeHidden();
  await page.context().close();
});

test("on a phone, the text comes first and the headings of the page unfold without script", {
  tag: ["@phone", "@long"],
}, async ({ browser, isMobile }) => {
  const page = await onPhone(browser, isMobile, "/docs");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
  const contents = page.getByRole("navigation", { name: "On this page" });
  await expect(contents.getByRole("link", { name: "Errors", exact: true })).toBeHidden();
  await contents.getByText("On this page").and(page.locator("summary")).click();
  await contents.getByRole("link", { name: "Errors", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Errors", exact: true })).toBeInViewport();
  await page.setViewportSize({ width: 1440, height: 844 });
  await page.goto(`${product.url}/docs`);
  await expect(contents.getByRole("link", { name: "Errors", exact: true })).toBeVisible();
  await page.context().close();
});

test("programs and language models find everything from /docs", async ({ page }) => {
  await page.goto(`${product.url}/docs`);
  await expect(page.getByRole("link", { name: "Postman collection" })).toHaveAttribute("href", "/docs/postman.json");
  await expect(page.getByRole("link", { name: "llms.txt" })).toHaveAttribute("href", "/llms.txt");

  const collection = await fetch(`${product.url}/docs/postman.json`);
  expect(collection.headers.get("content-type")).toContain("application/json");
  expect((await collection.json()).variable).toContainEqual(expect.objectContaining({ value: product.url }));

  const answer = await fetch(`${product.url}/llms.txt`);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^# Carillon\n\n> /);
  for (const { method, path } of calls) expect(text).toContain(`- [${method} ${path}](${product.url}/docs/`);
  const addresses = [...text.matchAll(/^- \[[^\]]+\]\((http[^)]+)\)/gm)].map(([, address = ""]) => address);
  expect(addresses.length).toBeGreaterThan(calls.length);
  expect(addresses.filter((address) => !address.startsWith(`${product.url}/`))).toEqual([]);
  const texts = await Promise.all(addresses.map((address) => textOf(address.slice(product.url.length))));
  expect(addresses.filter((_, index) => !texts[index])).toEqual([]);
});

const PAGES = [
  "/docs",
  "/docs/createPost",
  ...Object.keys(guides).map((name) => `/docs/${name}`),
  "/docs/networks",
  "/docs/webhook-events",
  "/docs/shapes",
  "/docs?q=posts",
];
/** A page of each kind: they have all elements and styles of the others. */
const KINDS = ["/docs", "/docs/createPost", "/docs/getting-started", "/docs/networks", "/docs/shapes", "/docs?q=posts"];

/** The values of an attribute in all tags of a page. */
const valuesOf = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(`<\\w[^<>]*\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

test("every page has one script, names nothing to load from another site, and has no ID twice and no broken link", async () => {
  const broken: string[] = [];
  for (const path of PAGES) {
    const html = await textOf(path);
    expect(valuesOf(html, "href").length, path).toBeGreaterThan(calls.length);
    expect(html.match(/<script\b/g), path).toHaveLength(1);
    expect(
      valuesOf(html, "src").filter((src) => src.endsWith(".js")),
      path,
    ).toEqual([`${product.url}/docs.js`]);
    const styles = [...html.matchAll(/<link\b[^<>]*>/g)].flatMap(([link]) => valuesOf(link, "href"));
    const loaded = [...valuesOf(html, "src"), ...styles].map((address) => new URL(address, product.url + path).origin);
    expect([...new Set(loaded)], path).toEqual([product.url]);
    const ids = valuesOf(html, "id");
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      path,
    ).toEqual([]);
    for (const link of new Set(valuesOf(html, "href"))) {
      if (await isBroken(new URL(link, product.url + path))) broken.push(`${path}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

/** Whether a link leads to a page of the documentation, or a heading in one, that does not exist. */
async function isBroken({ origin, pathname, hash }: URL): Promise<boolean> {
  if (origin !== product.url || !pathname.startsWith("/docs")) return false;
  const text = await textOf(pathname);
  return text === "" || (hash !== "" && !text.includes(`id="${hash.slice(1)}"`));
}

for (const { which, paths, tag } of [
  { which: "a page of each kind", paths: KINDS, tag: [] },
  { which: "every other page", paths: PAGES.filter((path) => !KINDS.includes(path)), tag: "@long" },
]) {
  test(`${which} loads nothing from other sites and is readable at three widths in light and dark`, { tag }, async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    for (const path of paths) {
      await page.goto(product.url + path);
      // Fields and headings look alike, and axe would take minutes for all of them, so only some are kept.
      for (const much of ["li:nth-child(n + 6)", "tr:nth-child(n + 4)", "main > :nth-child(n + 80)"]) {
        await page.locator(much).evaluateAll((all) => {
          for (const one of all) one.remove();
        });
      }
      for (const width of [1440, 820, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await expectNoSidewaysScroll(page, path);
        // Every page has the same sidebar and header, which a phone does not show, so one page is enough for them.
        const isWhole = width === 390 || (width === 1440 && path === "/docs/createPost");
        if (isWhole) await expectUsable(page, { when: `${path}, ${width} pixels wide` });
      }
      await page.emulateMedia({ colorScheme: "dark" });
      await expectUsable(page, { rules: COLOUR_RULES, when: `${path}, dark` });
      await page.emulateMedia({ colorScheme: "light" });
    }
    expect([...new Set(asked)]).toEqual([product.url]);
  });
}

test("each call has an example in curl, Node and Python, which radio buttons choose without script", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${product.url}/docs/createPost`);
  const example = page.getByRole("complementary", { name: "Example" });
  await expect(example.getByText(`curl ${product.url}/v1/posts`)).toBeVisible();
  await example.getByText("Python", { exact: true }).click();
  await expect(example.getByText("response = requests.post(")).toBeVisible();
  await expect(example.getByText(`curl ${product.url}/v1/posts`)).toBeHidden();
  await example.getByRole("radio", { name: "Python" }).press("ArrowLeft");
  await expect(example.getByText("const response = await fetch(")).toBeVisible();
  await expect(example.getByRole("button", { name: "Copy" })).toBeHidden();
  await page.context().close();
});

test("the examples have syntax colours, in the panel and in the text", async ({ page }) => {
  await page.goto(`${product.url}/docs/createPost`);
  const colourOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).color);
  const [plain, variable, text] = [
    await colourOf("pre.curl"),
    await colourOf("pre.curl .hljs-variable"),
    await colourOf("pre.curl .hljs-string"),
  ];
  expect(new Set([plain, variable, text]).size).toBe(3);
  await page.goto(`${product.url}/docs/getting-started`);
  const light = await colourOf("main pre .hljs-string");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await colourOf("main pre .hljs-string")).not.toBe(light);
});

test("the header leads to the guides, the reference and the changes", async ({ page, isMobile }) => {
  await page.goto(`${product.url}/docs/createPost`);
  const parts = page.getByRole("navigation", { name: "Parts of the documentation" });
  if (isMobile) return expect(parts).toBeHidden();
  await parts.getByRole("link", { name: "Changes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Changes");
  await expect(parts.getByRole("link", { name: "Changes" })).toHaveAttribute("aria-current", "page");
  await parts.getByRole("link", { name: "Guides" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Getting started");
});

test("the chosen language is kept on the next page, and its example is copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${product.url}/docs/createPost`);
  await page.getByText("Node", { exact: true }).click();
  await page.goto(`${product.url}/docs/deletePost`);
  await expect(page.getByRole("radio", { name: "Node" })).toBeChecked();
  await page.getByRole("button", { name: "Copy" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('method: "DELETE"');
  expect(copied).toBe((await page.locator("pre.node").textContent())?.trimEnd());
});

test("the search lists calls and pages while a person types, and opens them by key", async ({ page }) => {
  await page.goto(`${product.url}/docs/createPost`);
  await page.keyboard.press("/");
  const search = page.getByRole("combobox", { name: "Search the reference" });
  await expect(search).toBeFocused();
  await page.keyboard.type("delete posts");
  const options = page.getByRole("option");
  await expect(options.first()).toContainText("Delete a post");
  await expectUsable(page);
  await page.keyboard.press("ArrowDown");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await expect(options).toHaveCount(0);
  await expect(search).toHaveValue("delete posts");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Delete a post");
  await search.fill("networks");
  await page.getByRole("option", { name: "Networks", exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/docs/networks`);
});

test("without script, the search finds calls by their text and shapes by their fields", async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${product.url}/docs`);
  const search = page.getByRole("searchbox", { name: "Search the reference" });
  await search.fill("PUT posts");
  await search.press("Enter");
  const results = page.getByRole("main").getByRole("link");
  await expect(results.first()).toContainText("Replace a post");
  await search.fill("attachmentPaths");
  await search.press("Enter");
  await expect(results.filter({ hasText: "(shape)" }).first()).toBeVisible();
  await search.fill('<b>"nothing"');
  await search.press("Enter");
  await expect(page.getByText('Nothing matches “<b>"nothing"”.')).toBeVisible();
  await expect(search).toHaveValue('<b>"nothing"');
  await page.context().close();
});

test("an address of the time when all calls were on one page leads to the call's page", async ({ page }) => {
  await page.goto(`${product.url}/docs#deletePost`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Delete a post");
});

test("the networks page links to the source of each limit", async ({ page }) => {
  await page.goto(`${product.url}/docs/networks`);
  const links = page.getByRole("main").getByRole("link", { name: "source", exact: true });
  const sources = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.filter((source) => !source.startsWith("https://"))).toEqual([]);
  await expect(page.getByRole("main")).not.toContainText(/https:|0 h, 1 t/);
});

test("the address of a page that does not exist answers 404 and shows the sidebar", async ({ page }) => {
  const answer = await page.goto(`${product.url}/docs/no-such-call`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Create a post" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create a post");
});
