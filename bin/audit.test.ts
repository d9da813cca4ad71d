import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

type Locked = { version: string; dev?: true };
type Audited = { code: number; said: string };

/** On a busy machine, npm can take long to start. */
const PATIENT_SECONDS = "60";

/** Audits a project with these packages. @param registry absent: nothing listens at its address */
async function audit(
  packages: { [name: string]: Locked },
  registry = "http://127.0.0.1:9",
  seconds = PATIENT_SECONDS,
): Promise<Audited> {
  const folder = await mkdtemp(join(tmpdir(), "carillon-audit-"));
  folders.push(folder);
  const dependencies = Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version]));
  const locked = Object.entries(packages).map(([name, one]) => [`node_modules/${name}`, one]);
  const root = { name: "audited", version: "1.0.0", dependencies };
  const lock = { ...root, lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(locked) } };
  await writeFile(join(folder, "package.json"), JSON.stringify(root));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify(lock));
  const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, "cache") };
  return new Promise((done) => {
    const child = execFile(process.execPath, [resolve("bin/audit.mjs"), folder, seconds], { env }, (_, said) =>
      done({ code: child.exitCode ?? -1, said }),
    );
  });
}

/** A registry with one version of undici, which gives this answer to audits; without one, it never answers. */
async function withRegistry<T>(
  answer: { status: number; body: object } | undefined,
  work: (url: string) => Promise<T>,
) {
  const version = { name: "undici", version: "8.0.0", dist: {} };
  const packument = { name: "undici", "dist-tags": { latest: "8.0.0" }, versions: { "8.0.0": version } };
  const server = createServer((request, response) => {
    request.resume();
    const { status, body } = request.method === "POST" ? (answer ?? {}) : { status: 200, body: packument };
    if (status) response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const vulnerable = { undici: { version: "7.27.2" } };
const refusal = {
  code: 1,
  said: expect.stringContaining(
    "undici 7.27.2 has the high vulnerability https://github.com/advisories/GHSA-vxpw-j846-p89q (affected: >=7.0.0 <7.28.0)",
  ),
};

describe.concurrent("without an answer of the registry", () => {
  test("vulnerable versions of production packages are refused, and each advisory is named", async () => {
    const { code, said } = await audit({
      ...vulnerable,
      "drizzle-orm": { version: "0.45.2" }, // the first version that is not affected
      hono: { version: "4.11.3", dev: true },
      next: { version: "15.5.15" }, // in the first part of one range
      postcss: { version: "8.5.17" }, // the last affected version
    });
    const ids = [...said.matchAll(/^(\S+) \S+ has the high vulnerability https:\S+(GHSA-\S+)/gm)];
    expect([code, ids.map(([, name, id]) => [name, id])]).toEqual([
      1,
      [
        ["undici", "GHSA-vxpw-j846-p89q"],
        ["next", "GHSA-c4j6-fc7j-m34r"],
        ["postcss", "GHSA-r28c-9q8g-f849"],
      ],
    ]);
  });

  test.each([
    ["has no audit endpoint", { status: 405, body: {} }, PATIENT_SECONDS],
    ["never answers", undefined, "1"],
  ])("the list is used if the registry %s", async (_, answer, seconds) => {
    await withRegistry(answer, async (url) => expect(await audit(vulnerable, url, seconds)).toEqual(refusal));
  });
});

describe.concurrent("the registry's answer counts", () => {
  const advisory = (severity: string) => ({
    undici: [
      { id: 1, url: "https://github.com/advisories/GHSA-new", title: "New", severity, vulnerable_versions: "<9.0.0" },
    ],
  });

  test.each([
    [
      "critical",
      {
        code: 1,
        said: expect.stringContaining("undici has the critical vulnerability https://github.com/advisories/GHSA-new"),
      },
    ],
    ["moderate", { code: 0, said: "the registry knows no severe advisory\n" }],
  ])("an advisory of severity %s", async (severity, expected) => {
    const answer = { status: 200, body: advisory(severity) };
    await withRegistry(answer, async (url) => {
      expect(await audit({ undici: { version: "8.0.0" } }, url)).toEqual(expected);
    });
  });
});
