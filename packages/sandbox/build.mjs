// Builds the package into dist/: the networks in ../../sandbox with the libraries that they use, the helpers, their types, and the
// licences of the libraries. `npm pack` runs it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { builtFilesOf, replaceFiles } from "../../bin/package-files.mjs";

const folder = import.meta.dirname;
const root = join(folder, "../..");

/**
 * Two of the libraries are CommonJS and call `require` for Node's own modules. The library for tokens uses the global
 * `crypto`, which Node 18 does not have.
 */
const BANNER = `import { createRequire as requireOf } from "node:module";
import { webcrypto as nodeCrypto } from "node:crypto";
const require = requireOf(import.meta.url);
globalThis.crypto ??= nodeCrypto;`;

const built = await build({
  absWorkingDir: folder,
  entryPoints: ["src/index.ts", "src/cli.ts"],
  outdir: "dist",
  bundle: true,
  platform: "node",
  target: "node18",
  format: "esm",
  external: ["sharp"],
  // The libraries that read files are chunks, which most runs never load.
  splitting: true,
  chunkNames: "chunks/[hash]",
  minify: true,
  // A stack trace names the functions of the networks.
  keepNames: true,
  legalComments: "none",
  banner: { js: BANNER },
  metafile: true,
  logLevel: "error",
  write: false,
});
const scripts = builtFilesOf(folder, built);
await replaceFiles(
  folder,
  {
    ...scripts,
    "dist/cli.js": `#!/usr/bin/env node\n${Buffer.from(scripts["dist/cli.js"])}`,
    ...Object.fromEntries(
      await Promise.all(["index", "client", "types"].map(async (name) => [`dist/${name}.d.ts`, await typesOf(name)])),
    ),
    "dist/THIRD-PARTY-LICENSES.txt": await licencesOf(Object.keys(built.metafile.inputs)),
    LICENSE: await readFile(join(root, "LICENSE")),
  },
  ["dist/cli.js"],
);

/** The types of these files refer to each other only, so each file is enough to write its own. */
async function typesOf(name) {
  const source = await readFile(join(folder, "src", `${name}.ts`), "utf8");
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: `${name}.ts`,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, isolatedDeclarations: true },
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  return outputText;
}

/** The licence of each bundled library, and where its source is, which the licence of one of them requires. */
async function licencesOf(inputs) {
  const packages = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const texts = [...packages].sort().map(async (path) => {
    const place = join(folder, path);
    const { name, version, license, repository } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    const file = (await readdir(place)).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? await readFile(join(place, file), "utf8") : "";
    return `${name} ${version} (${license}), ${repository?.url ?? repository}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
