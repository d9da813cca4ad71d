// The import rule of this service: entrances → nouns → networks → base, and among the nouns each only to its left.
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
const BASE = "^lib/((db|jobs|storage|http|mail|time)/|[^/]+\\.ts$)";
const ENTRANCE = "^(app|components|cli)/|^(server|worker|cli)\\.ts$";
// Tests may use the sandbox and look into any folder; so may what only they import.
const TEST = "\\.test\\.tsx?$|/testing(/|\\.ts$)|^(e2e|bench)/";
// What code in the browser may import of lib/ besides types: plain facts and rules without a server behind them.
const BROWSER_SAFE =
  "^lib/(networks/(text/[^/]+|limits|animation)|platforms|time/[^/]+|errors" +
  "|schedules/(near-duplicates|search-text|repeat/input)|http/(schema-problems|outside-url|egress-error)" +
  // The schemas by which the API reads bodies, which forms fetch to check what they send (ADR 20), and what those say.
  "|api/bodies/[^/]+|webhooks/types)\\.ts$";

const rules = [
  ...NOUNS.flatMap((level, i) =>
    level.map((noun) => ({
      name: `${noun}-imports-to-its-left`,
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
    name: "lib-below-the-entrances",
    from: { path: "^lib/", pathNot: TEST },
    to: { path: ENTRANCE },
  },
  {
    name: "components-below-the-other-entrances",
    from: { path: "^components/", pathNot: TEST },
    to: { path: "^app/|^(server|worker|cli)\\.ts$" },
  },
  {
    name: "networks-below-the-nouns",
    from: { path: "^lib/networks/", pathNot: TEST },
    to: { path: NOUN },
  },
  {
    name: "base-below-everything",
    from: { path: BASE, pathNot: TEST },
    to: { path: `${NOUN}|^lib/networks/` },
  },
  {
    name: "enter-by-index-within-lib",
    from: { path: "^lib/([^/]+)/", pathNot: TEST },
    to: { path: `${NOUN}|^lib/networks/`, pathNot: `^lib/$1/|^lib/[^/]+/index\\.ts$|${BROWSER_SAFE}` },
  },
  {
    name: "enter-by-index",
    from: { pathNot: `^lib/[^/]+/|${TEST}` },
    to: {
      path: `${NOUN}|^lib/networks/`,
      pathNot: `^lib/[^/]+/index\\.ts$|${BROWSER_SAFE}`,
      dependencyTypesNot: ["type-only"],
    },
  },
  {
    name: "sandbox-stands-alone",
    from: { path: "^sandbox/", pathNot: TEST },
    to: { path: `^(lib|e2e|bench|bin)/|${ENTRANCE}` },
  },
  {
    name: "product-never-imports-sandbox",
    from: { path: `^lib/|${ENTRANCE}`, pathNot: TEST },
    to: { path: "^sandbox/" },
  },
  {
    name: "product-never-imports-tests",
    from: { path: `^(lib|sandbox)/|${ENTRANCE}`, pathNot: TEST },
    to: { path: TEST },
  },
  {
    name: "browser-code-stays-in-the-browser",
    from: { path: `${browserCode()}|^lib/(api/bodies/|schedules/repeat/input)` },
    to: { path: "^lib/", pathNot: BROWSER_SAFE, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "no-cycles",
    from: {},
    to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: rules.map((rule) => ({ severity: "error", ...rule })),
  options: {
    exclude: "(^|/)(node_modules|dist|\\.next|test-results)/",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};

/** The files that say "use client", as one expression; what they import besides is theirs to answer for. */
function browserCode() {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(join(__dirname, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) => /^\s*["']use client["']/.test(readFileSync(join(__dirname, file), "utf8"))),
  );
  return `^(${files.map((file) => file.replace(/[()[\].]/g, "\\$&")).join("|")})$`;
}
