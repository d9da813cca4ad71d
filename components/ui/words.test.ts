import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { consoleWords } from "../console/words";
import { tableWords } from "../posts/table-words";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Texts and words that the pages, messages, mails and documents no longer use, each with what they use instead. */
const BEFORE: [RegExp, string][] = [
  [/find or do/i, "Search or jump to"],
  [/needs you\b(?!r)/i, "needs attention"],
  [/to be connected again|connect the account again, then/i, "needs reconnecting; Reconnect and publish"],
  [/in the way\b/i, "issues to fix"],
  [/stands? (above|below|here)|as it stands/i, "above, below, here"],
  [/write another text/i, "Customise for …"],
  [/^Own text$/i, "Customised"],
  [/common text/i, "shared text"],
  [/one text for every account you chose/i, "What do you want to say?"],
  [/free slot|posting slot|no queue has/i, "free time; posting times"],
  [/no times yet\. begin/i, "No posting times yet. Start with …"],
  [/give an account its times/i, "Set posting times"],
  [/\bmend\b/i, "fix"],
  [/cut it to fit/i, "Shorten it"],
  [/leave this account out/i, "Remove this account"],
  [/could not be looked up/i, "We couldn't find …"],
  [/kept in this browser only/i, "Saved on this device."],
  [/somebody else has saved this post/i, "… changed this post too."],
  [/discard it for good/i, "Delete draft"],
  [/what is being sent changes here/i, "nothing: the list updates by itself"],
  [/nothing written yet/i, "Nothing scheduled yet."],
  [/there are more than fit here/i, "Showing the first …"],
  [/that time is over/i, "That time has passed."],
  [/posts that say the same|two posts that are still to go out/i, "Duplicates"],
  [/no file is like that/i, "No files match"],
  [/or fetch it from a web address/i, "Add from a web address"],
  [/it is gone for good/i, "This can't be undone."],
  [/did not work; it will be tried/i, "Failed, trying again in …"],
  [/erases its permission to post/i, "can no longer post there"],
  [/never told us whether/i, "didn't confirm this post"],
  [/tick at least/i, "Choose at least one day"],
  [/^give the time/i, "Enter a time"],
  [/put back as it was/i, "Your change was undone."],
  [/look into your mail/i, "Check your inbox"],
  [/carillon writes to you about/i, "Notifications"],
  [/begin quiet hours/i, "Turn on quiet hours"],
  [/end-user/i, "customer"],
  [/you chose not to connect/i, "… was not connected."],
  [/no longer good/i, "has expired"],
  [/\be-mail/i, "email"],
  [/nobody knows/i, "unknown"],
];

function files(...patterns: string[]): string[] {
  const listed = execFileSync("git", ["ls-files", ...patterns], { cwd: root, encoding: "utf8" });
  return listed.split("\n").filter((path) => path && !/\.test\.tsx?$|\/testing\//.test(path));
}

/** The texts between quotes, without comments. */
function textsIn(path: string): string[] {
  const code = readFileSync(root + path, "utf8").replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template]) => plain ?? template ?? "",
  );
}

/**
 * Words of the API and its documents that the pages replace. Bluesky calls a content warning "Graphic media", and people
 * search for "media".
 */
const ON_PAGES: [RegExp, string][] = [
  [/(?<!graphic |upload files |@)\bmedia\b(?!\.)/i, "files; pictures and videos"],
  [/\bplanned\b/i, "scheduled"],
];

function found(texts: [path: string, text: string][], words = BEFORE): string[] {
  return texts.flatMap(([path, text]) =>
    words.flatMap(([before, after]) => (before.test(text) ? `${path}: “${text.trim()}” should say: ${after}` : [])),
  );
}

describe("no text uses a word that Carillon has given up", () => {
  test("on the pages", () => {
    const paths = files("components/**/*words.ts", "components/plain/**/*.ts");
    expect(paths.length).toBeGreaterThan(25);
    const texts = paths.flatMap((path) => textsIn(path).map((text): [string, string] => [path, text]));
    expect(found(texts, [...BEFORE, ...ON_PAGES])).toEqual([]);
  });

  test("in the messages of the API and in mails", () => {
    const paths = files("lib/**/*.ts");
    expect(paths.length).toBeGreaterThan(300);
    expect(found(paths.flatMap((path) => textsIn(path).map((text): [string, string] => [path, text])))).toEqual([]);
  });

  test("in the documents", () => {
    const paths = files("README.md", "CHANGELOG.md", "docs/*.md");
    expect(paths.length).toBeGreaterThan(10);
    const lines = paths.flatMap((path) =>
      readFileSync(root + path, "utf8")
        .split("\n")
        .map((line): [string, string] => [path, line]),
    );
    expect(found(lines)).toEqual([]);
  });
});

test.each([
  [tableWords.found("1"), "1 post"],
  [tableWords.selectAll(1), "Select the post shown"],
  [tableWords.moveMany.title(1), "Move 1 post"],
  [tableWords.publishedTo(0, 1), "0 of 1 account"],
  [consoleWords.pages.accountsUnwell(3, 1), "3, 1 needs reconnecting"],
])("one thing is named in the singular: %s", (text, singular) => {
  expect(text).toBe(singular);
});
