/** The nouns of the API, by the first part of the path: what the reference calls them, and what a single one is called in a 404. */
const nouns: { [segment: string]: Noun } = {
  accounts: {
    tag: "Accounts",
    thing: "Account",
    description: "A person's connected social accounts, and the channels, Pages and boards they can publish to.",
  },
  media: {
    tag: "Media",
    thing: "Media",
    description: "Pictures and videos. Put a file into storage first, then name its key in a post's `attachmentPaths`.",
  },
  posts: {
    tag: "Posts",
    thing: "Posting schedule",
    description:
      "A posting schedule holds one publication for each account, and each publication its posts. It is published at `scheduledTime`.",
  },
  slots: {
    tag: "Slots",
    thing: "Slot",
    description: "When accounts like to post, and which of those times are free.",
  },
  webhooks: {
    tag: "Webhooks",
    thing: "Webhook",
    description: "Addresses that Carillon tells of what has happened.",
  },
  events: {
    tag: "Events",
    thing: "Event",
    description:
      "What has happened, as a log to pull. The same events are pushed by webhooks; what each of them tells is listed below.",
  },
  connect: {
    tag: "Partners",
    thing: "Connect user",
    description: "A partner provisions its own end-users and lets each of them connect accounts in a browser.",
  },
  me: { tag: "Me", thing: "User", description: "The person whose token it is." },
  oauth: {
    tag: "Authorization",
    thing: "Token",
    description: "Tokens (RFC 6749, RFC 7009). These endpoints answer errors with `error` and `error_description`.",
  },
  documents: {
    tag: "Documents",
    thing: "Document",
    description: "What programs read about this service. Nobody needs a token for them.",
  },
};

export type Noun = { tag: string; thing: string; description: string };

/** @throws for a path whose noun has no words above */
export function nounOf(path: string): Noun {
  const [, first = "", second = ""] = path.split("/");
  const segment = first === "v1" ? second : first;
  const noun = nouns[segment.startsWith("openapi") || first === ".well-known" ? "documents" : segment];
  if (!noun) throw new Error(`the noun of ${path} has no words in nouns.ts`);
  return noun;
}

/** The nouns that these paths have, in the order above. */
export function nounsOf(paths: string[]): Noun[] {
  const used = new Set(paths.map(nounOf));
  return Object.values(nouns).filter((noun) => used.has(noun));
}
