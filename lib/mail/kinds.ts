import { z } from "zod";
import { env } from "../env";
import { splitReconnectMessage } from "../errors";
import { instantInWords } from "../time/instant";
import { excerpt } from "./one-line";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** One account of a schedule: the account's name, its outcome as text, and a link. */
const Share = z.object({ name: z.string(), says: z.string(), href: z.string().optional() });
const Outcome = z.object({ scheduleId: z.number().int(), text: z.string(), shares: z.array(Share) });

const quoted = (text: string) => (text.trim() ? `“${excerpt(text, 60)}”` : "a post without text");
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
const places = (count: number) => (count === 1 ? "1 account" : `${count} accounts`);
const postLink = (scheduleId: number) => `${env.appUrl}/posts/${scheduleId}`;

/**
 * When the account was created: if several people signed up with an address, only the owner of the mailbox knows which account
 * is theirs.
 */
const AccountOfAddress = z.object({ accountCreatedTime: z.iso.datetime().optional() });

/** The next three mails contain no names, because anyone can type in another person's address. */
const confirmAddress = defineMail({
  facts: AccountOfAddress,
  token: { path: "/confirm-email", seconds: 7 * DAY },
  write: ({ accountCreatedTime }, link) => ({
    subject: "Confirm your email address",
    heading: "Is this your address?",
    paragraphs: [
      `Someone, most likely you, created a Carillon account with this email address${
        accountCreatedTime ? ` on ${instantInWords(new Date(accountCreatedTime))}` : ""
      }.`,
      "Confirm it so that Carillon can tell you when a post was published or needs your attention. The link works for seven days.",
    ],
    button: { label: "Confirm this address", href: link },
    closing:
      "If this was not you, do nothing. Whoever created the account cannot use this address without your confirmation.",
  }),
});

/** What `confirmAddress` says once another person has confirmed the address. */
const alreadyRegistered = defineMail({
  facts: AccountOfAddress,
  write: () => ({
    subject: "You already have an account",
    heading: "You already have an account",
    paragraphs: [
      "Someone, most likely you, tried to create a Carillon account with this email address. You already have one.",
      `If you have forgotten its password, choose a new one at ${env.appUrl}/forgot-password.`,
    ],
    button: { label: "Sign in", href: `${env.appUrl}/sign-in` },
    closing: "If this was not you, do nothing. Your account has not changed.",
  }),
});

const resetPassword = defineMail({
  /** The time is given if the address is not confirmed and several people signed up with it. */
  facts: AccountOfAddress,
  token: { path: "/reset-password", seconds: HOUR },
  write: ({ accountCreatedTime }, link) => ({
    subject: "Choose a new password",
    heading: "Choose a new password",
    paragraphs: [
      "Someone, most likely you, asked for a new password for the Carillon account with this email address.",
      ...(accountCreatedTime
        ? [
            `Several accounts were created with this address, and none of them has confirmed it. You get an email for each. This one is about the account that was created on ${instantInWords(new Date(accountCreatedTime))}. Use only the link of the account that you created: choosing its password confirms the address for it, and the others can no longer get it.`,
          ]
        : []),
      "The link works once, within an hour. A new password signs you out on all devices.",
    ],
    button: { label: "Choose a new password", href: link },
    closing: "If this was not you, do nothing. Your password stays the same.",
  }),
});

const passwordChanged = defineMail({
  facts: z.object({ done: z.array(z.string()) }),
  write: ({ done }) => ({
    subject: "Your password was changed",
    heading: "Your password was changed",
    paragraphs: ["The password of your Carillon account was changed just now.", ...done],
    button: { label: "View your settings", href: `${env.appUrl}/settings` },
    closing: `If this was not you, choose a new password at ${env.appUrl}/forgot-password. It locks everybody else out.`,
  }),
});

/** `name` is what the person called a passkey. */
const Factor = z.object({ kind: z.enum(["authenticator", "passkey"]), name: z.string() });
const factorWords = ({ kind, name }: z.output<typeof Factor>) =>
  kind === "passkey" ? `the passkey “${excerpt(name, 60)}”` : "an authenticator app";
const securityButton = { label: "Check your security settings", href: `${env.appUrl}/settings` };
const notYou =
  "If this was not you, choose a new password now and check your security settings. If you cannot sign in any more, write to whoever runs this Carillon.";

