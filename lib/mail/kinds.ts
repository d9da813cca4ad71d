import { z } from "zod";
import { env } from "../env";
import { excerpt } from "./one-line";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** One account's share of a schedule: the network and the account as they read, and what became of it. */
const Share = z.object({ name: z.string(), says: z.string(), href: z.string().optional() });
const Outcome = z.object({ scheduleId: z.number().int(), text: z.string(), shares: z.array(Share) });

const quoted = (text: string) => (text.trim() ? `“${excerpt(text, 60)}”` : "a post without text");
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
const places = (count: number) => (count === 1 ? "1 account" : `${count} accounts`);
const postLink = (scheduleId: number) => `${env.appUrl}/posts/${scheduleId}`;

/** No name stands in these two: whoever types in somebody else's address must not be able to write to them. */
const confirmAddress = defineMail({
  facts: z.object({}),
  token: { path: "/confirm-email", seconds: 7 * DAY },
  write: (_, link) => ({
    subject: "Confirm your e-mail address",
    heading: "Is this your address?",
    paragraphs: [
      "Somebody, most likely you, created a Carillon account with this e-mail address.",
      "Confirm it, and Carillon can tell you when a post has gone out or needs you. The link works for seven days.",
    ],
    button: { label: "Confirm this address", href: link },
    closing: "If it was not you, do nothing: an address that nobody confirms gets no notices.",
  }),
});

const resetPassword = defineMail({
  facts: z.object({}),
  token: { path: "/reset-password", seconds: HOUR },
  write: (_, link) => ({
    subject: "Choose a new password",
    heading: "Choose a new password",
    paragraphs: [
      "Somebody, most likely you, asked for a new password for the Carillon account with this e-mail address.",
      "The link works once, for an hour. A new password ends every session of this account, on all devices.",
    ],
    button: { label: "Choose a new password", href: link },
    closing: "If it was not you, do nothing: your password stays as it is.",
  }),
});

const postPublished = defineMail({
  facts: Outcome,
  notice: { label: "A post was published", hint: "When every account of a post has it." },
  write: ({ scheduleId, text, shares }) => ({
    subject: `Published: ${quoted(text)}`,
    heading: "Your post is out",
    paragraphs: [`${quoted(text)} was published to ${places(shares.length)}.`],
    items: shares,
    button: { label: "See the post in Carillon", href: postLink(scheduleId) },
    closing: "You get this because one of your posts was published.",
  }),
});

const postFailed = defineMail({
  facts: Outcome.extend({ published: z.number().int() }),
  notice: { label: "A post failed", hint: "When one or more accounts of a post do not have it, with the reason." },
  write: ({ scheduleId, text, shares, published }) => ({
    subject: `${published > 0 ? "Only partly published" : "Not published"}: ${quoted(text)}`,
    heading: published > 0 ? "Your post is out only in part" : "Your post did not go out",
    paragraphs: [
      published > 0
        ? `${quoted(text)} was published to ${places(published)}, but not to ${places(shares.length)}:`
        : `${quoted(text)} was not published:`,
    ],
    items: shares,
    button: { label: "See what can be done", href: postLink(scheduleId) },
    closing: "You get this because one of your posts failed.",
  }),
});

const accountReconnect = defineMail({
  facts: z.object({ accountId: z.number().int(), name: z.string(), reason: z.string() }),
  notice: {
    label: "An account needs to be connected again",
    hint: "When a network no longer lets Carillon post for you. Once each time that it happens.",
  },
  write: ({ name, reason }) => ({
    subject: `${name} needs to be connected again`,
    heading: `${name} needs you`,
    paragraphs: [
      `Carillon can no longer post for ${name}: ${sentence(reason)}`,
      "What is scheduled for it stays. A post whose time comes before it is connected again fails, and can be sent again then.",
    ],
    button: { label: "Connect it again", href: `${env.appUrl}/accounts` },
    closing: "You get this because one of your accounts needs you. There is no second mail about the same thing.",
  }),
});

