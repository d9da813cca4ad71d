import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The rules that the template strings in the code produce. */
const PLACES: { [place: string]: string[] } = {
  "text.${what}": ["text.hashtags", "text.mentions", "text.cashtags", "text.links"],
  "${what}.side": ["image.side", "video.side"],
  "${what}.shorter_side": ["image.shorter_side", "video.shorter_side"],
  "${of}.codec": ["video.codec", "audio.codec"],
};

/** Every rule in the code. */
function rulesOfCode(): string[] {
  const all = readdirSync(join(root, "lib"), { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => /(?<!\.test)\.ts$/.test(file) && !/(^|\/)testing\//.test(file));
  const named = files.flatMap((file) =>
    [...read(join("lib", file)).matchAll(/\brule: (?:"([a-z_.]+)"|`([^`]+)`)/g)].map(
      ([, text, template]) => text ?? template ?? "",
    ),
  );
  return [...new Set(named.flatMap((rule) => PLACES[rule] ?? rule))].sort();
}

test("docs/rules.md lists every rule, and no other", () => {
  const listed = [...read("docs/rules.md").matchAll(/^\| (`[^|]+?) *\|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ""),
  );
  expect(listed.sort()).toEqual(rulesOfCode());
});