const factorAdded = defineMail({
  facts: Factor,
  write: (factor) => ({
    subject: "A second factor was added to your account",
    heading: "A second factor was added",
    paragraphs: [
      `Your Carillon account can now be signed in to with ${factorWords(factor)}. A password alone is no longer enough.`,
    ],
    button: securityButton,
    closing: notYou,
  }),
});

const factorRemoved = defineMail({
  facts: Factor,
  write: (factor) => ({
    subject: "A second factor was removed from your account",
    heading: "A second factor was removed",
    paragraphs: [
      `${factorWords(factor).replace(/^./, (first) => first.toUpperCase())} no longer signs in to your Carillon account.`,
    ],
    button: securityButton,
    closing: notYou,
  }),
});

const postPublished = defineMail({
  facts: Outcome,
  notice: { label: "A post was published", hint: "When a post was published on all of its accounts." },
  write: ({ scheduleId, text, shares }) => ({
    subject: `Published: ${quoted(text)}`,
    heading: "Your post was published",
    paragraphs: [`${quoted(text)} was published to ${places(shares.length)}.`],
    items: shares,
    button: { label: "View the post in Carillon", href: postLink(scheduleId) },
    closing: "You get this email because one of your posts was published.",
  }),
});

function failureWords(post: string, published: number, missing: number, isUnknown = false) {
  if (isUnknown)
    return {
      subject: `Outcome unknown: ${post}`,
      heading: "Your post was not confirmed",
      paragraphs: [`${post} may have been published. Check on the network before you post it again:`],
    };
  if (published > 0)
    return {
      subject: `Only partly published: ${post}`,
      heading: "Your post was only partly published",
      paragraphs: [`${post} was published to ${places(published)}, but not to ${places(missing)}:`],
    };
  return {
    subject: `Not published: ${post}`,
    heading: "Your post was not published",
    paragraphs: [`${post} was not published:`],
  };
}

const postFailed = defineMail({
  /** `isUnknown`: no network has confirmed or refused the post. */
  facts: Outcome.extend({ published: z.number().int(), isUnknown: z.boolean().optional() }),
  notice: {
    label: "A post failed",
    hint: "When a post could not be published on one or more accounts, with the reason.",
  },
  write: ({ scheduleId, text, shares, published, isUnknown }) => ({
    ...failureWords(quoted(text), published, shares.length, isUnknown),
    items: shares,
    button: { label: "See what you can do", href: postLink(scheduleId) },
    closing: "You get this email because one of your posts failed or was not confirmed.",
  }),
});

const accountReconnect = defineMail({
  facts: z.object({
    accountId: z.number().int(),
    name: z.string(),
    reason: z.string(),
    /** The account works until then. Absent: it no longer works. */
    endsTime: z.iso.datetime().optional(),
  }),
  notice: {
    label: "An account needs reconnecting",
    hint: "When a network no longer lets Carillon post for you, and a week before if the end is known. One email per incident.",
  },
  write: ({ name, reason, endsTime }) => ({
    ...(endsTime
      ? {
          subject: `${name} needs reconnecting before ${instantInWords(new Date(endsTime))}`,
          heading: `Reconnect ${name} soon`,
          paragraphs: [
            sentence(reason),
            "Until then, nothing changes. A post that is due later fails unless you have reconnected the account, and you can retry it afterwards.",
          ],
        }
      : {
          subject: `${name} needs reconnecting`,
          heading: `${name} needs your attention`,
          paragraphs: [
            `Carillon can no longer post for ${name}: ${sentence(splitReconnectMessage(reason).reason)}`,
            "Its scheduled posts are kept. A post that is due before you reconnect the account fails, and you can retry it afterwards.",
          ],
        }),
    button: { label: "Reconnect it", href: `${env.appUrl}/accounts` },
    closing:
      "You get this email because one of your accounts needs your attention. Carillon does not send a second email about the same incident.",
  }),
});

/** Set for a partner's own endpoint: the members of its console get the mail. */
const OfPartner = z.object({ name: z.string(), clientId: z.string(), webhookId: z.number().int() });

