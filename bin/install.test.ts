import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

type Install = { pathsOfProduct(packages: object): Set<string> };
const { pathsOfProduct }: Install = await import(pathToFileURL("bin/install.mjs").href); // TypeScript finds no types for a literal path

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;

test("npm start needs no package that only a workspace needs", () => {
  const product = pathsOfProduct(lock);
  expect(product).toContain("node_modules/next");
  expect(product).not.toContain("node_modules/openapi-fetch");
  expect([...product].filter((path) => lock[path].dev)).toEqual([]);
});

test("npm --omit=dev leaves out all packages for development", () => {
  // npm installs a "devOptional" package: one that a package of the product may use if it is there.
  expect(Object.keys(lock).filter((path) => lock[path].devOptional)).toEqual([]);
});

test("a package is looked for next to its user, then further up", () => {
  const packages = {
    "": { dependencies: { a: "1" } },
    "node_modules/a": { dependencies: { b: "2", c: "1" }, optionalDependencies: { absent: "1" } },
    "node_modules/a/node_modules/b": { dependencies: { c: "1" } },
    "node_modules/b": {},
    "node_modules/c": {},
  };
  expect([...pathsOfProduct(packages)].sort()).toEqual([
    "node_modules/a",
    "node_modules/a/node_modules/b",
    "node_modules/c",
  ]);
});
