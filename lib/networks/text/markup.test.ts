import { describe, expect, test } from "vitest";
import { readMarkup } from "./markup";

const one = (type: string, offset: number, length: number, more = {}) => ({ type, offset, length, ...more });

describe("reads Telegram's HTML", () => {
  test.each([
    ["plain text", "Ding & dong", "Ding & dong", []],
    ["bold", "<b>Ding</b> <STRONG>dong</STRONG>", "Ding dong", [one("bold", 0, 4), one("bold", 5, 4)]],
    [
      "the other simple tags",
      "<i>a</i><em>b</em><u>c</u><ins>d</ins><s>e</s><strike>f</strike><del>g</del><code>h</code>",
      "abcdefgh",
      ["italic", "italic", "underline", "underline", "strikethrough", "strikethrough", "strikethrough", "code"].map(
        (type, index) => one(type, index, 1),
      ),
    ],
    ["nested tags", "<b>a<i>b</i></b>", "ab", [one("bold", 0, 2), one("italic", 1, 1)]],
    ["UTF-16 offsets", "👋 <b>é</b>", "👋 é", [one("bold", 3, 1)]],
    ["references", "1 &lt; 2 &amp; &quot;3&quot; &#128276; &#x1F514;", '1 < 2 & "3" 🔔 🔔', []],
    ["other names as they are", "&nbsp; &copy &#0; &#xD800; &", "&nbsp; &copy &#0; &#xD800; &", []],
    [
      "links",
      `<a href="https://example.com/?a=1&amp;b=2">here</a> <a href='tg://user?id=7'>me</a>`,
      "here me",
      [
        one("text_link", 0, 4, { url: "https://example.com/?a=1&b=2" }),
        one("text_link", 5, 2, { url: "tg://user?id=7" }),
      ],
    ],
    [
      "spoilers",
      '<tg-spoiler>a</tg-spoiler><span class="tg-spoiler">b</span>',
      "ab",
      [one("spoiler", 0, 1), one("spoiler", 1, 1)],
    ],
    [
      "a custom emoji",
      '<tg-emoji emoji-id="53">👍</tg-emoji>',
      "👍",
      [one("custom_emoji", 0, 2, { custom_emoji_id: "53" })],
    ],
    [
      "quotations",
      "<blockquote>a</blockquote><blockquote expandable>b</blockquote>",
      "ab",
      [one("blockquote", 0, 1), one("expandable_blockquote", 1, 1)],
    ],
    [
      "code with a language",
      '<pre><code class="language-python">a = 1</code></pre>',
      "a = 1",
      [one("pre", 0, 5, { language: "python" })],
    ],
    ["empty tags", "<b></b>a", "a", []],
  ])("%s", (_, source, text, entities) => {
    expect(readMarkup(source)).toEqual({ text, entities });
  });
});

describe("reports the first mistake with its place", () => {
  test.each([
    ["1 < 2", 'The "<" at character 3 begins no tag'],
    ["<div>a</div>", "<div> at character 1 is not one of Telegram's tags"],
    ["<b>a", "<b> is never closed"],
    ["<b>a</i>", "</i> at character 5 closes no open <i>"],
    ["a</b>", "</b> at character 2 closes no open <b>"],
    ["<b>a<i>b</b></i>", "</b> at character 9 closes no open <b>"],
    ["<a>here</a>", "<a> at character 1 needs an href"],
    ['<a href="javascript:alert(1)">here</a>', "<a> at character 1 needs an href"],
    ["<span>a</span>", '<span> at character 1 needs class="tg-spoiler"'],
    ["<tg-emoji>a</tg-emoji>", "<tg-emoji> at character 1 needs an emoji-id"],
    ["<pre>a<b>b</b></pre>", "<b> at character 7 cannot be inside <pre>"],
    [
      "<blockquote>a<blockquote>b</blockquote></blockquote>",
      "<blockquote> at character 14 cannot be inside another one",
    ],
  ])("%s", (source, problem) => {
    expect(readMarkup(source).problem).toContain(problem);
  });
});