const webhookDisabled = defineMail({
  facts: z.object({ url: z.string(), reason: z.string(), partner: OfPartner.optional() }),
  notice: {
    label: "A webhook was switched off",
    hint: "When one of your webhooks, or a webhook of a partner whose console you can open, refused further events or failed for too long.",
  },
  write: ({ url, reason, partner }) => {
    const whose = partner && excerpt(partner.name, 60);
    const again = `To switch it on again, replace it with PUT /v1/webhooks/${partner?.webhookId}.`;
    return {
      subject: `A webhook${whose ? ` of ${whose}` : ""} was switched off: ${excerpt(url, 80)}`,
      heading: `A webhook${whose ? ` of ${whose}` : ""} was switched off`,
      paragraphs: [
        `Carillon no longer sends ${whose ? `the events of ${whose}` : "events"} to ${excerpt(url, 300)}: ${sentence(reason)}`,
        `Nothing is lost: events are kept for 30 days and can be read with GET /v1/events.${partner ? ` ${again}` : ""}`,
      ],
      button: partner
        ? { label: "Open the console", href: `${env.appUrl}/console/${encodeURIComponent(partner.clientId)}/webhooks` }
        : { label: "View your webhooks", href: `${env.appUrl}/webhooks` },
      closing: whose
        ? `You get this email because you have access to the console of ${whose}.`
        : "You get this email because one of your webhooks was switched off.",
    };
  },
});

const DigestPart = z.object({
  count: z.number().int(),
  posts: z.array(z.object({ scheduleId: z.number().int(), time: z.string(), text: z.string() })),
});

const DigestFacts = z.object({ published: DigestPart, failed: DigestPart, ahead: DigestPart });
export type DigestFacts = z.output<typeof DigestFacts>;

const postCount = (count: number) => (count === 1 ? "1 post" : `${count} posts`);

/** Once a day, at a time that the person chose. */
const dailyDigest = defineMail({
  facts: DigestFacts,
  notice: {
    label: "Daily digest",
    hint: "Once a day: what went out, what failed and what comes next. No email on a day without posts.",
  },
  write: ({ published, failed, ahead }) => {
    const itemsOf = (name: string, { posts }: z.output<typeof DigestPart>) =>
      posts.map(({ scheduleId, time, text }) => ({
        name: `${name} ${time}`,
        says: quoted(text),
        href: postLink(scheduleId),
      }));
    const summary = [
      failed.count > 0 ? `${postCount(failed.count)} failed` : "",
      published.count > 0 ? `${postCount(published.count)} went out` : "",
      ahead.count > 0 ? `${postCount(ahead.count)} scheduled` : "",
    ].filter(Boolean);
    return {
      subject: `Your day: ${summary.join(", ")}`,
      heading: "Your daily digest",
      paragraphs: [
        `In the last 24 hours, ${postCount(published.count)} went out and ${postCount(failed.count)} failed on one or more accounts.`,
        `Scheduled for the next 24 hours: ${postCount(ahead.count)}.`,
      ],
      items: [...itemsOf("Failed", failed), ...itemsOf("Published", published), ...itemsOf("Scheduled", ahead)],
      button: { label: "Open Carillon", href: `${env.appUrl}/` },
      closing: "You get this email because you turned on the daily digest.",
    };
  },
});

/** A partner's credentials were changed: its owners get the mail. */
const PartnerNamed = z.object({ name: z.string(), clientId: z.string() });

const consoleLink = (clientId: string) => `${env.appUrl}/console/${encodeURIComponent(clientId)}/credentials`;
const whyOwner = (name: string) =>
  `You get this email because you are an owner in the console of ${excerpt(name, 60)}.`;

const secretRotated = defineMail({
  facts: PartnerNamed.extend({ by: z.string() }),
  write: ({ name, clientId, by }) => ({
    subject: `New client secret for ${excerpt(name, 60)}`,
    heading: `${excerpt(name, 60)} has a new client secret`,
    paragraphs: [
      `${by} created a new client secret for ${excerpt(name, 60)}. The secret before it works for at most another 24 hours.`,
      "If you did not expect this, end the secrets in the console or ask the operator of this service to suspend the partner.",
    ],
    button: { label: "View the credentials", href: consoleLink(clientId) },
    closing: whyOwner(name),
  }),
});

const secretRetired = defineMail({
  facts: PartnerNamed.extend({ until: z.iso.datetime() }),
  write: ({ name, clientId, until }) => ({
    subject: `Create a new client secret for ${excerpt(name, 60)}`,
    heading: `The client secret of ${excerpt(name, 60)} is being replaced`,
    paragraphs: [
      `The staff of this service replaces the client secret of ${excerpt(name, 60)}. The one in use works until ${instantInWords(new Date(until))}. After that, calls of ${excerpt(name, 60)} are refused.`,
      "Create the new secret in the console and put it on your servers before then. It is shown once, and only to you.",
    ],
    button: { label: "Create the new secret", href: consoleLink(clientId) },
    closing: whyOwner(name),
  }),
});

