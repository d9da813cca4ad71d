import { readFile } from "node:fs/promises";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";

/** How programs that load CommonJS find a package. Our packages have only ES modules. */
const COMMON_JS = ["node10", "node16-cjs"];

/**
 * Returns the mistakes that publint and Are The Types Wrong find in a package.
 * @param installed the folder with the unpacked files
 * @param tarball the file that npm publishes
 */
export async function mistakesIn({ installed, tarball }: { installed: string; tarball: string }): Promise<object[]> {
  const { messages } = await publint({ pkgDir: installed, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  if (!analysis.types) throw new Error(`${analysis.packageName} has no types`);
  const isOurs = (problem: object) =>
    !("resolutionKind" in problem && COMMON_JS.includes(String(problem.resolutionKind)));
  return [...messages, ...analysis.problems.filter(isOurs)];
}
