import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { aptInstall } from "./apt.mjs";

/**
 * Programs that only tests use. `program` is the path that Debian gives them, or a name, if they may be elsewhere: then the program
 * must succeed with these `args`.
 */
const PARTS = [
  {
    program: "/usr/bin/swift-proxy-server",
    packages: ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"],
    tests: "the tests of the S3 store",
  },
  { program: "ffmpeg", args: ["-version"], packages: ["ffmpeg"], tests: "the tests that create videos with ffmpeg" },
  { program: "/usr/sbin/pgbouncer", packages: ["pgbouncer"], tests: "lib/db/pgbouncer.test.ts" },
  { program: "/usr/lib/postgresql", packages: ["postgresql"], tests: "e2e/processes/recipe.spec.ts" },
  {
    program: "/usr/sbin/nginx",
    packages: ["nginx-light"],
    tests: "e2e/processes/recipe.spec.ts and a test of deploy/nginx.conf",
  },
  { program: "/usr/bin/caddy", packages: ["caddy"], tests: "a test of deploy/Caddyfile" },
  {
    program: "python3",
    args: ["-c", "import requests"],
    packages: ["python3-requests"],
    tests: "the tests that run the Python of the guides",
  },
];

/**
 * Tries to install the missing parts with apt-get: all at once, which takes half the time, and if that fails, one after another. The
 * tests of a part that is missing afterwards are skipped, and this says so.
 */
export async function ensureTestParts() {
  const missing = () => PARTS.filter((part) => !isInstalled(part));
  const wanted = missing();
  if (wanted.length === 0) return;
  console.log(`${wanted.map(({ packages }) => packages[0]).join(", ")}: missing, running apt-get install …`);
  await aptInstall(...wanted.flatMap(({ packages }) => packages));
  for (const { packages } of missing()) await aptInstall(...packages);
  for (const { packages, tests } of missing())
    console.log(`SKIPPED: ${tests}, because ${packages.join(", ")} cannot be installed`);
}

function isInstalled({ program, args }) {
  if (!args) return existsSync(program);
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
