// Refuses production packages with a known vulnerability of severity high or critical. `npm run check` runs this as one of its
// checks. It asks npm's registry. A registry that cannot be reached, or that has no audit endpoint, is not a failure: then it compares
// package-lock.json with bin/advisories.json, which lists the advisories of our main packages and is checked at each release.
// Usage: node bin/audit.mjs [folder with package.json and package-lock.json] [seconds that the registry has]
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./lock.mjs";

/** The registry answers within a second or two, or not at all. */
const REGISTRY_SECONDS = 4;
const SEVERE = ["high", "critical"];

const [, , folder = root, seconds = REGISTRY_SECONDS] = process.argv;
const registryMs = Number(seconds) * 1000;
const asked = await askRegistry();
const found = asked ?? (await compareWithList());
for (const { name, version, range, id, severity } of found) {
  console.log(`${name}${version ? ` ${version}` : ""} has the ${severity} vulnerability ${id} (affected: ${range})`);
}
if (found.length > 0) console.log("Install a version that is not affected: npm install PACKAGE@VERSION");
else console.log(asked ? "the registry knows no severe advisory" : "no advisory of bin/advisories.json applies");
process.exitCode = found.length > 0 ? 1 : 0;

/** Returns what `npm audit` finds; undefined if the registry gives no answer. */
async function askRegistry() {
  const script = process.env.npm_execpath;
  const viaNode = script?.endsWith(".js");
  const [program, first] = viaNode ? [process.execPath, [script]] : ["npm", []];
  const options = ["--omit=dev", "--package-lock-only", "--json", "--fetch-retries=0", `--fetch-timeout=${registryMs}`];
  const child = spawn(program, [...first, "audit", ...options], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32" && !viaNode,
    timeout: registryMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  await new Promise((resolve) => child.on("error", resolve).on("close", resolve));
  const report = parse(output);
  if (report?.auditReportVersion !== 2) return undefined;
  const advisories = Object.values(report.vulnerabilities).flatMap(({ via }) => via.filter((one) => one.url));
  const severe = advisories.filter(({ severity }) => SEVERE.includes(severity));
  return [...new Map(severe.map((one) => [one.url, { ...one, id: one.url }])).values()];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the production packages of the lockfile that an advisory of the list applies to. */
async function compareWithList() {
  const list = JSON.parse(await readFile(join(root, "bin/advisories.json"), "utf8"));
  const { packages } = JSON.parse(await readFile(join(folder, "package-lock.json"), "utf8"));
  const installed = Object.entries(packages).flatMap(([path, { dev, version }]) => {
    const name = path.split("node_modules/").at(-1);
    return name && version && !dev ? [{ name, version }] : [];
  });
  return installed.flatMap(({ name, version }) =>
    list
      .filter((advisory) => advisory.package === name && isAffected(version, advisory.range))
      .map(({ id, severity, range }) => ({
        name,
        version,
        range,
        id: `https://github.com/advisories/${id}`,
        severity,
      })),
  );
}

/** Whether a version is in a range such as `>=16.0.0 <16.2.5 || <15.5.16`. A pre-release counts as its release. */
function isAffected(version, range) {
  const numbers = numbersOf(version);
  return range.split("||").some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparator) => holds(numbers, comparator)),
  );
}

function holds(numbers, comparator) {
  const [, operator, limit] = /^(>=|>|<=|<)(\d+\.\d+\.\d+)$/.exec(comparator) ?? [];
  if (limit === undefined) throw new Error(`bin/advisories.json: "${comparator}" is not a comparison like >=1.2.3`);
  const limits = numbersOf(limit);
  const at = numbers.findIndex((number, index) => number !== limits[index]);
  const difference = at < 0 ? 0 : numbers[at] - limits[at];
  if (difference === 0) return operator.endsWith("=");
  return operator.startsWith(">") ? difference > 0 : difference < 0;
}

function numbersOf(version) {
  return version.split(/[-+]/, 1)[0].split(".").map(Number);
}
