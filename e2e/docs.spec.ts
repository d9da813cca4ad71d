import { expect, type Page } from "@playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { expectUsable } from "./setup/usable";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}

test("the reference shows every operation of the OpenAPI document with a command to copy", async ({ page }) => {
  const { paths } = await (await fetch(`${product.url}/v1/openapi.json`)).json();
  await page.goto(`${product.url}/docs`);
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as { [method: string]: { operationId: string } }).map(([method, { operationId }]) => ({
      operationId,
      route: `${method.toUpperCase()} ${path}`,
    })),
  );
  const shown = await page.locator("section.operation").evaluateAll((sections) =>
    sections.map((section) => ({
      operationId: section.getAttribute("aria-labelledby"),
      route: section.querySelector(".route")?.textContent,
      copies: section.querySelector("pre")?.textContent?.startsWith("curl "),
    })),
  );
  expect(shown).toEqual(expect.arrayContaining(calls.map((call) => ({ ...call, copies: true }))));
  expect(shown.length).toBe(calls.length);
});

for (const path of ["/docs", "/docs/getting-started", "/docs/csv"]) {
  test(`${path} has no script, loads nothing from other sites, has no broken link, and is readable in light and dark`, async ({
    page,
    isMobile,
  }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await page.goto(product.url + path);
    expect([...new Set(asked)]).toEqual([product.url]);
    expect(await page.locator("script").count()).toBe(0);
    const astray = await page
      .locator('a[href^="#"]')
      .evaluateAll((links) =>
        links.map((link) => link.getAttribute("href") ?? "").filter((href) => !document.getElementById(href.slice(1))),
      );
    expect(astray).toEqual([]);
    const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    await expectNoSidewaysScroll(page);
    if (isMobile) return; // the same document and colours
    // Operations, tables and rows look alike, and axe would take minutes for all of them, so only a few of each are kept.
    for (const much of ["section.operation:nth-of-type(n + 4)", "tr:nth-child(n + 4)", "main > :nth-child(n + 80)"]) {
      await page.locator(much).evaluateAll((all) => {
        for (const one of all) one.remove();
      });
    }
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectUsable(page);
    }
  });
}