/** Whose events an endpoint was sent, where it is a partner's own: its members get the mail. */
const OfPartner = z.object({ name: z.string(), clientId: z.string(), webhookId: z.number().int() });

const webhookDisabled = defineMail({
  facts: z.object({ url: z.string(), reason: z.string(), partner: OfPartner.optional() }),
  notice: {
    label: "A webhook was switched off",
    hint: "When an endpoint of yours, or of a partner whose console is open to you, wants no more or has failed for too long.",
  },
  write: ({ url, reason, partner }) => {
    const whose = partner && excerpt(partner.name, 60);
    const again = `To switch it on again, replace it with PUT /v1/webhooks/${partner?.webhookId}.`;
    return {
      subject: `A webhook${whose ? ` of ${whose}` : ""} was switched off: ${excerpt(url, 80)}`,
      heading: `A webhook${whose ? ` of ${whose}` : ""} was switched off`,
      paragraphs: [
        `Carillon no longer sends ${whose ? `the events of ${whose}` : "events"} to ${excerpt(url, 300)}: ${sentence(reason)}`,
        `Nothing is lost: events are kept for 30 days, and GET /v1/events answers them.${partner ? ` ${again}` : ""}`,
      ],
      button: partner
        ? { label: "Open the console", href: `${env.appUrl}/console/${encodeURIComponent(partner.clientId)}/webhooks` }
        : { label: "See your webhooks", href: `${env.appUrl}/webhooks` },
      closing: whose
        ? `You get this because the console of ${whose} is open to you.`
        : "You get this because one of your webhook endpoints was switched off.",
    };
  },
});

/** Every kind of mail there is, under the name that it has in the database and the API. */
export const mailKinds = {
  confirmAddress,
  resetPassword,
  postPublished,
  postFailed,
  accountReconnect,
  webhookDisabled,
};

export type MailKind = keyof typeof mailKinds;

/** The facts of a kind, to be queued. */
export type FactsOf<K extends MailKind> = z.input<(typeof mailKinds)[K]["facts"]>;

export const noticeKinds = ["postPublished", "postFailed", "accountReconnect", "webhookDisabled"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export function isMailKind(text: string): text is MailKind {
  return Object.hasOwn(mailKinds, text);
}

export function isNotice(kind: MailKind): kind is NoticeKind {
  return noticeKinds.some((notice) => notice === kind);
}

/** The kinds that have a preference, in words. */
export function noticeWords(): { kind: NoticeKind; label: string; hint: string }[] {
  return noticeKinds.map((kind) => ({ kind, label: "", hint: "", ...mailKinds[kind].notice }));
}

/** What a mail says, before it is put into its two forms. Texts are plain; `escape` and encoding happen in the forms. */
export type MailContent = {
  /** One line; whatever would break it is taken out when it is sent. */
  subject: string;
  heading: string;
  paragraphs: string[];
  /** What it is about, one by one: a name, what became of it, where to see it. */
  items?: { name: string; says: string; href?: string }[];
  button: { label: string; href: string };
  /** Why this came, and what to do where it was not expected. */
  closing: string;
};

/** A link in a mail that does something by itself: where it leads, and for how long it works. */
export type TokenLink = { path: string; seconds: number };

type Definition<F> = {
  /** What `queueMail` is told; the only state that a mail carries. */
  facts: z.ZodType<F>;
  /** How the preferences call it. Absent: a mail that somebody asked for, which has no preference and no way to unsubscribe. */
  notice?: { label: string; hint: string };
  token?: TokenLink;
  /** @param link where the button leads: the token's address where there is one */
  write(facts: F, link: string): MailContent;
};

/** One kind of mail. `content` reads the facts as they were stored. */
type MailDefinition<F> = Omit<Definition<F>, "write"> & { content(stored: unknown, link: string): MailContent };

function defineMail<F>({ write, ...rest }: Definition<F>): MailDefinition<F> {
  return { ...rest, content: (stored, link) => write(rest.facts.parse(stored), link) };
}
