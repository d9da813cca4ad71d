/** The introduction of the reference, in Markdown: what applies to every operation. */
export const apiOverview = `Carillon publishes and schedules posts to social networks through one API.

## Access

Every call of \`/v1\` carries \`Authorization: Bearer <access token>\`. An application gets its token from \`POST /oauth/token\` after a person has consented at \`/authorize\`. A partner gets a token with its own credentials. Each operation names the scope it needs; \`service-api/api\` includes all of them except \`service-api/account\`, which only a personal token can have. A missing, expired or invalid token is 401. A missing scope or a suspended account is 403.

## Partners

With a partner's token, every call for a user names that user in one of two headers: \`X-Connect-User-Id\` (the \`uuid\` from provisioning) or \`X-Connect-External-User-Id\` (the partner's own identifier). Without either header the answer is 400, for an unknown user 404. With a token that is not a partner's, these headers are 403. Calls that a partner makes in its own name need neither.

## Errors

Every error is JSON with one string, \`error\`. If several fields are wrong, all of them are listed. Each problem starts with its field's path, and \`; \` separates them:

\`\`\`json
{ "error": "publications[0].socialMediaAccountId cannot be null; publications[0].platformSettings cannot be null" }
\`\`\`

Decide by the status. Retry 429 and 5xx with growing pauses. Do not retry any other 4xx without changing the request. An unknown path is 404. A method that the path does not support is 405 with \`Allow\`. Every answer has an \`x-request-id\`; quote it when you ask us about a call.

## Limits

Every answer of \`/v1\` has two headers: \`RateLimit\`, the remaining requests of this minute, and \`RateLimit-Policy\`, the limit. It counts each person, with all their tokens and sessions together; a call of a partner counts for the user that it names. Beyond the limit, the answer is 429 with \`Retry-After\` in seconds. It comes from the gateway, so its body is \`{ "message": "…" }\`.

## Idempotency

A POST that changes something accepts an \`Idempotency-Key\` of 1 to 255 characters. If the same request is sent again with the same key within 24 hours, it gets the first answer again with \`Idempotency-Replayed: true\` and is not processed twice. The same key with a different request, or while the first one is still running, is 409. Errors are not stored.

## Lists

Long lists answer \`{ "items": […], "nextCursor": … }\`, newest first. Pass \`nextCursor\` to the next call as \`cursor\`; it is \`null\` on the last page. Items added while you page through come before your first page.

## Times

\`scheduledTime\` is ISO 8601 with or without an offset; without one it is UTC. Answers show it in UTC, \`2031-05-01T12:00:00Z\`, with milliseconds only if they are not zero. \`createdTime\` and \`updatedTime\` are UTC with six fractional digits and no offset: \`2031-05-01T12:00:00.123456\`. Fields without a value are left out.

## Webhooks

Any Standard Webhooks library verifies a webhook with its \`secret\`. Any 2xx answer within 15 seconds counts as delivered. After anything else, the delivery is sent again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later if \`Retry-After\` says so. The same event can arrive twice, with the same \`webhook-id\`. Events can arrive in any order; \`timestamp\` is when it happened. A 410, or five days without any success, disables the webhook.
`;

/**
 * The nouns of the API by the first part of the path: their names and descriptions in the reference, and the name of a
 * single one in a 404.
 */
const nouns: { [segment: string]: Noun } = {
  accounts: {
    tag: "Accounts",
    thing: "Account",
    description: "A person's connected social accounts, and the channels, Pages and boards where they can publish.",
  },
  "account-groups": {
    tag: "Account groups",
    thing: "Account group",
    description: "A person's own groups of accounts, so that one choice selects all of them.",
  },
  media: {
    tag: "Media",
    thing: "Media",
    description: "Pictures, videos and PDF files. Upload a file first, then use its key in a post's `attachmentPaths`.",
  },
  "media-labels": {
    tag: "Media labels",
    thing: "Media label",
    description: "The labels of a person's files.",
  },
  posts: {
    tag: "Posts",
    thing: "Posting schedule",
    description:
      "A post goes to one or more accounts at `scheduledTime`. In the data it is a posting schedule with one `publication` per account. The `posts` of a publication are what is sent to the account: one message, or the parts of a thread.",
  },
  slots: {
    tag: "Posting times",
    thing: "Posting time",
    description: "When accounts post, and which of those times are free.",
  },
  feeds: {
    tag: "Feeds",
    thing: "Feed",
    description: "RSS, Atom and JSON feeds whose new items become posts.",
  },
  webhooks: {
    tag: "Webhooks",
    thing: "Webhook",
    description: "Endpoints that receive Carillon's events.",
  },
  events: {
    tag: "Events",
    thing: "Event",
    description:
      "A log of everything that happened, to pull. Webhooks push the same events. Each event type is listed below.",
  },
  connect: {
    tag: "Partners",
    thing: "Connect user",
    description: "A partner provisions its own customers, and each of them connects accounts in a browser.",
  },
  me: { tag: "Me", thing: "User", description: "The user of the token." },
  oauth: {
    tag: "Authorization",
    thing: "Token",
    description: "Tokens (RFC 6749, RFC 7009). These endpoints answer errors with `error` and `error_description`.",
  },
  documents: {
    tag: "Documents",
    thing: "Document",
    description: "Metadata of this service for programs. They need no token.",
  },
};

export type Noun = { tag: string; thing: string; description: string };

/** @throws for a path whose noun is missing above */
export function nounOf(path: string): Noun {
  const [, first = "", second = ""] = path.split("/");
  const segment = first === "v1" ? second : first;
  const noun = nouns[segment.startsWith("openapi") || first === ".well-known" ? "documents" : segment];
  if (!noun) throw new Error(`the noun of ${path} is missing in descriptions.ts`);
  return noun;
}

/** Returns the nouns of these paths, in the order above. */
export function nounsOf(paths: string[]): Noun[] {
  const used = new Set(paths.map(nounOf));
  return Object.values(nouns).filter((noun) => used.has(noun));
}
