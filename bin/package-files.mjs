import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Writes the files of a package's build and removes what an earlier build left in `dist/`. Each file is replaced in one step, so two
 * builds at once, and an `npm pack` during a build, find only whole files.
 * @param {string} folder the package
 * @param {{ [path: string]: string | Uint8Array }} files by their path in the package
 * @param {string[]} programs the paths of files that can be run
 */
export async function replaceFiles(folder, files, programs = []) {
  const paths = Object.keys(files);
  for (const [index, path] of paths.entries()) {
    const place = join(folder, path);
    const unfinished = join(folder, `.unfinished-${process.pid}-${index}`); // not in dist/, which is packed
    await mkdir(dirname(place), { recursive: true });
    await writeFile(unfinished, files[path]);
    if (programs.includes(path)) await chmod(unfinished, 0o755);
    await rename(unfinished, place);
  }
  for (const entry of await readdir(join(folder, "dist"), { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    const isWanted = paths.some((path) => join(folder, path) === place);
    if (entry.isFile() && !isWanted) await rm(place, { force: true });
  }
}

/**
 * The files of an esbuild build with `write: false`.
 * @param {string} folder the package
 * @param {import("esbuild").BuildResult<{ write: false }>} result
 * @returns {{ [path: string]: Uint8Array }} by their path in the package, with forward slashes
 */
export function builtFilesOf(folder, { outputFiles }) {
  const pathOf = (path) => path.slice(folder.length + 1).replaceAll("\\", "/");
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [pathOf(path), contents]));
}
