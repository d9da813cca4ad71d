import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { transform } from "esbuild";
import { Parser } from "htmlparser2";
import { expect, type Service, test, unique } from "../spec/service";
import { button, continueWith, linkFor, visit } from "./walk";

/**
 * The examples of docs/connect-from-mobile.md. The program for React Native runs, with a sheet that follows links over HTTP. The code
 * for iOS and Android needs the platforms' own libraries, so it is only parsed, and its addresses are compared with the program's.
 */
const guide = readFile(join(import.meta.dirname, "../../docs/connect-from-mobile.md"), "utf8");
async function exampleIn(language: string): Promise<string> {
  const blocks = [...(await guide).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))];
  expect(blocks).toHaveLength(1);
  return blocks[0]?.[1] ?? "";
}

const RETURN = "com.acme.planner:/connected";
const SCHEME = "com.acme.planner";

/** `npm test` installs the grammars here (bin/clients.mjs). */
const grammars = join(import.meta.dirname, "../../.cache/grammars");
type Grammars = new () => {
  setLanguage(language: unknown): void;
  parse(code: string): { rootNode: { hasError: boolean } };
};

/** Whether the code follows the grammar of its language. */
function isParsed(code: string, grammar: string): boolean {
  const load = createRequire(join(grammars, "package.json"));
  const SyntaxParser = load("tree-sitter") as Grammars;
  const parser = new SyntaxParser();
  parser.setLanguage(load(grammar));
  return !parser.parse(code).rootNode.hasError;
}

for (const [language, grammar] of [
  ["swift", "tree-sitter-swift"],
  ["kotlin", "@tree-sitter-grammars/tree-sitter-kotlin"],
] as const) {
  test(`the example in ${language} can be parsed, and without its last bracket it cannot`, async () => {
    test.skip(!existsSync(join(grammars, "installed")), "the grammars are not installed");
    const code = (await exampleIn(language)).trimEnd();
    expect([isParsed(code, grammar), isParsed(code.slice(0, -1), grammar)]).toEqual([true, false]);
  });
}

test("the examples for iOS and Android return by the address of the program for React Native", async () => {
  const swift = await exampleIn("swift");
  expect(swift).toContain(`redirectUri "${RETURN}"`);
  expect(swift).toContain(`callbackURLScheme: "${SCHEME}"`);
  const schemes: (string | undefined)[] = [];
  const unclosed: string[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => name === "data" && schemes.push(attributes["android:scheme"]),
      onclosetag: (name, isImplied) =>
        isImplied && !["action", "category", "data"].includes(name) && unclosed.push(name),
    },
    { xmlMode: true },
  );
  parser.end(await exampleIn("xml"));
  expect({ schemes, unclosed }).toEqual({ schemes: [SCHEME], unclosed: [] });
});

type Sheet = (link: string, redirectUri: string) => Promise<{ type: string }>;
type Program = { connect(platform: string): Promise<string> };

/** Runs the program for React Native with a backend that requests links for this user, and with this sheet. */
async function programWith(service: Service, user: { uuid: string }, sheet: Sheet) {
  const backend = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const { platform, redirectUri } = JSON.parse(Buffer.concat(chunks).toString());
    response.end(JSON.stringify(await linkFor(service, user, platform, redirectUri)));
  });
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;
  const source = (await exampleIn("ts")).replace("https://api.acme.example", url);
  const { code } = await transform(source, { loader: "ts", format: "cjs" });
  const module = { exports: {} };
  const require = (name: string) => (name === "expo-web-browser" ? { openAuthSessionAsync: sheet } : undefined);
  runInNewContext(code, { module, require, fetch });
  return { program: module.exports as Program, close: () => backend.close() };
}

for (const { title, decision, accounts } of [
  { title: "returns after a connect, which stores the account", decision: "allow", accounts: 1 },
  {
    title: "returns with the button of a page that explains a problem, and nothing is connected",
    decision: "deny",
    accounts: 0,
  },
] as const) {
  test(`the program for React Native ${title}`, async ({ service }) => {
    const user = await service.user();
    const opened: string[] = [];
    const { program, close } = await programWith(service, user, async (link, redirectUri) => {
      const { browser, callback } = await continueWith(service, user, link, { decision, person: unique("m") });
      const page = await visit(browser, callback);
      const address = page.headers.get("location") ?? button(page.html, "Back to Acme") ?? "";
      opened.push(address);
      return { type: address.startsWith(redirectUri) ? "success" : "cancel" };
    });
    expect(await program.connect("X_TWITTER")).toBe("returned");
    close();
    expect(opened).toEqual([RETURN]);
    expect((await user.api.get<object[]>("/v1/accounts")).body).toHaveLength(accounts);
  });
}

test("the program for React Native says that the sheet was closed", async ({ service }) => {
  const { program, close } = await programWith(service, await service.user(), async () => ({ type: "cancel" }));
  expect(await program.connect("X_TWITTER")).toBe("closed");
  close();
});
