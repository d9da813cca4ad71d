import { expect, test } from "vitest";
import type { TimelinePost } from "./api";
import { isSameXPost } from "./publish";

const link = (url: string, expanded_url: string, more = {}) => ({ url, expanded_url, ...more });
const read = (text: string, urls: ReturnType<typeof link>[] = [], more: Partial<TimelinePost> = {}): TimelinePost => ({
  id: "1",
  text,
  entities: { urls },
  ...more,
});
const LONG = "A long text. ".repeat(40).trim();
const photo = link("https://t.co/m", "https://x.com/alice/status/1/photo/1");

test.each([
  ["the same text", "Hello", read("Hello"), {}, true],
  ["another text", "Hello", read("Hello!"), {}, false],
  [
    "a link",
    "See https://a.com/b?c=1 now",
    read("See https://t.co/1 now", [link("https://t.co/1", "https://a.com/b?c=1")]),
    {},
    true,
  ],
  [
    "another link",
    "See https://a.com/b",
    read("See https://t.co/1", [link("https://t.co/1", "https://a.com/c")]),
    {},
    false,
  ],
  ["a bare domain", "See a.com.", read("See https://t.co/1.", [link("https://t.co/1", "http://a.com/")]), {}, true],
  ["escaped characters", "R&B <3", read("R&amp;B &lt;3"), {}, true],
  [
    "a dollar sign in a link",
    "https://a.com/$&",
    read("https://t.co/1", [link("https://t.co/1", "https://a.com/$&")]),
    {},
    true,
  ],
  ["composed letters", "cafe\u0301", read("caf\u00e9"), {}, true],
  ["media after the text", "Look", read("Look https://t.co/m", [photo]), { hasMedia: true }, true],
  ["media whose link has no entity", "Look", read("Look https://t.co/m"), { hasMedia: true }, true],
  ["media without text", "", read("https://t.co/m", [photo]), { hasMedia: true }, true],
  [
    "a reply",
    "Two",
    read("Two", [], { referenced_posts: [{ type: "replied_to", id: "9" }] }),
    { inReplyTo: "9" },
    true,
  ],
  [
    "a reply to another post",
    "Two",
    read("Two", [], { referenced_posts: [{ type: "replied_to", id: "8" }] }),
    { inReplyTo: "9" },
    false,
  ],
  [
    "a reply in the older format",
    "Two",
    read("Two", [], { referenced_tweets: [{ type: "replied_to", id: "9" }] }),
    { inReplyTo: "9" },
    true,
  ],
  [
    "a quote, whose link X appends",
    "Look",
    read("Look https://t.co/q", [link("https://t.co/q", "https://x.com/bob/status/7")], {
      referenced_posts: [{ type: "quoted", id: "7" }],
    }),
    { quote: "7" },
    true,
  ],
  ["the same text without the quote", "Look", read("Look"), { quote: "7" }, false],
  [
    "a quote of another post",
    "Look",
    read("Look https://t.co/q", [link("https://t.co/q", "https://x.com/bob/status/8")], {
      referenced_posts: [{ type: "quoted", id: "8" }],
    }),
    { quote: "7" },
    false,
  ],
  [
    "a long text, which X cuts, with a link behind the cut",
    `${LONG} https://a.com/b`,
    read(LONG.slice(0, 270), [], {
      note_post: { text: `${LONG} https://t.co/1`, entities: { urls: [link("https://t.co/1", "https://a.com/b")] } },
    }),
    {},
    true,
  ],
  [
    "a long text in the older format, with an image whose link only the short form has",
    LONG,
    read(`${LONG.slice(0, 270)} https://t.co/m`, [photo], { note_tweet: { text: LONG } }),
    { hasMedia: true },
    true,
  ],
  [
    "a long text that ends differently",
    LONG,
    read(LONG.slice(0, 270), [], { note_post: { text: `${LONG} again` } }),
    {},
    false,
  ],
  ["an unexpected reply", "Two", read("Two", [], { referenced_posts: [{ type: "replied_to", id: "9" }] }), {}, false],
] as const)("%s", (_, text, post, expected, same) => {
  expect(isSameXPost(post, { text, hasMedia: false, ...expected })).toBe(same);
});
