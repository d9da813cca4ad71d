// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the examples are source
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { strayWords } from "./testing/stray";

/** What looks like words, and is none: the file, a colon, the text (with `{}` where something is put in), and why. */
const EXCEPTIONS: { [fileAndText: string]: string } = {
  "app/authorize/route.ts: The person said no": "told to an application (RFC 6749, error_description)",
  "app/authorize/route.ts: Consent is asked for every time": "told to an application",
  "app/authorize/route.ts: Nobody is signed in": "told to an application",
  "app/(dashboard)/accounts/attempts/[ticket]/route.ts: Unauthorized": "told to a program",
  "app/(dashboard)/accounts/attempts/[ticket]/route.ts: not opened": "told to a program",
  "app/oauth/connect/start/route.ts: wrong browser": "a value of lib/connect",
  "app/oauth/connect/start/route.ts: The page before this connect was shown to another browser":
    "kept in a trace as those of lib/connect are",
  "components/connect/cookies.ts: ; Secure": "a flag of a cookie",
  "components/connect/window/channel.ts: carillon connect": "the name of a channel",
  "components/connect/window/progress.ts: not opened": "a value of lib/connect",
  "components/connect/window/use-connect-window.ts: carillon {}": "the name of a window",
  "components/connect/wish.ts: platform must be one of {}": "told to a program: our own form sends a right one",
  "components/session/wrong-address.ts: Host": "the name of a header",
  "components/compose/queries.ts: Somebody else saved it meanwhile.":
    "an error that a window answers to, and nobody reads",
  "components/compose/send-file.ts: Cancelled": "an error that nobody reads: who cancelled knows",
  "components/networks/badge.tsx: Bs": "part of a network's badge",
  "components/networks/badge.tsx: Tg": "part of a network's badge",
  "components/networks/badge.tsx: Pi": "part of a network's badge",
  "components/networks/badge.tsx: Th": "part of a network's badge",
  "components/networks/formats.ts: carousel": "a value of lib/networks",
  "components/networks/formats.ts: text": "a value of lib/networks",
  "components/posts/use-undo.ts: undo {}": "a toast's id",
  "components/time/zone.ts: twice": "a value of ours",
  "components/console/preview.ts: Instagram": "a network's name, as an example",
  "components/docs/curl.ts: curl {}{}": "a command",
  'components/docs/curl.ts: -H "Authorization: Bearer $TOKEN"': "a command",
  "components/developers/answers.ts: Authorization: Bearer …": "a header",
  "components/developers/send.ts: path {}": "the name of a field",
  "components/developers/send.ts: query {}": "the name of a field",
  "components/developers/try-call.tsx: file {}": "the name of a field",
};

const strayIn = (source: string) => strayWords(source, "example.tsx").map(({ text }) => text);

describe("a word is", () => {
  test.each([
    ["a text between tags", "<p>Nothing yet.</p>", "Nothing yet."],
    ["a word in lower case between tags", "<p>{count} free</p>", "free"],
    ["a text over two lines", "<p>\n  One\n  more\n</p>", "One more"],
    ["a text in braces", '<p>{"done"}</p>', "done"],
    ["a choice between tags", '<p>{isOn ? "on" : null}</p>', "on"],
    ["what may stand between tags", '<p>{isOn && " (on)"}</p>', "(on)"],
    ["a key to press", "<kbd>Enter</kbd>", "Enter"],
    ["a unit", "<p>{size} MB</p>", "MB"],
    ["a label for readers of the screen", '<nav aria-label="main" />', "main"],
    ["a title", "<a title={`Open ${name}`} />", "Open {}"],
    ["a placeholder", '<input placeholder="name" />', "name"],
    ["the text of a picture", '<img alt="a bell" />', "a bell"],
    ["any other attribute that reads like words", '<Confirm action="Remove" />', "Remove"],
    ["a list in an attribute", '<Table head={["State"]} />', "State"],
    ["the names of facts", "<Facts facts={{ Since: made }} />", "Since"],
    ["the title of a document", 'export const metadata = { title: "posts" };', "posts"],
    ["a sentence", 'const lead = "What happened lately";', "What happened lately"],
    ["words in lower case", 'const when = time ?? "no time yet";', "no time yet"],
    ["a word with a capital", 'const label = "Calendar";', "Calendar"],
    ["an abbreviation beside a word", 'const label = "API reference";', "API reference"],
    ["a word beside a gap", "const line = `ends ${day}`;", "ends {}"],
    ["a word beside a number", 'const found = "1 result";', "1 result"],
    ["a plural", 'const noun = count === 1 ? "post" : posts;', "post"],
    ["a list", 'const views = ["Month"];', "Month"],
    ["a table", 'const states = { OPEN: "Under way" };', "Under way"],
    ["a name with a space in a table", 'const facts = { "Being deleted": since };', "Being deleted"],
    ["a value by default", 'function f({ name = "Somebody" }) {}', "Somebody"],
    ["what a function answers", 'const f = () => "It is gone.";', "It is gone."],
    ["what joins a list", 'const all = names.join(" or ");', "or"],
    ["what is handed to words", 'words.removed(isAll ? "all" : one);', "all"],
    ["what is announced", 'announce("Brought back.");', "Brought back."],
    ["what a form is refused with", 'throw new BadRequest("The logo is too large");', "The logo is too large"],
    ["a text in markup", "html`<p>Hello <b>${name}</b></p>`", "Hello"],
    ["a label in markup", 'html`<nav aria-label="contents"></nav>`', "contents"],
    ["what is put into markup", 'html`<p>${a}${isLast && " or "}</p>`', "or"],
    ["markup within markup", "html`<p>${isNew && html`<b>new</b>`}</p>`", "new"],
  ])("%s", (_, source, word) => expect(strayIn(source)).toEqual([word]));
});

