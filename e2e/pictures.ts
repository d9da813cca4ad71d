import { join } from "node:path";
import { expect } from "playwright/test";
import sharp from "sharp";
import { addFiles } from "./setup/files";
import { root } from "./setup/service";
import { test } from "./setup/test";
import { connect, describeFile, signUpConfirmed } from "./setup/visitor";

/** Two bells before an evening sky. */
async function bells() {
  const bell = (x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})"><path d="M0 0c38 0 62 28 62 74 0 44 10 62 26 76H-88c16-14 26-32 26-76C-62 28-38 0 0 0z"/><circle cy="168" r="15"/></g>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1200" fill="#fff7e6">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#0b5f57"/><stop offset="1" stop-color="#efb73e"/></linearGradient>
    <rect width="1200" height="1200" fill="url(#sky)"/>${bell(480, 330, 2.2)}${bell(820, 430, 1.7)}</svg>`;
  return { name: "bells.jpg", mimeType: "image/jpeg", buffer: await sharp(Buffer.from(drawing)).jpeg().toBuffer() };
}

const NETWORKS = ["X", "Instagram", "LinkedIn"] as const;

/** The pictures of the README. `npm run pictures` takes them. */
test("the composer, and a post that was published", async ({ page, product }) => {
  const save = (name: string) => page.screenshot({ path: join(root, "docs/images", `${name}.png`) });
  await signUpConfirmed(page, product);
  for (const network of [...NETWORKS, "YouTube"] as const) await connect(page, product, network, "ada");
  await page.goto(`${product.url}/compose`);
  for (const network of NETWORKS) await page.getByRole("checkbox", { name: new RegExp(`${network}$`) }).check();
  await page
    .getByLabel("Text", { exact: true })
    .fill("The bells of St Mary ring at noon: one peal, three towers. #bells");
  await addFiles(page, await bells());
  await describeFile(page, "bells.jpg", "Two bells before a golden evening sky");
  await page.getByRole("radio", { name: "Now" }).check();
  const submit = page.getByRole("button", { name: "Post now to 3 accounts" });
  await expect(submit).toBeEnabled();
  await page.evaluate(() => scrollTo(0, 0));
  await save("compose");
  await submit.click();
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
  await save("posts");
});
