import { describe, expect, test } from "vitest";
import { env } from "../env";
import { type FactsOf, isNotice, type MailKind, mailKinds } from "./kinds";
import { buildMessage } from "./send";

const LINK = `${env.appUrl}/a-token`;
const HOSTILE = `Fish & <b>"chips"</b>`;
const outcome = {
  scheduleId: 7,
  text: HOSTILE,
  shares: [{ name: "@ada on X", says: "See it", href: "https://x.example/1" }],
};

/** Sample facts for every kind. A new kind without an entry does not compile. */
const samples: { [K in MailKind]: FactsOf<K> } = {
  confirmAddress: { accountCreatedTime: "2026-11-28T21:18:00Z" },
  alreadyRegistered: {},
  resetPassword: { accountCreatedTime: "2026-11-28T21:18:00Z" },
  passwordChanged: { done: [`The webhook to https://hooks.example/${HOSTILE} gets no events.`] },
  factorAdded: { kind: "passkey", name: HOSTILE },
  factorRemoved: { kind: "authenticator", name: "" },
  postPublished: outcome,
  postFailed: { ...outcome, published: 1 },
  accountReconnect: { accountId: 3, name: `@${HOSTILE} on X`, reason: "the permission was taken back" },
  webhookDisabled: {
    url: "https://hooks.example/a",
    reason: "It answered 410 Gone",
    partner: { name: HOSTILE, clientId: "acme", webhookId: 12 },
  },
  dailyDigest: {
    published: { count: 1, posts: [{ scheduleId: 7, time: "09:00", text: HOSTILE }] },
    failed: { count: 0, posts: [] },
    ahead: { count: 7, posts: [{ scheduleId: 8, time: "17:30", text: "" }] },
  },
  secretRotated: { name: HOSTILE, clientId: "acme", by: "ada@example.com" },
  secretRetired: { name: HOSTILE, clientId: "acme", until: "2031-04-02T08:00:00.000Z" },
  secretsEnded: { name: HOSTILE, clientId: "acme" },
  operatorProblem: { network: "X", reason: HOSTILE, fix: "Attach the app to a project" },
};

const written = Object.entries(samples).map(([name, facts]) => {
  const kind = name as MailKind; // the keys of the table above
  const content = mailKinds[kind].content(facts, mailKinds[kind].token ? LINK : "");
  const { html, text, subject } = buildMessage({ id: "1", ownerId: "2", kind, email: "ada@example.com" }, content);
  return { kind, content, subject: String(subject), html: String(html), text: String(text) };
});

describe.each(written)("$kind", ({ kind, content, subject, html, text }) => {
  test("has the same content and link as text and HTML", () => {
    const { heading, paragraphs, items = [], button, closing } = content;
    const says = [heading, ...paragraphs, ...items.flatMap(({ name, says: word }) => [name, word]), closing];
    const read = plain(html);
    for (const words of [...says, button.label, button.href]) {
      expect(text).toContain(words);
      expect(read).toContain(words);
    }
    expect(button.href.startsWith(`${env.appUrl}/`)).toBe(true);
    expect(`${subject}${html}${text}`).not.toMatch(/undefined|null|\[object/);
  });

  test("has light and dark colours, without external resources", () => {
    expect(html).toMatch(/<meta name="color-scheme" content="light dark">/);
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).not.toMatch(/<(script|img|link|iframe|object)\b|url\(|@import/i);
  });

  test("escapes markup in user texts", () => {
    expect(html).not.toContain("<b>");
  });

  test("has an unsubscribe link if it is a notice", () => {
    const [inText, inHtml] = [text, html].map((form) => /\/unsubscribe\?s=/.test(form));
    expect([inText, inHtml]).toEqual([isNotice(kind), isNotice(kind)]);
  });
});

/** The visible text of the HTML, including addresses. */
function plain(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  const links = [...body.matchAll(/href="([^"]*)"/g)].map(([, href]) => href).join(" ");
  return `${body.replace(/<[^>]+>/g, "")} ${links}`
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
