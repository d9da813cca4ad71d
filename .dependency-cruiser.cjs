// The import rule: entry points → nouns → networks → base. Among the nouns, each imports only those listed before it.
const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const NOUNS = [
  ["users"],
  ["webhooks"],
  ["notices"],
  ["oauth"],
  ["media"],
  ["accounts"],
  ["partners", "schedules"],
  ["connect"],
  ["reviews"],
  ["staff"],
  ["api"],
];
const NOUN = `^lib/(${NOUNS.flat().join("|")})/`;
const BASE = "^lib/((db|env|installation|jobs|storage|http|mail|time)/|[^/]+\\.ts$)";
const ENTRY_POINT = "^(app|components|cli)/|^(server|worker|cli)\\.ts$";
// Tests, and files that only tests import, may use the sandbox and look into any folder.
const TEST = "\\.test\\.tsx?$|/testing(/|\\.ts$)|^(e2e|bench)/";
// The files in lib/ that browser code may import, besides types: data and rules that need no server.
const BROWSER_SAFE =
  "^lib/(networks/(text/[^/]+|limits|animation)|platforms|search-text|text|time/[^/]+|errors" +
  "|schedules/(near-duplicates|repeat/input)|http/(schema-problems|outside-url|egress-error)" +
  // Request schemas and their messages, which forms load to check values before sending them (ADR 20).
  "|api/bodies/[^/]+|webhooks/types)\\.ts$";

const rules = [
  ...NOUNS.flatMap((level, i) =>
    level.map((noun) => ({
      name: `${noun}-imports-only-earlier-nouns`,
      from: { path: `^lib/${noun}/`, pathNot: TEST },
      to: {
        path: `^lib/(${NOUNS.slice(i)
          .flat()
          .filter((other) => other !== noun)
          .concat("-")
          .join("|")})/`,
      },
    })),
  ),
  {
    name: "lib-does-not-import-entry-points",
    from: { path: "^lib/", pathNot: TEST },
    to: { path: ENTRY_POINT },
  },
  {
    name: "components-do-not-import-entry-points",
    from: { path: "^components/", pathNot: TEST },
    to: { path: "^app/|^(server|worker|cli)\\.ts$" },
  },
  {
    name: "networks-do-not-import-nouns",
    from: { path: "^lib/networks/", pathNot: TEST },
    to: { path: NOUN },
  },
  {
    name: "base-imports-only-base",
    from: { path: BASE, pathNot: TEST },
    to: { path: `${NOUN}|^lib/networks/` },
  },
  {
    name: "import-folders-by-index-within-lib",
    from: { path: "^lib/([^/]+)/", pathNot: TEST },
    to: { path: `${NOUN}|^lib/networks/`, pathNot: `^lib/$1/|^lib/[^/]+/index\\.ts$|${BROWSER_SAFE}` },
  },
  {
    name: "import-folders-by-index",
    from: { pathNot: `^lib/[^/]+/|${TEST}` },
    to: {
      path: `${NOUN}|^lib/networks/`,
      pathNot: `^lib/[^/]+/index\\.ts$|${BROWSER_SAFE}`,
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "sandbox-imports-no-product-code",
    from: { path: "^sandbox/", pathNot: TEST },
    to: { path: `^(lib|e2e|bench|bin)/|${ENTRY_POINT}` },
  },
  {
    name: "product-never-imports-sandbox",
    from: { path: `^lib/|${ENTRY_POINT}`, pathNot: TEST },
    to: { path: "^sandbox/" },
  },
  {
    name: "packages-import-no-product-code",
    from: { path: "^packages/", pathNot: `${TEST}|^packages/[^/]+/build\\.mjs$` },
    to: { path: `^(lib|e2e|bench|bin)/|${ENTRY_POINT}`, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "product-never-imports-packages",
    from: { path: `^(lib|sandbox)/|${ENTRY_POINT}`, pathNot: TEST },
    // Except the tools of agents, which the server at /mcp and the package have in common (ADR 52).
    to: { path: "^packages/", pathNot: "^packages/mcp/src/tools\\.ts$" },
  },
  {
    name: "product-never-imports-tests",
    from: { path: `^(lib|sandbox)/|${ENTRY_POINT}`, pathNot: TEST },
    to: { path: TEST },
  },
  {
    name: "browser-code-imports-no-server-code",
    from: { path: `${browserCode()}|^lib/(api/bodies/|schedules/repeat/input)` },
    to: { path: "^lib/", pathNot: BROWSER_SAFE, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-cycles",
    from: {},
    to: { circular: true }, // imports of types count too
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    exclude: "(^|/)(node_modules|dist|\\.next|test-results)/",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js"],
      // Longer than a run. By default, it reads every package.json again every four seconds.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};

/** A regular expression that matches the files that start with "use client". Files that they import are checked on their own. */
function browserCode() {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(join(__dirname, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) => /^\s*["']use client["']/.test(readFileSync(join(__dirname, file), "utf8"))),
  );
  return `^(${files.map((file) => file.replace(/[()[\].]/g, "\\$&")).join("|")})$`;
}
