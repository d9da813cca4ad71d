import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { main } from "../../cli";
import { flushRequestLog } from "../../lib/api/request-log";
import { openCluster } from "../../lib/db/cluster";
import { queryRows, queryValue } from "../../lib/db/testing/clusters";
import { env } from "../../lib/env";
import { storeIdProblem } from "../../lib/installation";
import { objectReferences } from "../../lib/media";
import { flushGrantUses } from "../../lib/oauth/grants";
import { flushPartnerCalls } from "../../lib/partners/usage";
import { assertObjectName, store } from "../../lib/storage";
import { as, connectAccount, jpeg, newOwner, readResponse, upload } from "../../lib/testing";
import { fillDisk, withSmallDisk } from "../../lib/testing/small-disk";

const small = withSmallDisk();
let folder: string;
let backup: string;
let owner: string;
let file: { path: string; bytes: Buffer };
/** An object that the store has lost. */
let lost: string;
let created: { takenAt: string; rows: number; objects: number; lost: number; keys: string[] };
let tables: { [table: string]: string };

/** The rows of every table as one value, which differs if any value of any row does. A backup leaves out unlogged tables. */
async function tablesOf(url: string): Promise<{ [table: string]: string }> {
  const names = await queryRows(
    url,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'graphile_worker') and table_type = 'BASE TABLE'
       and (table_schema, table_name) <> ('graphile_worker', 'migrations')
       and not exists (select from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass and relpersistence = 'u')
     order by 1`,
  );
  const found: { [table: string]: string } = {};
  for (const { name } of names) {
    const rows = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from ${name} t`;
    found[String(name)] = String(await queryValue(url, `set timezone = 'UTC'; ${rows}`));
  }
  return found;
}

/** The files that rows name and the store does not have: that of `lost`, and those of tests that create only rows. */
async function missingFiles(): Promise<string[]> {
  const sizes = new Map<string, number>();
  for (const area of ["objects", "thumbnails"] as const)
    for await (const { name, sizeBytes } of store.list(area)) sizes.set(name, sizeBytes);
  const isMissing = ({ name, size_bytes: size }: { [column: string]: unknown }) => {
    const found = sizes.get(String(name));
    return found === undefined || (size !== null && found !== Number(size));
  };
  return (await queryRows(env.databaseUrl ?? "", objectReferences.query))
    .filter(isMissing)
    .map(({ name }) => `${name}`);
}

