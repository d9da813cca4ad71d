import { randomBytes } from "node:crypto";
import { chmod, chown, link, mkdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Binaries, findBinaries } from "./binaries";
import { run, type SystemUser } from "./run";

/** The folder and log of the cluster of a DATA_DIR, the programs, and the user that runs them. */
export type ClusterLocation = { dir: string; log: string; user: SystemUser | undefined; binaries: Binaries };

const ELSEWHERE = "/var/lib/carillon";
const NOTE = "postgres-place"; // a file in DATA_DIR
const PASSWORD = "postgres-password";

/**
 * Creates DATA_DIR if needed and returns the location of its cluster. That is DATA_DIR itself, unless Carillon runs as root and
 * the user that must run PostgreSQL cannot access DATA_DIR. Then it is below /var/lib/carillon, as noted in a file in DATA_DIR.
 */
export async function prepareLocation(folder: string): Promise<ClusterLocation> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(folder);
  if (process.getuid?.() !== 0) {
    await assertOwnFolder(join(dataDir, "postgres"));
    return locationAt(dataDir, undefined, await findBinaries(undefined, dataDir));
  }

  const noted = await notedRoot(dataDir);
  if (noted && !(await exists(noted))) {
    throw new Error(
      `The database of ${dataDir} should be in ${noted} according to ${join(dataDir, NOTE)}, but that folder does not exist`,
    );
  }
  const user = (await ownerOf(join(noted ?? dataDir, "postgres"))) ?? (await unprivilegedUser());
  const root = noted ?? (await reachableRoot(dataDir, user));
  return locationAt(root, user, await findBinaries(user, ELSEWHERE));
}

/** Returns the folder of the existing cluster of a DATA_DIR. Creates nothing. */
export async function existingDir(folder: string): Promise<string | undefined> {
  const dataDir = resolve(folder);
  return realpath(join((await notedRoot(dataDir)) ?? dataDir, "postgres")).catch(() => undefined);
}

/** Returns the database password. It is generated on first use and readable by the owner of DATA_DIR only. */
export async function password(dataDir: string): Promise<string> {
  return createOnce(join(dataDir, PASSWORD), randomBytes(32).toString("base64url"));
}

/** Returns the password of an existing cluster. Creates nothing. */
export async function existingPassword(dataDir: string): Promise<string | undefined> {
  return readFile(join(dataDir, PASSWORD), "utf8").catch(() => undefined);
}

function locationAt(root: string, user: SystemUser | undefined, binaries: Binaries): ClusterLocation {
  return { dir: join(root, "postgres"), log: join(root, "postgres.log"), user, binaries };
}

async function notedRoot(dataDir: string): Promise<string | undefined> {
  const note = await readFile(join(dataDir, NOTE), "utf8").catch(() => undefined);
  return note?.trim();
}

async function reachableRoot(dataDir: string, user: SystemUser): Promise<string> {
  await allowTraversal(dataDir, user);
  if (await canReach(dataDir, user)) return dataDir;
  if (await exists(join(dataDir, "postgres"))) {
    throw new Error(
      `The database in ${dataDir} cannot be reached by the user it runs as (uid ${user.uid}), because a parent folder does not allow access. Allow it (chmod o+x) or move DATA_DIR`,
    );
  }
  // A random name instead of one derived from DATA_DIR's path, so that a deleted and recreated DATA_DIR starts empty.
  const elsewhere = join(ELSEWHERE, randomBytes(6).toString("hex"));
  const root = (await createOnce(join(dataDir, NOTE), `${elsewhere}\n`)).trim();
  await mkdir(root, { recursive: true });
  await chown(root, 0, user.gid);
  await chmod(root, 0o710);
  return root;
}

/** Lets PostgreSQL's group pass through a DATA_DIR that only root can access, without reading it. */
async function allowTraversal(dataDir: string, { gid }: SystemUser): Promise<void> {
  const { mode, uid } = await stat(dataDir);
  if (uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(dataDir, 0, gid);
  await chmod(dataDir, 0o710);
}

async function canReach(dir: string, user: SystemUser): Promise<boolean> {
  return (await run("/bin/sh", ["-c", 'cd "$1"', "sh", dir], { user })).code === 0;
}

async function unprivilegedUser(): Promise<SystemUser> {
  const known = (await userNamed("postgres")) ?? (await userNamed("_postgres")) ?? (await userNamed("carillon"));
  if (known) return known;
  await run("useradd", ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "carillon"]);
  const other = (await userNamed("carillon")) ?? (await userNamed("nobody"));
  if (other) return other;
  throw new Error("PostgreSQL cannot run as root, and there is no other user. Start Carillon as an ordinary user");
}

async function userNamed(name: string): Promise<SystemUser | undefined> {
  const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
  return uid.code === 0 && gid.code === 0 ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined;
}

async function ownerOf(path: string): Promise<SystemUser | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

async function assertOwnFolder(dir: string): Promise<void> {
  const found = await stat(dir).catch(() => undefined);
  if (found && process.getuid && found.uid !== process.getuid()) {
    throw new Error(
      `The database in ${dir} belongs to another user (uid ${found.uid}). Start Carillon as that user or as root`,
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Creates a file atomically. If several processes do so at once, one succeeds, and all return its content. */
async function createOnce(path: string, content: string): Promise<string> {
  const unfinished = join(dirname(path), `.${randomBytes(6).toString("hex")}`);
  const present = await readFile(path, "utf8").catch(() => undefined);
  if (present !== undefined) return present;
  await writeFile(unfinished, content, { mode: 0o600, flush: true });
  await link(unfinished, path).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(unfinished);
  return readFile(path, "utf8");
}
