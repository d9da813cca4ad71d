import { execFile } from "node:child_process";
import { access, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root, surroundings } from "../setup/service";

const exec = promisify(execFile);
const git = async (...args: string[]) => (await exec("git", args, { cwd: root })).stdout.trim();

/** A built checkout of another release. */
export type Release = { name: string; folder: string };

/**
 * Checks out and builds a release in `.cache/releases`, where later runs find it. By default, the release of the newest tag before
 * this commit, or `origin/main` while there is no tag.
 * @param name a tag, a branch or a commit
 * @throws Error if git does not know it, or if it cannot be built
 */
export async function previousRelease(name?: string): Promise<Release> {
  const wanted = name ?? (await git("describe", "--tags", "--abbrev=0", "HEAD^").catch(() => "origin/main"));
  const commit = await git("rev-parse", "--verify", `${wanted}^{commit}`).catch(() => {
    throw new Error(`git does not know the release ${wanted}; name another one with --from`);
  });
  const folder = join(root, ".cache/releases", commit);
  const isBuilt = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isBuilt) await build(commit, folder);
  return { name: `${wanted} (${commit.slice(0, 8)})`, folder };
}

async function build(commit: string, folder: string): Promise<void> {
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await exec("sh", ["-c", `git archive ${commit} | tar -x -C '${unfinished}'`], { cwd: root });
  // With the same packages, links to our files take seconds instead of a minute; otherwise `ensureInstalled` runs npm.
  const [ours, theirs] = await Promise.all([root, unfinished].map((one) => readFile(join(one, "package-lock.json"))));
  if (ours?.equals(theirs ?? Buffer.alloc(0))) await exec("cp", ["-al", join(root, "node_modules"), unfinished]);
  const script = `
    await (await import("./bin/install.mjs")).ensureInstalled({ dev: false });
    const { bundle, buildNext } = await import("./bin/build.mjs");
    await bundle();
    await buildNext();`;
  const args = ["--input-type=module", "--eval", script];
  await exec(process.execPath, args, { cwd: unfinished, env: surroundings, maxBuffer: 64 * 1_048_576 });
  await rename(unfinished, folder);
}