let errors: string[];
let out: string[];
beforeEach(() => {
  [out, errors] = [[], []];
  vi.spyOn(console, "log").mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, "error").mockImplementation((text) => void errors.push(String(text)));
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

async function run(...argv: string[]) {
  [out, errors, process.exitCode] = [[], [], undefined];
  await main(argv);
  return { code: process.exitCode ?? 0, out: out.join("\n"), errors: errors.join("\n") };
}

/** Data of many kinds: an account with sealed tokens, a file with a thumbnail, a scheduled post, a webhook, an audit line, a job. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-backup-"));
  backup = join(folder, "backups", "one");
  owner = await newOwner("Ada\tB\\n\nÅ");
  const { id } = await connectAccount(owner, "X_TWITTER");
  const bytes = await jpeg();
  const [status, body] = await readResponse(upload(as(owner), bytes));
  expect(status).toBe(200);
  file = { path: (body as { path: string }).path, bytes };
  const on = {
    socialMediaAccountId: id,
    platformSettings: { type: "X_TWITTER" },
    posts: [{ content: "a\\b\tc\n\\.\n🙂", attachmentPaths: [file.path] }],
  };
  const post = { scheduledTime: "2031-01-01T00:00:00Z", publications: [on] };
  expect((await as(owner).post("/v1/posts", post)).status).toBe(201);
  await readResponse(
    as(owner).post("/v1/webhooks", { url: "https://example.com/hook", events: ["publication.published"] }),
  );
  const [, other] = await readResponse(upload(as(owner), await jpeg()));
  const [row] = await queryRows(
    env.databaseUrl ?? "",
    `select id from media where key = '${(other as { path: string }).path}'`,
  );
  lost = `objects/${row?.id}`;
  assertObjectName(lost);
  await store.remove(lost);
  for (const flush of [flushRequestLog, flushGrantUses, flushPartnerCalls]) await flush();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("backup create", () => {
  test("writes the rows and the files of a running service, readable by their owner only, without any key, and names lost files", async () => {
    const missing = await missingFiles();
    expect(missing).toContain(lost);
    const made = await run("backup", "create", "--to", backup);
    const reports = missing.map((name) => `${name} is missing or damaged`);
    expect([made.code, made.errors]).toEqual([0, reports.join("\n")]);
    created = JSON.parse(made.out);
    expect(created.lost).toBe(missing.length);
    tables = await tablesOf(env.databaseUrl ?? "");
    expect(created).toMatchObject({ folder: backup, keys: [expect.stringMatching(/^[0-9a-f]{8}$/)] });
    expect(await readdir(join(folder, "backups"))).toEqual(["one"]);
    for (const name of await readdir(backup, { recursive: true })) {
      const found = await stat(join(backup, name));
      expect([name, found.mode & 0o777]).toEqual([name, found.isDirectory() ? 0o700 : 0o600]);
    }
    const manifest = await readFile(join(backup, "manifest.json"), "utf8");
    const last = `select last_backup_at = '${created.takenAt}' from installation`;
    expect(await queryValue(env.databaseUrl ?? "", last)).toBe(true);
    for (const key of env.secretsKey ?? []) expect(manifest).not.toContain(key);
  });

  test("never overwrites an earlier backup", async () => {
    const second = await run("backup", "create", "--to", backup);
    expect([second.code, second.errors]).toEqual([1, `${backup} is not empty: give each backup a folder of its own`]);
  });
});

test("backup create names a path in which the system creates no folders", async () => {
  const path = "/proc/none/backup";
  const { code, errors } = await run("backup", "create", "--to", path);
  expect([code, errors]).toEqual([1, expect.stringContaining(`The backup cannot be written to ${path}: ENOENT`)]);
});

test("backup create names a path that cannot be a folder before it writes anything", async () => {
  const path = join(folder, "a-file");
  await writeFile(path, "");
  const { code, errors } = await run("backup", "create", "--to", path);
  expect([code, errors]).toEqual([1, expect.stringContaining(`${path} cannot be the folder of the backup: ENOTDIR`)]);
  expect(await readdir(folder)).not.toContainEqual(expect.stringContaining("unfinished"));
});

test.skipIf(!small)("backup create on a full disk says so, and leaves nothing there", async () => {
  const disk = small ?? "";
  await fillDisk(join(disk, "full"));
  const to = join(disk, "backup");
  const { code, out, errors } = await run("backup", "create", "--to", to);
  expect([code, out, errors]).toEqual([1, "", expect.stringMatching(`^The backup cannot be written to ${to}: ENOSPC`)]);
  expect(await readdir(disk)).toEqual(["full"]);
});

test("on another store, every file would be missing: backup create and objects check refuse to work there", async () => {
  expect(await storeIdProblem()).toBeUndefined(); // from now on, the installation names its store
  const { dataDir } = env;
  Object.assign(env, { dataDir: join(folder, "elsewhere") });
  try {
    for (const argv of [
      ["backup", "create", "--to", join(folder, "backups", "of-another-store")],
      ["objects", "check", "--repair"],
    ]) {
      const { code, errors } = await run(...argv);
      expect([code, errors]).toEqual([
        1,
        expect.stringContaining("the files of this installation are in another store"),
      ]);
    }
  } finally {
    Object.assign(env, { dataDir });
  }
});

describe("backup verify", () => {
  /** Changes a copy of the backup, and returns what verify then says. */
  async function damaged(change: (copy: string) => Promise<unknown>): Promise<string> {
    const copy = join(folder, `copy-${randomBytes(4).toString("hex")}`);
    await cp(backup, copy, { recursive: true });
    await change(copy);
    const { code, out, errors } = await run("backup", "verify", copy);
    expect([code, out]).toEqual([1, ""]);
    return errors;
  }

  /** The path of the uploaded picture in the backup. */
  async function pictureIn(copy: string): Promise<string> {
    const [medium] = await queryRows(env.databaseUrl ?? "", `select id from media where key = '${file.path}'`);
    const id = String(medium?.id);
    return join(copy, "objects", "objects", id.slice(0, 2), id);
  }

  async function editManifest(copy: string, edit: (manifest: { tables: { name: string; rows: number }[] }) => void) {
    const path = join(copy, "manifest.json");
    const manifest = JSON.parse(await readFile(path, "utf8"));
    edit(manifest);
    await writeFile(path, JSON.stringify(manifest));
  }

  test("reads a complete backup to its end", async () => {
    const { code, out } = await run("backup", "verify", backup);
    const { takenAt, rows, objects, lost } = created;
    expect([code, JSON.parse(out)]).toEqual([0, { takenAt, rows, objects, lost }]);
  });

  test("names what is wrong with a damaged one", async () => {
    const users = "tables/public.users.gz";
    const changed = async (copy: string) => {
      const bytes = await readFile(join(copy, users));
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(join(copy, users), bytes);
    };
    expect(await damaged(changed)).toContain(`${users} `);
    expect(await damaged((copy) => rm(join(copy, users)))).toContain(`${users} cannot be read`);
    expect(await damaged((copy) => rm(join(copy, "manifest.json")))).toContain("manifest.json is missing");
    expect(await damaged((copy) => writeFile(join(copy, "manifest.json"), "{"))).toContain("is damaged");
    const one = (manifest: { tables: { name: string; rows: number }[] }) => {
      for (const table of manifest.tables.filter(({ name }) => name === "public.users")) table.rows += 1;
    };
    expect(await damaged((copy) => editManifest(copy, one))).toMatch(/users\.gz has \d+ rows instead of \d+/);
    expect(await damaged(async (copy) => rm(await pictureIn(copy)))).toMatch(/^objects\/objects\/.* is missing$/);
    const other = Buffer.from(file.bytes);
    other[other.length - 1] = 0;
    expect(await damaged(async (copy) => writeFile(await pictureIn(copy), other))).toContain("its digest is wrong");
    expect(await damaged(async (copy) => writeFile(await pictureIn(copy), "x"))).toContain("has 1 bytes instead of");
  });
});

