// Compares two OpenAPI documents: node packages/openapi/changes.mjs before.json after.json
// Without files, it compares the product's document with that of the last release, as bin/lint-openapi.mjs does for `npm run check`.
// It prints what was added, changed and broken, and fails if a program that was written against the first document can break with
// the second. TypeScript decides: each new answer must fit the old type, and each old request must fit the new type. The status is
// part of an answer, so another status breaks programs. An error that is gone or has another body breaks them as well, because a
// program may handle it. A new error does not.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { productDocument, typesOf } from "./build.mjs";

const HELPERS = `
import type { Schemas as Before } from "./before";
import type { Schemas as After } from "./after";
type Of<O, K extends string> = O extends { [P in K]?: infer T } ? T : {};
type Keys<T> = T extends unknown ? keyof T : never;
/** With every optional field as a required one. */
type Whole<T> = T extends (infer I)[] ? Whole<I>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
`;

/**
 * Returns the differences between two OpenAPI documents, one sentence each: calls and events that were added, those that changed
 * without breaking a program, and what breaks a program.
 * @param {import("../../lib/api/openapi/types").OpenApi} before
 * @param {import("../../lib/api/openapi/types").OpenApi} after
 * @returns {Promise<{ added: string[], changed: string[], broken: string[] }>}
 */
export async function changesOf(before, after) {
  const [was, is] = [placesIn(before), placesIn(after)];
  const checks = [...was].filter(([name]) => is.has(name)).flatMap(([name, place]) => checksOf(name, place));
  const source = HELPERS + checks.map(({ code }) => code).join("\n");
  const firstLine = HELPERS.split("\n").length - 1;
  const problems = diagnose({
    "before.ts": await typesOf(before, true),
    "after.ts": await typesOf(after, true),
    "checks.ts": source,
  });
  const failed = problems.map(({ line, message }) => ({ ...checks[line - firstLine], message }));
  const broken = failed.filter(({ isBreaking }) => isBreaking).map(({ what, message }) => `${what}: ${message}`);
  const extended = new Set(failed.filter(({ isBreaking }) => !isBreaking).map(({ what }) => what));
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    changed: [...extended].filter((what) => !failed.some((one) => one.isBreaking && one.what === what)),
    broken: [...[...was.keys()].filter((name) => !is.has(name)).map((name) => `${name} was removed`), ...broken],
  };
}

/** Returns the types of all calls and events by name, as paths below `Schemas`. */
function placesIn({ paths, webhooks }) {
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [`${method.toUpperCase()} ${path}`, [path, method]]),
    );
  const events = Object.keys(webhooks).map((type) => [`the event ${type}`, [type]]);
  return new Map([
    ...calls.map(([name, [path, method]]) => [name, `["Calls"]["${path}"]["${method}"]`]),
    ...events.map(([name, [type]]) => [name, `["Events"]["${type}"]`]),
  ]);
}

/** Returns one line of code for each rule; a line with a type error breaks the rule. */
function checksOf(name, place) {
  const [old, now] = [`Before${place}`, `After${place}`];
  if (name.startsWith("the event")) return [...answerChecks(name, old, now), extensionCheck(name, old, now)];
  return ["result", "errors", "body", "query"].flatMap((key) => {
    const types = [old, now].map((type) => `Of<${type}, "${key}">`);
    const what = `the ${key === "result" ? "answer" : key} of ${name}`;
    const isAnswer = key === "result" || key === "errors";
    return [...(isAnswer ? answerChecks : requestChecks)(what, ...types), extensionCheck(what, ...types)];
  });
}

function answerChecks(what, old, now) {
  return [
    { what, isBreaking: true, code: fits(now, old) },
    { what, isBreaking: false, code: fits(old, now) },
  ];
}

function requestChecks(what, old, now) {
  return [
    { what, isBreaking: true, code: fits(old, now) },
    { what, isBreaking: false, code: fits(now, old) },
    // The API refuses fields that it does not know.
    { what, isBreaking: true, code: fits(`Exclude<Keys<${old}>, Keys<${now}>>`, "never") },
  ];
}

/** Finds new optional fields, which the other checks do not see: an old value fits a type with one more optional field. */
function extensionCheck(what, old, now) {
  return { what, isBreaking: false, code: fits(`Whole<${old}>`, `Whole<${now}>`) };
}

/** Code that has a type error if a value of the type `from` does not fit the type `to`. */
const fits = (from, to) => `{ const value: ${to} = null! as ${from}; }`;

/** Type-checks sources in memory and returns the errors of checks.ts. */
function diagnose(sources) {
  const options = {
    strict: true,
    noEmit: true,
    lib: ["lib.es5.d.ts"],
    types: [],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  const textOf = (file) => sources[file.split("/").at(-1)];
  host.fileExists = (file) => textOf(file) !== undefined || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = textOf(file);
    return text === undefined ? getSourceFile(file, ...rest) : ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram(["checks.ts"], { ...options, module: ts.ModuleKind.ESNext }, host);
  return program.getSemanticDiagnostics(program.getSourceFile("checks.ts")).map(({ file, start, messageText }) => ({
    line: file.getLineAndCharacterOfPosition(start).line,
    message: ts.flattenDiagnosticMessageText(messageText, " › ").replace(/\s+/g, " "),
  }));
}

/**
 * Prints the differences between two documents.
 * @param {import("../../lib/api/openapi/types").OpenApi} after
 * @param {string} before the file with the first document; by default, that of the last release
 * @returns {Promise<boolean>} false if a program can break
 */
export async function reportChanges(after, before = join(import.meta.dirname, "released.json")) {
  const { added, changed, broken } = await changesOf(await read(before), after);
  for (const [title, lines] of Object.entries({ added, changed, broken })) {
    console.log(`${title} (${lines.length})`);
    for (const line of lines) console.log(`  ${line}`);
  }
  return broken.length === 0;
}

async function read(file) {
  return JSON.parse(await readFile(file, "utf8"));
}

if (process.argv[1] === import.meta.filename) {
  const [before, after] = process.argv.slice(2);
  process.exit((await reportChanges(await (after ? read(after) : productDocument()), before)) ? 0 : 1);
}
