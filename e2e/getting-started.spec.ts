import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { openShell, readSteps, steady } from "./setup/walkthrough";

/** The steps of the guide that happen in the reader's browser, by heading. */
const inTheBrowser: { [heading: string]: (page: Page, address: string) => Promise<string> } = {
  "Send the person to consent": consent,
  "Let the user connect an account": connect,
};

let product: Product;
let shell: ReturnType<typeof openShell>;

test.beforeEach(async ({ product: shared }) => {
  product = shared;
  shell = openShell(product.settings);
});

test.afterEach(() => shell.close());

test("every command of docs/getting-started.md prints what the guide says", async ({ page }) => {
  // npm takes as long to start as the command. The steps of docs/quickstart.md run it.
  await shell.run('npm() { [ "$1 $2 $3" = "run carillon --" ] && shift 3 && node bin/carillon.mjs "$@"; }\n');
  const done: string[] = [];
  let code = "";
  for (const { heading, commands, prints } of await readSteps("docs/getting-started.md")) {
    // The reader sets BASE_URL; the commands are not changed otherwise.
    const own = commands.replace(/^BASE_URL=.*$/m, `BASE_URL=${product.url}`);
    const waits = commands.startsWith("read ");
    const printed = await shell.run(own, waits ? code : "");
    if (prints) expect(steady(printed, prints.language), heading).toBe(steady(prints.text, prints.language));
    const browse = inTheBrowser[heading];
    if (browse && !waits) code = await browse(page, printed);
    done.push(heading);
  }
  expect(new Set(done).size).toBeGreaterThan(10);
  expect(done).toEqual(expect.arrayContaining(Object.keys(inTheBrowser)));
});

test("the six steps of docs/quickstart.md publish a post with the packed SDK", async () => {
  const [start, ...steps] = await readSteps("docs/quickstart.md");
  expect(start?.commands).toBe("npm start\n");
  for (const { heading, commands, prints } of steps) {
    const own = commands.replace(/^export CARILLON_URL=.*$/m, `export CARILLON_URL=${product.url}`);
    const printed = await shell.run(own);
    if (prints) expect(steady(printed, prints.language), heading).toBe(steady(prints.text, prints.language));
  }
  expect(steps.map(({ heading }) => heading.slice(0, 2))).toEqual(["2.", "3.", "4.", "5.", "6."]);
});

/** Where the guide's application would listen. */
const BACK = "http://localhost:8080";

async function consent(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  const { pathname, searchParams: back } = new URL(await wayBack(page));
  expect(pathname).toBe("/callback");
  expect(back.get("state")).toBe("my-state");
  return back.get("code") ?? "";
}

async function connect(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await page.getByRole("radio", { name: "bob" }).check();
  expect(await wayBack(page)).toBe(`${BACK}/connected`);
  return "";
}

/** Presses Allow and returns the address of the redirect. No server listens there, so the request itself is checked. */
async function wayBack(page: Page): Promise<string> {
  const asked = page.waitForRequest((request) => new URL(request.url()).origin === BACK);
  await page.getByRole("button", { name: "Allow" }).click();
  return (await asked).url();
}