describe("restore", () => {
  const here = { NODE_ENV: "production" } as const;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "carillon-restored-"));
  });
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs a command of an installation in another folder, with its own embedded database. @throws Error with its message */
  async function elsewhere(settings: object, ...argv: string[]): Promise<unknown> {
    const { DATABASE_URL: _, ...others } = process.env;
    const environment = { ...others, ...here, DATA_DIR: dataDir, ...settings };
    const args = ["bin/carillon.mjs", ...argv];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
    return JSON.parse(stdout);
  }

  test("refuses while a process uses the database", async () => {
    const { code, errors } = await run("restore", backup);
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^Processes of Carillon use the database: carillon-service/),
    ]);
  });

  test("refuses without the keys of the backup, and names them", async () => {
    const copy = join(folder, "other-keys");
    await cp(backup, copy, { recursive: true });
    const path = join(copy, "manifest.json");
    await writeFile(path, (await readFile(path, "utf8")).replace(`"${created.keys[0]}"`, '"0123abcd"'));
    const { code, errors } = await run("restore", copy);
    const says = `The backup needs the key 0123abcd, but SECRETS_KEY is ${created.keys[0]}`;
    expect([code, errors]).toEqual([1, expect.stringContaining(says)]);
  });

  /** The same backup, as if publishing had been held while it was made. */
  async function madeWhileHeld(): Promise<string> {
    const copy = join(folder, "made-while-held");
    await cp(backup, copy, { recursive: true });
    const manifest = JSON.parse(await readFile(join(copy, "manifest.json"), "utf8"));
    const table = manifest.tables.find(({ name }: { name: string }) => name === "public.installation");
    const values = gunzipSync(await readFile(join(copy, table.file)))
      .toString()
      .trimEnd()
      .split("\t");
    const hold = { held_at: hoursBefore(2), held_reason: "an earlier restore", held_since_point: hoursBefore(3) };
    for (const [column, value] of Object.entries(hold)) values[table.columns.indexOf(column)] = value;
    const bytes = gzipSync(`${values.join("\t")}\n`);
    await writeFile(join(copy, table.file), bytes);
    Object.assign(table, { sizeBytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
    await writeFile(join(copy, "manifest.json"), JSON.stringify(manifest));
    return copy;
  }
  const hoursBefore = (hours: number) => new Date(Date.parse(created.takenAt) - hours * 3_600_000).toISOString();

  test("refuses without the keys of the backup in an empty place, too, and stores no others there", async () => {
    const wrong = { SECRETS_KEY: randomBytes(32).toString("base64") };
    await expect(elsewhere(wrong, "restore", backup)).rejects.toThrow(`The backup needs the key ${created.keys[0]}`);
  });

  test("into the same place with the keys: every row of every table is the same, and publishing is held", async () => {
    const { takenAt, rows, objects } = created;
    const from = await madeWhileHeld();
    expect(await elsewhere({}, "restore", from)).toEqual({ takenAt, rows, objects, publishing: "held" });

    const cluster = await openCluster({ dataDir, purpose: "command" });
    try {
      const { "public.installation": _, ...restored } = await tablesOf(cluster.url);
      const { "public.installation": __, ...original } = tables;
      expect(restored).toEqual(original);
      // The hold of the backup had ended. Posts whose time came after it may have been sent, so they must be looked up.
      const held = `select held_since_point = '${hoursBefore(3)}' and held_at > '${takenAt}' from installation`;
      expect(await queryValue(cluster.url, held)).toBe(true);
      const storeId = String(await queryValue(cluster.url, "select store_id from installation"));
      expect(await readdir(join(dataDir, "objects", "stores"))).toEqual([storeId]);
      const next = "select nextval('schedules_id_seq') > max(id) from schedules";
      expect(await queryValue(cluster.url, next)).toBe(true);
      const keys = "select count(*)::int from pg_constraint where contype = 'f' and convalidated";
      expect(await queryValue(cluster.url, keys)).toBe(await queryValue(env.databaseUrl ?? "", keys));
      const disabled = "select count(*)::int from pg_trigger where tgenabled <> 'O'";
      expect(await queryValue(cluster.url, disabled)).toBe(0);
    } finally {
      await cluster.release();
    }
    const [medium] = await queryRows(env.databaseUrl ?? "", `select id from media where key = '${file.path}'`);
    const id = String(medium?.id);
    expect(await readFile(join(dataDir, "objects", id.slice(0, 2), id))).toEqual(file.bytes);
    expect(await readdir(join(dataDir, "objects", "staged"))).toEqual([]);
  });

  test("refuses to restore a second time into the same place", async () => {
    await expect(elsewhere({}, "restore", backup)).rejects.toThrow("The database is not empty");
  });
});
