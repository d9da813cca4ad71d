/** What holds for every operation, in Markdown: the head of the reference. */
export const apiOverview = `Carillon publishes and schedules posts to social networks through one API.

## Access

Every call of \`/v1\` carries \`Authorization: Bearer <access token>\`. An application gets its token from \`POST /oauth/token\` after a person has consented at \`/authorize\`; a partner gets one with its own credentials. Each operation says which scope it needs; \`service-api/api\` stands for all of them. A missing, expired or invalid token is 401, a missing scope or a suspended account 403.

## Partners

With a partner's token, every call that is made for a user names that user in one of two headers: \`X-Connect-User-Id\` (the \`uuid\` that provisioning answered) or \`X-Connect-External-User-Id\` (the partner's own identifier). None is 400, an unknown one 404. The same headers with a token that is not a partner's are 403. Calls that a partner makes in its own name need neither.

## Errors

Every refusal is JSON with one string, \`error\`. When several fields are wrong they are all named, each sentence begins with its field's path, and \`; \` stands between:

\`\`\`json
{ "error": "publications[0].socialMediaAccountId cannot be null; publications[0].platformSettings cannot be null" }
\`\`\`

Branch on the status. Repeat 429 and 5xx with growing pauses; do not repeat another 4xx without changing the request. A path that does not exist is 404, a method that a path does not have 405 with \`Allow\`. Every answer has an \`x-request-id\`: name it when you ask us about a call.

## Limits

Every answer of \`/v1\` says in \`RateLimit\` what is left of this minute and in \`RateLimit-Policy\` how much there is. Beyond it the answer is 429 with \`Retry-After\` in seconds. It comes from the gateway, so its body is \`{ "message": "…" }\`.

## Idempotency

A POST that changes something takes an \`Idempotency-Key\` of 1 to 255 characters. The same request with the same key within 24 hours gets the first answer again, with \`Idempotency-Replayed: true\`, and is not done twice. Another request with that key, or the same one while the first is still running, is 409. A refusal is not remembered.

## Lists

Lists that can be long answer \`{ "items": […], "nextCursor": … }\`, newest first. Hand \`nextCursor\` to the next call as \`cursor\`; it is \`null\` on the last page. What is added while you page through comes before your first page.

## Times

\`scheduledTime\` is taken as ISO 8601 with or without an offset; none means UTC. It is answered as UTC, \`2031-05-01T12:00:00Z\`, with milliseconds only where they are not zero. \`createdTime\` and \`updatedTime\` are UTC with six digits and no offset: \`2031-05-01T12:00:00.123456\`. Fields without a value are left out.
`;

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