const secretsEnded = defineMail({
  facts: PartnerNamed,
  write: ({ name, clientId }) => ({
    subject: `The client secret of ${excerpt(name, 60)} no longer works`,
    heading: `${excerpt(name, 60)} needs a new client secret`,
    paragraphs: [
      `The staff of this service ended every client secret and access token of ${excerpt(name, 60)}, because someone else may know them. Calls of ${excerpt(name, 60)} are refused from now on.`,
      "Create a new secret in the console and put it on your servers. It is shown once, and only to you.",
      "Webhooks, also those of your users, were disabled, because someone else may have added or changed them. Check each one and enable it again with PUT /v1/webhooks/{id}, or delete it. GET /v1/events has the events that they missed.",
    ],
    button: { label: "Create a new secret", href: consoleLink(clientId) },
    closing: whyOwner(name),
  }),
});

/** For staff. They cannot switch it off, because only they can do what it asks for. */
const operatorProblem = defineMail({
  facts: z.object({ network: z.string(), reason: z.string(), fix: z.string() }),
  write: ({ network, reason, fix }) => ({
    subject: `Posts on ${network} are waiting for you`,
    heading: `${network} refuses this service`,
    paragraphs: [
      sentence(reason),
      `What to do: ${sentence(fix)}`,
      "No account was disconnected. Each post is tried again for 24 hours after its time, and fails after that.",
    ],
    button: { label: "See all such problems", href: `${env.appUrl}/staff` },
    closing:
      "You get this email because you are staff of this Carillon. It is sent once a day for each network and reason, as long as posts wait.",
  }),
});

/** All kinds of mail, by their names in the database and the API. */
export const mailKinds = {
  confirmAddress,
  alreadyRegistered,
  resetPassword,
  passwordChanged,
  factorAdded,
  factorRemoved,
  postPublished,
  postFailed,
  accountReconnect,
  webhookDisabled,
  dailyDigest,
  secretRotated,
  secretRetired,
  secretsEnded,
  operatorProblem,
};

export type MailKind = keyof typeof mailKinds;

/** The facts to queue a mail of this kind. */
export type FactsOf<K extends MailKind> = z.input<(typeof mailKinds)[K]["facts"]>;

export const noticeKinds = ["postPublished", "postFailed", "accountReconnect", "webhookDisabled"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** The kinds from which a person can unsubscribe. The digest is off until they turn it on. */
export const subscribedKinds = [...noticeKinds, "dailyDigest"] as const;
export type SubscribedKind = (typeof subscribedKinds)[number];

export function isMailKind(text: string): text is MailKind {
  return Object.hasOwn(mailKinds, text);
}

export function isNotice(kind: MailKind): kind is SubscribedKind {
  return subscribedKinds.some((notice) => notice === kind);
}

/** The texts of the kinds that a person can switch off. */
export function noticeWords(): { kind: SubscribedKind; label: string; hint: string }[] {
  return subscribedKinds.map((kind) => ({ kind, label: "", hint: "", ...mailKinds[kind].notice }));
}

/**
 * The content of a mail before it is rendered as text and HTML. The strings are plain; escaping and encoding happen when
 * they are rendered.
 */
export type MailContent = {
  /** One line. Line breaks are removed when it is sent. */
  subject: string;
  heading: string;
  paragraphs: string[];
  /** One entry per account: its name, its outcome, and where to see it. */
  items?: { name: string; says: string; href?: string }[];
  button: { label: string; href: string };
  /** Why the person gets this mail, and what to do if it was not expected. */
  closing: string;
};

/** A link with a one-time token: its path, and how long it works. */
export type TokenLink = { path: string; seconds: number };

type Definition<F> = {
  /** The facts that `queueMail` stores with the mail. */
  facts: z.ZodType<F>;
  /** Its texts in the preferences. Absent for mails that the person asked for; those cannot be switched off. */
  notice?: { label: string; hint: string };
  token?: TokenLink;
  /** @param link the address with the token, if the mail has one */
  write(facts: F, link: string): MailContent;
};

/** One kind of mail. `content` parses the stored facts. */
type MailDefinition<F> = Omit<Definition<F>, "write"> & { content(stored: unknown, link: string): MailContent };

function defineMail<F>({ write, ...rest }: Definition<F>): MailDefinition<F> {
  return { ...rest, content: (stored, link) => write(rest.facts.parse(stored), link) };
}
