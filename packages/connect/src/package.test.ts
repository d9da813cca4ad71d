import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { mistakesIn } from "../../../lib/testing/published";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
const MAX_BYTES = 8 * 1024;

/** The package as npm publishes it. */
let folder: string;
let tarball: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-connect-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(root, "packages/connect"),
  });
  tarball = join(folder, JSON.parse(stdout)[0].filename);
  installed = join(folder, "node_modules/@carillon/connect");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the published package", () => {
  test("has two scripts of at most 8 KB, their types, the licence, and no dependency", async () => {
    expect((await readdir(join(installed, "dist"))).sort()).toEqual([
      ...["element.d.ts", "element.js", "index.d.ts", "index.js"],
    ]);
    expect((await readdir(installed)).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    for (const script of ["element.js", "index.js"]) {
      expect(gzipSync(await readFile(join(installed, "dist", script))).length).toBeLessThanOrEqual(MAX_BYTES);
    }
    expect(JSON.parse(await readFile(join(installed, "package.json"), "utf8"))).not.toHaveProperty("dependencies");
  });

  test("has no mistake that publint or Are The Types Wrong finds", async () => {
    expect(await mistakesIn({ installed, tarball })).toEqual([]);
  });

  test("has types of the elements and of what their events tell", async () => {
    const program = `
      import { openConnect } from "@carillon/connect";
      import "@carillon/connect/element";
      declare const mayBeMissing: (() => void) | undefined;
      openConnect({ url: "https://carillon.example.com", onDone: mayBeMissing });
      const list = document.querySelector("carillon-connect");
      if (list) list.fetchClientToken = async () => "token";
      list?.addEventListener("carillon-connected", ({ detail }) => detail.username.trim());
      const webhooks = document.querySelector("carillon-webhooks");
      webhooks?.addEventListener("carillon-error", ({ detail }) => detail.message.trim());
      // @ts-expect-error
      list?.addEventListener("carillon-connected", ({ detail }) => detail.nothing);`;
    await writeFile(join(folder, "page.mts"), program);
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, module: "nodenext", types: [] };
    const config = { compilerOptions: { ...options, target: "es2022" }, files: ["page.mts"] };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await run(process.execPath, [join(root, "node_modules/typescript-7/bin/tsc"), "-p", folder]);
  });

  test("has the page of the guide in its README, which a partner's own program tries (e2e/partner-app.spec.ts)", async () => {
    const pageIn = async (file: string) => /^```html\n.*?^```/ms.exec(await readFile(file, "utf8"))?.[0];
    const page = await pageIn(join(installed, "README.md"));
    expect(page).toContain("<carillon-connect");
    expect(page).toBe(await pageIn(join(root, "docs/connect-embedded.md")));
  });

  test("needs at most ten lines of a partner: those of the backend and those of the page in the guide", async () => {
    const guide = await readFile(join(root, "docs/connect-embedded.md"), "utf8");
    const blocks = ["ts", "html"].map(
      (language) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(guide)?.[1] ?? "",
    );
    expect(blocks).toEqual([expect.stringContaining("createSession"), expect.stringContaining("<carillon-connect")]);
    expect(blocks.join("").split("\n").filter(Boolean).length).toBeLessThanOrEqual(10);
  });

  test("takes a link whose host has a letter such as ü however often one was opened before", async () => {
    const { openConnect } = await import(join(installed, "dist/index.js"));
    const url = "https://bücher.example";
    for (let n = 0; n < 10_000; n++) {
      let connect: { cancel(): void } | undefined;
      await new Promise((open, onError) => {
        connect = openConnect({ url, open, onError });
      });
      connect?.cancel();
    }
  });

  test("opens a link from an app as the guide shows, and learns of the return", async () => {
    const guide = await readFile(join(root, "docs/connect-embedded.md"), "utf8");
    const [, code = ""] = [...guide.matchAll(/^```js\n(.*?)^```/gms)][1] ?? [];
    const { openConnect, finishConnect } = await import(join(installed, "dist/index.js"));
    const showAccounts = vi.fn();
    const opened = new Promise((resolve) => {
      const context = { openConnect, showAccounts, linkOfYourBackend: "https://carillon.example.com/link" };
      runInNewContext(code, { ...context, Browser: { open: resolve } });
    });
    expect(await opened).toEqual({ url: "https://carillon.example.com/link" });
    expect(showAccounts).not.toHaveBeenCalled();
    expect([finishConnect(), showAccounts.mock.calls.length]).toEqual(["deepLink", 1]);
  });

  test("can be imported on a server, where nothing is drawn", async () => {
    const script = join(installed, "dist/element.js");
    const code = `const { CarillonConnect } = await import(${JSON.stringify(script)}); console.log(typeof CarillonConnect);`;
    expect((await run(process.execPath, ["--input-type=module", "-e", code])).stdout).toBe("function\n");
  });
});