describe("no word is", () => {
  test.each([
    ["a module's name", 'import { Card } from "Ui card";'],
    ["a module that is read later", 'const load = () => import("./toast-region");'],
    ["a directive", '"use client";'],
    ["a type", 'type State = "not opened" | "Open"; const is = value as "Open";'],
    ["a class", '<p className="flex hidden Such as" data-state="Is open" />'],
    ["a list of classes", 'const look = "flex min-h-11 items-center hover:bg-sunk";'],
    ["a list of classes with gaps", "const look = `rounded-xl border ${tone} ${more}`;"],
    ["a choice of classes", 'buttonClass("quiet", isOn ? "Any thing" : "")'],
    ["an id", '<h2 id="New one" aria-describedby="a hint" />'],
    ["an address", '<a href="/posts/New one" rel="noopener noreferrer" />'],
    ["an address in a hint", '<input placeholder="https://example.com/a" />'],
    ["a value", '<Button look="quiet" type="submit" name="decision" />'],
    ["a key of React", '<li key={"Some one"} />'],
    ["a comparison", 'if (event.key === "Escape" || state !== "not opened") go();'],
    ["a search", 'const is = ["Enter", "Escape"].includes(key) || text.startsWith("Dear all");'],
    ["a case", 'switch (key) { case "Escape": close(); }'],
    ["a field's name", 'const ends = { "missing permission": f, Escape: g }; ends["missing permission"]();'],
    ["an error for developers", 'throw new Error("this is no colour");'],
    ["a line of the log", 'log.error({ error }, "the bridge failed"); console.log("It is up");'],
    ["an answer to a program", 'Response.json({ error: "There is no such logo" });'],
    ["the name of a header", 'const type = headers.get("Accept Language"); headers.append("Location", to);'],
    ["a header", 'const h = { "Cache-Control": "public, max age", Authorization: `Bearer ${token}` };'],
    ["a content type", 'const type = "text/html; charset=utf-8";'],
    ["a value of the API", 'const state = isOn ? "ACTIVE" : "RECONNECT_REQUIRED";'],
    ["options of Intl", 'new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "Europe/Vienna" });'],
    ["a style", '<p style={{ font: "Some font" }} />'],
    ["a style sheet", "const css = `.row a{display:flex;color:red}`;"],
    ["a question to the browser", 'matchMedia("(min-width: 768px) and (hover: hover)");'],
    ["a selector", 'document.querySelector("main input");'],
    ["a sign", "<p>· {count} – …&nbsp;%</p>"],
    ["what the API calls it", "<p><code>X-Request-Id</code><code>{'some name'}</code></p>"],
    ["a tag in markup", 'html`<!doctype html><p class="muted so" id="a b">${name}</p>`'],
    ["code in markup", "html`<style>p{color:red}</style><code>some code</code>`"],
    ["an attribute put into markup", 'html`<input${isFirst && html` autofocus`} class="a${isOn && " quiet"}">`'],
    ["a word of components/words", "<p title={words.title}>{words.removed(count)}</p>"],
    ["a comment", "// Something to know\n/* And more */"],
  ])("%s", (_, source) => expect(strayIn(source)).toEqual([]));
});

test("a word is told with its line", () => {
  expect(strayWords("const a = 1;\n\nconst b = 'Some words';", "b.ts")).toEqual([{ line: 3, text: "Some words" }]);
});

describe("all words of the pages stand in components/words", () => {
  const root = join(import.meta.dirname, "../..");
  const found = ["app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.tsx?$/.test(file) && !/^components\/words\/|\.test\.tsx?$|\/testing\//.test(file))
      .flatMap((file) => strayWords(readFileSync(join(root, file), "utf8"), file).map((stray) => ({ file, ...stray }))),
  );
  const named = ({ file, text }: { file: string; text: string }) => `${file}: ${text}`;

  test("but for what is none", () => {
    const strays = found.filter((stray) => !(named(stray) in EXCEPTIONS));
    expect(strays.map(({ file, line, text }) => `${file}:${line}: ${text}`).sort(), STANDS_OUTSIDE).toEqual([]);
  });

  test("no exception is left over", () => {
    const all = new Set(found.map(named));
    expect(Object.keys(EXCEPTIONS).filter((name) => !all.has(name))).toEqual([]);
  });
});

const STANDS_OUTSIDE = "stands outside components/words (docs/adr/0019)";
