/** Feeds of 2 to 4 MB that are expensive to parse, to hand over or to make posts of. */
export const hostileFeeds: { [name: string]: () => string } = {
  "many items": () =>
    rss(items(8_000, (n) => `<title>Bell ${n}</title><description>${"ding ".repeat(30)}</description>`)),
  "long items": () =>
    rss(
      items(
        700,
        (n) => `<title>${`${n}&lt;`.repeat(200)}</title><description>${"d\u{1F514}".repeat(700)}</description>`,
      ),
    ),
  entities: () => rss(items(20, () => `<description>${"&amp;lt;&#x1F514;&amp;amp;".repeat(4_000)}</description>`)),
  "entities that expand": () => {
    const levels = Array.from({ length: 30 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
    return `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "bell">${levels.join("")}]>${rss(
      items(5_000, () => "<title>&e30;</title><description>&e9;</description>"),
    )}`;
  },
  "deep markup": () => rss(items(1, () => `<description>${"<a>".repeat(600_000)}</description>`)),
  "deep HTML": () => rss(items(20, () => `<description><![CDATA[${"<p><b>".repeat(16_000)}]]></description>`)),
  "a long CDATA section": () =>
    rss(items(1, () => `<description><![CDATA[${"]] > ".repeat(500_000)}]]></description>`)),
  "JSON with long texts": () =>
    JSON.stringify({
      ...{ version: "https://jsonfeed.org/version/1.1", title: "Bells" },
      items: Array.from({ length: 1_000 }, (_, n) => ({
        ...{ id: `${n}`, title: "a\u0301".repeat(500), url: `https://bells.example/${"x".repeat(900)}${n}` },
        content_text: "\u{1F514}".repeat(400),
      })),
    }),
};

const rss = (content: string) => `<rss version="2.0"><channel><title>Bells</title>${content}</channel></rss>`;

const items = (count: number, content: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `<item><guid isPermaLink="false">${n}</guid>${content(n)}</item>`).join("");
